/** Single values in a text or a cell, and states as badges. */
import type { ReactNode } from 'react';
import { useFormats } from '../lib/format.js';

/** An instant, in the account's time zone, which the foot of every page names. `isDay` omits the hour. */
export function Time({ at, isDay = false }: { at: string | null; isDay?: boolean }): ReactNode {
  const formats = useFormats();
  if (at === null) return <Nothing />;
  return <time dateTime={at}>{isDay ? formats.day(at) : formats.time(at)}</time>;
}

/** A calendar day, `YYYY-MM-DD`. */
export function Day({ day }: { day: string }): ReactNode {
  return <time dateTime={day}>{useFormats().date(day)}</time>;
}

/** An amount in the account's currency. */
export function Money({ amount }: { amount: number | null }): ReactNode {
  const formats = useFormats();
  return amount === null ? <Nothing /> : <span className="number">{formats.money(amount)}</span>;
}

/** A share between 0 and 1, as percent. */
export function Percent({ share }: { share: number | null }): ReactNode {
  const formats = useFormats();
  return share === null ? <Nothing /> : <span className="number">{formats.percent(share)}</span>;
}

/** Text that people wrote: in its own direction, and broken where it is too long. */
export function Written({ children }: { children: string }): ReactNode {
  return (
    <bdi className="written" title={children.length > 80 ? children.slice(0, 500) : undefined}>
      {children.length > 500 ? `${children.slice(0, 500)}…` : children}
    </bdi>
  );
}

/** In the place of a missing value. */
function Nothing(): ReactNode {
  return <span className="muted">–</span>;
}

export type Tone = 'neutral' | 'good' | 'warning' | 'bad' | 'info';

/** A state in words, and the color that repeats them. */
export type Word = readonly [text: string, tone: Tone];

/** A state in one or two words; the color only repeats them. */
export function Badge(props: { tone?: Tone; children: ReactNode }): ReactNode {
  const { tone = 'neutral', children } = props;
  return <span className={`badge ${tone}`}>{children}</span>;
}

/** The badge of a state from a list of words. */
export const WordBadge = ({ of: [text, tone] }: { of: Word }): ReactNode => (
  <Badge tone={tone}>{text}</Badge>
);

/** Shows the states of a list of words. */
export const badgeOf =
  <S extends string>(words: Record<S, Word>) =>
  ({ of }: { of: S }): ReactNode => <WordBadge of={words[of]} />;
