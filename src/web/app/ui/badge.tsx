import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'good' | 'warning' | 'bad' | 'info';

/** A state in words, and the color that repeats them. */
export type Word = readonly [text: string, tone: Tone];

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

/** The badge of a state from a list of words. */
export const WordBadge = ({ of: [text, tone] }: { of: Word }): ReactNode => (
  <Badge tone={tone}>{text}</Badge>
);
