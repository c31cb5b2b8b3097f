import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'good' | 'warning' | 'bad' | 'info';

/** A state in one or two words; the color only repeats them. */
export function Badge({
  tone = 'neutral',
  children,
}: {
  tone?: Tone;
  children: ReactNode;
}): ReactNode {
  return <span className={`badge ${tone}`}>{children}</span>;
}
