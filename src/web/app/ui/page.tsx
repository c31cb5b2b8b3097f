import { useEffect, useRef, type ReactNode } from 'react';
import { brandOf, useSession } from '../lib/session.js';

interface PageProps {
  title: string;
  /** Buttons and links of the page as a whole. */
  actions?: ReactNode;
  /** One or two sentences under the title. */
  intro?: ReactNode;
  children: ReactNode;
}

/** The first page of a visit leaves the focus where the browser puts it. */
let isFirst = true;

/** A screen: it titles the window, and its heading takes the focus when a link has led here. */
export function Page({ title, actions, intro, children }: PageProps): ReactNode {
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
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </header>
      {intro !== undefined && <div className="intro">{intro}</div>}
      {children}
    </>
  );
}

/** A part of a page with a heading. */
export function Section({ title, actions, children }: PageProps): ReactNode {
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
