import { useEffect, useEffectEvent, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { Link } from 'wouter';
import './sidePanel.css';

interface SidePanelProps {
  title: ReactNode;
  /** Read aloud as the panel's name, where the title is more than a text. */
  name?: string;
  /** The whole page of what it shows. */
  href?: string;
  onClose(): void;
  children: ReactNode;
}

/** Matches the width in `sidePanel.css` below which the panel covers the list. */
const COVERS = '(width < 1100px)';

/**
 * The detail of a row, beside its list; over it where the window is narrow. Esc closes it, and the focus returns.
 * Stands in `WithPanel`, after the list.
 */
export function SidePanel({ title, name, href, onClose, children }: SidePanelProps): ReactNode {
  const panel = useRef<HTMLElement>(null);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const before = document.activeElement;
    if (matchMedia(COVERS).matches) panel.current?.focus();
    return () => {
      const { activeElement } = document;
      const isLost = activeElement === document.body || activeElement === null;
      if (isLost && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || isOverPanel(event.target)) return;
      close();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <aside
      ref={panel}
      className="side-panel"
      tabIndex={-1}
      aria-label={name ?? (typeof title === 'string' ? title : 'Details')}
    >
      <header className="side-panel-head">
        <h2 dir="auto">{title}</h2>
        {href !== undefined && (
          <Link className="button quiet" href={href}>
            Open
          </Link>
        )}
        <button type="button" className="button quiet" aria-label="Close panel" onClick={onClose}>
          <span aria-hidden="true">✕</span>
        </button>
      </header>
      <div className="side-panel-body">{children}</div>
    </aside>
  );
}

/** Esc closes first what lies over the panel, and what is typed in. */
const isOverPanel = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('dialog, [popover], [role=menu], input:not([type=checkbox]), textarea, select') !==
    null;

interface WithPanelProps {
  children: ReactNode;
  /** A `SidePanel`, or nothing. */
  panel: ReactNode;
}

/** A list, and the detail of one of its rows beside it. A list that the panel covers takes no focus. */
export function WithPanel({ children, panel }: WithPanelProps): ReactNode {
  const isCovered = useSyncExternalStore(watchWidth, () => matchMedia(COVERS).matches);
  return (
    <div className="with-panel">
      <div className="with-panel-list" inert={isCovered && Boolean(panel)}>
        {children}
      </div>
      {panel}
    </div>
  );
}

function watchWidth(onChange: () => void): () => void {
  const width = matchMedia(COVERS);
  width.addEventListener('change', onChange);
  return () => width.removeEventListener('change', onChange);
}
