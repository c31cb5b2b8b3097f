/** The name of the organization, and links to the screens, in groups. */
import { Menu as MenuIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { Screen } from '../lib/route.js';
import { brandOf, useSession } from '../lib/session.js';
import { Button } from '../ui/index.js';

export function Navigation({ screens }: { screens: readonly Screen[] }): ReactNode {
  const [location] = useLocation();
  const [openAt, setOpenAt] = useState<string | null>(null);
  const isOpen = openAt === location;
  const shown = screens.filter(({ label }) => label !== undefined);
  const groups = [...new Set(shown.map(({ group }) => group))];
  return (
    <header className={isOpen ? 'nav' : 'nav nav-closed'}>
      <div className="nav-inner">
        <Name />
        <div className="nav-toggle">
          <Button
            aria-expanded={isOpen}
            aria-controls="screens"
            onClick={() => setOpenAt(isOpen ? null : location)}
          >
            <MenuIcon size={16} aria-hidden />
            Menu
          </Button>
        </div>
        <nav id="screens" className="nav-screens" aria-label="Screens">
          {groups.map((group) => (
            <div key={group ?? ''}>
              {group !== undefined && <p className="nav-group">{group}</p>}
              <ul>
                {shown
                  .filter((screen) => screen.group === group)
                  .map((screen) => (
                    <li key={screen.path}>
                      <NavigationLink screen={screen} location={location} />
                    </li>
                  ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
    </header>
  );
}

function NavigationLink(props: { screen: Screen; location: string }): ReactNode {
  const { path, label, icon: Icon } = props.screen;
  return (
    <Link href={path} aria-current={isAt(props.location, path) ? 'page' : undefined}>
      {Icon && <Icon size={16} aria-hidden />}
      {label}
    </Link>
  );
}

/** A screen below another belongs to it. */
const isAt = (location: string, path: string): boolean =>
  location === path || (path !== '/' && location.startsWith(`${path}/`));

/** The logo, or the initials in its place. */
function Name(): ReactNode {
  const { me, api } = useSession();
  const logo = me.settings?.branding.logo_id;
  const name = brandOf(me);
  return (
    <div className="bar-name">
      {logo == null ? (
        <span className="bar-mark" aria-hidden="true">
          {initialsOf(name)}
        </span>
      ) : (
        <img src={`${api}/logo?v=${logo}`} alt="" />
      )}
      <div>
        <bdi>{name}</bdi>
        {me.party && <bdi className="muted">{me.party.name}</bdi>}
      </div>
    </div>
  );
}

/** The first letters of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return letters
    .map((word) => /[\p{L}\p{N}]/u.exec(word ?? '')?.[0] ?? '')
    .join('')
    .toUpperCase();
}
