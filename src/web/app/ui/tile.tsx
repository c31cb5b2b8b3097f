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

interface ChangeOptions {
  /** The direction that is welcome; absent: neither. */
  good?: 'up' | 'down';
  /** What it is compared with. */
  than?: string;
  /** Writes a difference that is no share of anything; default: as a number. */
  write?: (size: number) => string;
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

/**
 * The change from one number to another, in percent of the first; where that is 0, the difference.
 * @param good the direction that is welcome; absent: neither
 */
export function changeOf(
  now: number,
  before: number,
  { good, than, write = numberOf }: ChangeOptions = {},
): Change {
  const direction = now === before ? 'same' : now > before ? 'up' : 'down';
  const sign = direction === 'up' ? '+' : direction === 'down' ? '−' : '';
  const size = Math.abs(now - before);
  const text =
    before === 0
      ? `${sign}${write(size)}`
      : `${sign}${((size / Math.abs(before)) * 100).toLocaleString('en-US', { maximumFractionDigits: size / Math.abs(before) < 0.1 ? 1 : 0 })}%`;
  const tone = direction === 'same' || !good ? 'neutral' : direction === good ? 'good' : 'bad';
  return { text, tone, direction, than };
}

const numberOf = (size: number): string =>
  size.toLocaleString('en-US', { maximumFractionDigits: 2 });
