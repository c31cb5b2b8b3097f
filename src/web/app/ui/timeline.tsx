/** What happened, step by step: an instant, what it was, and what is behind it. */
import type { ReactNode } from 'react';
import { Time, type Tone } from './values.js';
import './timeline.css';

export interface TimelineItem {
  /** Of its row; absent: its place. */
  id?: string;
  at: string;
  title: ReactNode;
  tone: Tone;
  /** In the place of the dot. */
  icon?: ReactNode;
  /** Beside the time: a short fact, such as how long it took. */
  detail?: ReactNode;
  /** What is behind the step; the reader opens it. */
  children?: ReactNode;
}

interface TimelineProps {
  items: readonly TimelineItem[];
  /** What the list is, for those who hear it. */
  label: string;
}

/** Steps in their order, the first at the top. */
export function Timeline({ items, label }: TimelineProps): ReactNode {
  return (
    <ol className="timeline" aria-label={label}>
      {items.map((item, place) => (
        <li key={item.id ?? place} className={`timeline-item ${item.tone}`}>
          <span className="timeline-mark" aria-hidden>
            {item.icon}
          </span>
          <Step item={item} />
        </li>
      ))}
    </ol>
  );
}

function Step({ item }: { item: TimelineItem }): ReactNode {
  const head = (
    <>
      <span className="timeline-title">{item.title}</span>
      <span className="timeline-when">
        {item.detail !== undefined && <span className="timeline-detail">{item.detail}</span>}
        <Time at={item.at} />
      </span>
    </>
  );
  if (item.children === undefined) return <div className="timeline-head">{head}</div>;
  return (
    <details className="timeline-step">
      <summary className="timeline-head">{head}</summary>
      <div className="timeline-body">{item.children}</div>
    </details>
  );
}
