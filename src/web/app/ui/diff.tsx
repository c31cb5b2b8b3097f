import type { ReactNode } from 'react';
import './diff.css';

export interface DiffRow {
  /** Unique; default: the label, where that is a text. */
  key?: string;
  label: ReactNode;
  /** Null: there was nothing. */
  before: ReactNode;
  after: ReactNode;
}

interface DiffProps {
  rows: readonly DiffRow[];
  /** Read aloud. */
  caption?: string;
  /** What stands where; default: Before and After. */
  heads?: readonly [before: string, after: string];
}

/** Values that differ: each as it was, and as it is. Colors repeat what the words of the columns say. */
export const Diff = ({ rows, caption = 'Differences', heads = HEADS }: DiffProps): ReactNode => (
  <table className="diff">
    <caption className="hidden">{caption}</caption>
    <thead>
      <tr>
        <th scope="col">Setting</th>
        <th scope="col">{heads[0]}</th>
        <th scope="col">{heads[1]}</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ key, label, before, after }, n) => (
        <tr key={key ?? (typeof label === 'string' ? label : n)}>
          <th scope="row">{label}</th>
          <td data-head={heads[0]}>
            <DiffValue isBefore>{before}</DiffValue>
          </td>
          <td data-head={heads[1]}>
            <DiffValue>{after}</DiffValue>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const HEADS = ['Before', 'After'] as const;

function DiffValue({ isBefore = false, children }: { isBefore?: boolean; children: ReactNode }) {
  if (children == null || children === '') return <span className="muted">–</span>;
  return isBefore ? (
    <del className="diff-before">{children}</del>
  ) : (
    <ins className="diff-after">{children}</ins>
  );
}
