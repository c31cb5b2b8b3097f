import type { ReactNode } from 'react';
import './reports.css';

interface SegmentsProps<V extends string> {
  /** Read aloud. */
  label: string;
  options: readonly { value: V; label: string }[];
  value: V;
  onChange(value: V): void;
}

/** One of a few, all of them in sight. */
export const Segments = <V extends string>(props: SegmentsProps<V>): ReactNode => (
  <div className="segments" role="group" aria-label={props.label}>
    {props.options.map(({ value, label }) => (
      <button
        key={value}
        type="button"
        aria-pressed={value === props.value}
        onClick={() => props.onChange(value)}
      >
        {label}
      </button>
    ))}
  </div>
);
