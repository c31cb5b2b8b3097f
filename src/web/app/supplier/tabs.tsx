/** One of several panels; arrow keys move between the tabs, as in every desktop. */
import './supplier.css';
import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';

interface TabsProps<K extends string> {
  /** The name of the choice, for people who do not see it. */
  label: string;
  tabs: readonly { key: K; label: string }[];
  value: K;
  onChange(key: K): void;
  /** The panel of the chosen tab. */
  children: ReactNode;
}

export function Tabs<K extends string>(props: TabsProps<K>): ReactNode {
  const { label, tabs, value, onChange, children } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ key }) => key === value);
    const steps: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    const chosen = tabs[next];
    if (!chosen) return;
    onChange(chosen.key);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  return (
    <>
      <div ref={list} role="tablist" aria-label={label} className="tab-buttons" onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-${tab.key}`}
            aria-selected={tab.key === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.key === value ? 0 : -1}
            onClick={() => onChange(tab.key)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </>
  );
}
