/** Single values in a text or a cell, and states as badges. */
import {
  CircleCheck,
  CircleDashed,
  CircleX,
  Clock,
  TriangleAlert,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormats } from '../lib/format.js';

interface TimeProps {
  at: string | null;
  /** Omits the hour. */
  isDay?: boolean;
  /** How long ago, or until then; the exact time on hovering. */
  isRelative?: boolean;
}

/** An instant, in the account's time zone, which the foot of every page names. */
export function Time({ at, isDay = false, isRelative = false }: TimeProps): ReactNode {
  const formats = useFormats();
  if (at === null) return <Nothing />;
  if (isRelative) {
    return (
      <time dateTime={at} title={formats.time(at)}>
        {formats.relative(at)}
      </time>
    );
  }
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

const ICONS: Readonly<Record<Tone, LucideIcon>> = {
  neutral: CircleDashed,
  good: CircleCheck,
  warning: TriangleAlert,
  bad: CircleX,
  info: Clock,
};

interface ChipProps {
  tone?: Tone;
  /** Default: that of the tone. */
  icon?: LucideIcon;
  children: ReactNode;
}

/** A state in one or two words, with an icon; the color only repeats them. */
export function Chip({ tone = 'neutral', icon, children }: ChipProps): ReactNode {
  const Icon = icon ?? ICONS[tone];
  return (
    <span className={`badge ${tone}`}>
      <Icon size={12} aria-hidden />
      {children}
    </span>
  );
}

/** A word that qualifies what it stands beside; the color only repeats it. */
export function Badge(props: { tone?: Tone; children: ReactNode }): ReactNode {
  const { tone = 'neutral', children } = props;
  return <span className={`badge ${tone}`}>{children}</span>;
}

/** The chip of a state from a list of words. */
export const WordBadge = ({ of: [text, tone] }: { of: Word }): ReactNode => (
  <Chip tone={tone}>{text}</Chip>
);

/** Shows the states of a list of words. */
export const badgeOf =
  <S extends string>(words: Record<S, Word>) =>
  ({ of }: { of: S }): ReactNode => <WordBadge of={words[of]} />;
