/** The frame of every screen: the organization's name and logo, navigation, account, and the screen that the address names. */
import { Suspense, useState, type ReactNode } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { useFormats } from '../lib/format.js';
import type { Screen } from '../lib/route.js';
import { brandOf, useSession } from '../lib/session.js';
import { Skeleton } from '../ui/index.js';
import { Toasts } from '../ui/toast.js';
import { Boundary } from './boundary.js';
import { SignInDialog } from './signInDialog.js';
import { Unknown } from './unknown.js';

export function Shell({ screens }: { screens: readonly Screen[] }): ReactNode {
  const { me } = useSession();
  const [location] = useLocation();
  const shown = screens.filter(({ isFor }) => isFor?.(me) ?? true);
  return (
    <Toasts>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="bar">
        <Name />
        <AccountMenu />
      </header>
      <div className="frame">
        <Navigation screens={shown} />
        <main id="content">
          <Boundary key={location}>
            <Suspense fallback={<Skeleton lines={8} />}>
              <Switch>
                {shown.map(({ path, component }) => (
                  <Route key={path} path={path} component={component} />
                ))}
                <Route component={Unknown} />
              </Switch>
            </Suspense>
          </Boundary>
        </main>
        <Foot />
      </div>
      <SignInDialog />
    </Toasts>
  );
}

function Name(): ReactNode {
  const { me, api } = useSession();
  const logo = me.settings?.branding.logo_id;
  return (
    <div className="bar-name">
      {logo != null && <img src={`${api}/logo?v=${logo}`} alt="" />}
      <bdi>{brandOf(me)}</bdi>
      {me.party && <bdi className="muted">{me.party.name}</bdi>}
    </div>
  );
}

/** The person who is signed in; links to the account, to another membership, and out. */
function AccountMenu(): ReactNode {
  const { person } = useSession().me;
  return (
    <>
      <button type="button" className="button" popoverTarget="account-menu">
        Account
      </button>
      <div id="account-menu" className="menu" popover="auto">
        <div className="menu-person">
          <bdi>{person.name}</bdi>
          <bdi className="muted">{person.email}</bdi>
        </div>
        <a href="/account">Password and security</a>
        <a href="/choose">Other memberships</a>
        <form method="post" action="/sign-out">
          <button type="submit">Sign out</button>
        </form>
      </div>
    </>
  );
}

function Navigation({ screens }: { screens: readonly Screen[] }): ReactNode {
  const [location] = useLocation();
  const [openAt, setOpenAt] = useState<string | null>(null);
  const isOpen = openAt === location;
  return (
    <nav className={isOpen ? 'nav' : 'nav nav-closed'} aria-label="Screens">
      <button
        type="button"
        className="button quiet nav-toggle"
        aria-expanded={isOpen}
        aria-controls="screens"
        onClick={() => setOpenAt(isOpen ? null : location)}
      >
        Menu
      </button>
      <ul id="screens">
        {screens
          .filter(({ label }) => label !== undefined)
          .map(({ path, label }) => (
            <li key={path}>
              <Link href={path} aria-current={isAt(location, path) ? 'page' : undefined}>
                {label}
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  );
}

/** A screen below another belongs to it. */
const isAt = (location: string, path: string): boolean =>
  location === path || (path !== '/' && location.startsWith(`${path}/`));

function Foot(): ReactNode {
  return <footer className="foot">Times are in {useFormats().zone} time.</footer>;
}
