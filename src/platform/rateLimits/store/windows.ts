/**
 * Recent uses of a key: a maximum number in any stretch of a window's length, exact across processes. One small
 * document per key holds the instants of its window, by the clock of the database.
 */
import type { Collection, Document } from 'mongodb';
import { retryUpsert } from '../../mongo/databaseErrors.js';

export type UseKind = 'all' | 'writes';

export interface WindowDoc {
  _id: string;
  /** The time of each use, oldest first: of all, and of those that write. */
  all: Date[];
  writes: Date[];
  /** How many there are of each, and the oldest: a call returns these instead of the lists, which may be long. */
  uses: Record<UseKind, number>;
  oldest: Partial<Record<UseKind, Date>>;
  /** Whether the last use was allowed, and when it came. */
  allowed: boolean;
  at: Date;
}

export interface WindowLimits {
  /** Maximum uses in a window, and maximum uses that write. */
  all: number;
  writes: number;
  windowMs: number;
}

export interface WindowUse {
  allowed: boolean;
  /** Uses left in the window that decided: the one that refuses, or has the fewest left. */
  left: number;
  kind: UseKind;
  /** Milliseconds until the oldest use of that window leaves it; 0 when there is none. */
  resetMs: number;
}

/**
 * Counts one use if it is allowed; one that is refused does not count.
 * It does not wait for the journal: uses lost with the server let a few more pass.
 */
export async function useWindow(
  windows: Collection<WindowDoc>,
  key: string,
  limits: WindowLimits,
  isWrite: boolean,
): Promise<WindowUse> {
  const kinds: readonly UseKind[] = isWrite ? ['all', 'writes'] : ['all'];
  return count(windows, key, limits, { kinds, times: 1 });
}

/**
 * The same for several uses at once, none of which writes: one command in the place of many. In order: where not all of them
 * are allowed, the first ones are.
 */
export async function useWindowTimes(
  windows: Collection<WindowDoc>,
  key: string,
  limits: WindowLimits,
  times: number,
): Promise<WindowUse[]> {
  const last = await count(windows, key, limits, { kinds: ['all'], times });
  if (last.allowed)
    return Array.from({ length: times }, (_, n) => ({ ...last, left: last.left + times - 1 - n }));
  const each: WindowUse[] = [];
  for (let n = 0; n < times; n += 1) each.push(await useWindow(windows, key, limits, false));
  return each;
}

/** Uses that are counted all or none. */
interface Uses {
  /** The windows that they count in: all, and those of writes too. */
  kinds: readonly UseKind[];
  times: number;
}

async function count(
  windows: Collection<WindowDoc>,
  key: string,
  limits: WindowLimits,
  uses: Uses,
): Promise<WindowUse> {
  const doc = await retryUpsert(() =>
    windows.findOneAndUpdate({ _id: key }, pipeline(limits, uses), {
      upsert: true,
      returnDocument: 'after',
      projection: { allowed: 1, at: 1, uses: 1, oldest: 1 },
      writeConcern: { w: 1, journal: false },
    }),
  );
  if (!doc) throw new Error('MongoDB returned no document for an update with upsert');
  const leftOf = (kind: UseKind): number => limits[kind] - doc.uses[kind];
  const kind =
    uses.kinds.includes('writes') && leftOf('writes') <= leftOf('all') ? 'writes' : 'all';
  const oldest = doc.oldest[kind];
  const resetMs = oldest ? Number(oldest) + limits.windowMs - Number(doc.at) : 0;
  return { allowed: doc.allowed, left: Math.max(0, leftOf(kind)), kind, resetMs };
}

function pipeline(limits: WindowLimits, { kinds, times }: Uses): Document[] {
  const { windowMs } = limits;
  const since = { $subtract: ['$$NOW', windowMs] };
  const recent = (field: string): Document => ({
    $filter: { input: { $ifNull: [`$${field}`, []] }, cond: { $gt: ['$$this', since] } },
  });
  const hasRoom = (kind: UseKind): Document => ({
    $lte: [{ $size: `$${kind}` }, limits[kind] - times],
  });
  const now = Array.from({ length: times }, () => '$$NOW');
  const counted = (kind: UseKind): [UseKind, Document] => [
    kind,
    { $cond: ['$allowed', { $concatArrays: [`$${kind}`, now] }, `$${kind}`] },
  ];
  return [
    { $set: { at: '$$NOW', all: recent('all'), writes: recent('writes') } },
    { $set: { allowed: { $and: kinds.map(hasRoom) } } },
    { $set: Object.fromEntries(kinds.map(counted)) },
    {
      $set: {
        uses: { all: { $size: '$all' }, writes: { $size: '$writes' } },
        oldest: { all: { $first: '$all' }, writes: { $first: '$writes' } },
      },
    },
  ];
}
