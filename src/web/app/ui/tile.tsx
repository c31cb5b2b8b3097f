/** Numbers that stand out: a value, its change, its course. */
import { ArrowDownRight, ArrowRight, ArrowUpRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

export interface Change {
  /** `+12 %`, `−3`. */
  text: string;
  /** Whether it is welcome; `neutral` for what is neither. */
  tone: 'good' | 'bad' | 'neutral';
  direction: 'up' | 'down' | 'same';
  /** What it is compared with. */
  than?: string;
}

interface TileProps {
  label: string;
  value: ReactNode;
  change?: Change;
  /** Under the value, where there is no change to show. */
  hint?: ReactNode;
  /** The rows behind the number. */
  href?: string;
  /** A sparkline. */
  children?: ReactNode;
}

const ARROWS = { up: ArrowUpRight, down: ArrowDownRight, same: ArrowRight };

export function Tile({ label, value, change, hint, href, children }: TileProps): ReactNode {
  const content = (
    <>
      <span className="tile-label">{label}</span>
      <span className="tile-value">{value}</span>
      {change && <ChangeLine change={change} />}
      {hint !== undefined && <span className="tile-change">{hint}</span>}
      {children}
    </>
  );
  if (href === undefined) return <div className="tile">{content}</div>;
  return (
    <Link className="tile" href={href}>
      {content}
    </Link>
  );
}

function ChangeLine({ change }: { change: Change }): ReactNode {
  const { text, tone, direction, than } = change;
  const Arrow = ARROWS[direction];
  return (
    <span className="tile-change">
      <b className={tone}>
        <Arrow size={12} aria-hidden /> {text}
      </b>
      {than !== undefined && ` ${than}`}
    </span>
  );
}

export const Tiles = ({ children }: { children: ReactNode }): ReactNode => (
  <div className="tiles">{children}</div>
);

const COMPARING = /^(?:than|vs\.) /;

interface ChangeOptions {
  /** The direction that is welcome; absent: neither. */
  good?: 'up' | 'down';
  /** What it is compared with: `than last week`. */
  than?: string;
}

interface NumberChangeOptions extends ChangeOptions {
  /** How the number itself is written, such as money. */
  show?(size: number): string;
}

/** The change from one share to another, both in percent, in points: a percentage of a percentage misleads. */
export function pointsOf(now: number, before: number, { good, than }: ChangeOptions = {}): Change {
  const by = Math.round((now - before) * 10) / 10;
  const direction = by === 0 ? 'same' : by > 0 ? 'up' : 'down';
  const sign = { same: '', up: '+', down: '−' }[direction];
  const tone = direction === 'same' || !good ? 'neutral' : direction === good ? 'good' : 'bad';
  const points = Math.abs(by) === 1 ? 'point' : 'points';
  return { text: `${sign}${Math.abs(by)} ${points}`, tone, direction, than };
}

const inNumbers = (size: number): string =>
  size.toLocaleString('en-US', { maximumFractionDigits: 2 });

/** The change from one number to another, in percent of the first; where that is 0, the difference. */
export function changeOf(
  now: number,
  before: number,
  { good, than, show = inNumbers }: NumberChangeOptions = {},
): Change {
  if (now === before)
    return {
      text: 'same',
      tone: 'neutral',
      direction: 'same',
      than: than?.replace(COMPARING, 'as '),
    };
  const direction = now > before ? 'up' : 'down';
  const tone = good === undefined ? 'neutral' : direction === good ? 'good' : 'bad';
  const sign = direction === 'up' ? '+' : '−';
  const size = Math.abs(now - before);
  if (before === 0) {
    const nothing = than === undefined ? undefined : `(nothing ${than.replace(COMPARING, '')})`;
    return { text: `${sign}${show(size)}`, tone, direction, than: nothing };
  }
  const share = size / Math.abs(before);
  const digits = { maximumFractionDigits: share < 0.1 ? 1 : 0 };
  return {
    text: `${sign}${(share * 100).toLocaleString('en-US', digits)}%`,
    tone,
    direction,
    than,
  };
}
