import { ChevronRight } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { brandOf, useSession } from '../lib/session.js';
import { HowMenu } from '../shell/how.js';
import type { HowMenuProps } from '../shell/howProps.js';

export interface Crumb {
  href: string;
  label: string;
}

export interface TabLink extends Crumb {
  /** How many rows it has, where that matters. */
  count?: number;
}

interface SectionProps {
  title: string;
  /** Buttons and links of the whole. */
  actions?: ReactNode;
  children: ReactNode;
}

interface PageProps extends SectionProps {
  /** The screens above this one. */
  crumbs?: readonly Crumb[];
  /** Beside the title: a state, as a chip. */
  status?: ReactNode;
  /** One or two sentences under the title. */
  intro?: ReactNode;
  /** The parts of a record, each with an address. */
  tabs?: readonly TabLink[];
  /** The action that has the data of the screen: the page shows how a program calls it. */
  how?: HowMenuProps;
}

/** The first page of a visit leaves the focus where the browser puts it. */
let isFirst = true;

/** A screen: it titles the window, and its heading takes the focus when a link has led here. */
export function Page(props: PageProps): ReactNode {
  const { title, status, crumbs, actions, intro, tabs, how, children } = props;
  const { me } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  const name = brandOf(me);
  useEffect(() => {
    document.title = `${title} · ${name}`;
  }, [title, name]);
  useEffect(() => {
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, []);
  return (
    <>
      <header className="page-head">
        <div className="page-title">
          {crumbs && <Crumbs crumbs={crumbs} />}
          <h1 ref={heading} tabIndex={-1}>
            {title}
            {status}
          </h1>
        </div>
        {(actions !== undefined || how) && (
          <div className="actions">
            {how && <HowMenu {...how} />}
            {actions}
          </div>
        )}
      </header>
      {intro !== undefined && <div className="intro">{intro}</div>}
      {tabs && <Tabs tabs={tabs} />}
      {children}
    </>
  );
}

const Crumbs = ({ crumbs }: { crumbs: readonly Crumb[] }): ReactNode => (
  <nav className="crumbs" aria-label="Breadcrumbs">
    <ol>
      {crumbs.map(({ href, label }) => (
        <li key={href}>
          <Link href={href}>
            <bdi>{label}</bdi>
          </Link>
          <ChevronRight size={14} aria-hidden />
        </li>
      ))}
    </ol>
  </nav>
);

/** Links to the parts of a record; each part is a screen of its own address. */
function Tabs({ tabs }: { tabs: readonly TabLink[] }): ReactNode {
  const [location] = useLocation();
  return (
    <nav className="tabs" aria-label="Parts">
      <ul>
        {tabs.map(({ href, label, count }) => (
          <li key={href}>
            <Link href={href} aria-current={location === href.split('?')[0] ? 'page' : undefined}>
              {label}
              {count !== undefined && <span className="nav-count">{count}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A part of a page with a heading. */
export function Section({ title, actions, children }: SectionProps): ReactNode {
  return (
    <section className="section">
      <header className="section-head">
        <h2>{title}</h2>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

/** A name and its value; without a value (null, undefined or false) it is left out. */
export type Fact = readonly [name: string, value: ReactNode];

/** Names and values, one below the other. */
export function Facts({ facts }: { facts: readonly Fact[] }): ReactNode {
  const shown = facts.filter(([, value]) => value != null && value !== false);
  return (
    <dl className="facts">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
