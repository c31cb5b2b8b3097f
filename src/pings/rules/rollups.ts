/**
 * What reports count of pings. A ping adds its contribution to the sums of its day; when a lead redeems it, the
 * difference is added. Sums are kept in total, by supplier, by buyer, and for each pair of the two.
 */
import type { Micros } from '../../fields/money.js';
import type { Ping } from './ping.js';

/** What a ping has added to the sums. */
export interface PingContribution {
  is_accepted: boolean;
  is_redeemed: boolean;
  /** What the supplier would receive for each bid, best first. */
  bids: { buyer_id: string; bid: Micros }[];
}

/** The dimension of a sum; `cell` is one supplier and buyer. */
export type PingFacet = 'all' | 'supplier' | 'buyer' | 'cell';

/** For a buyer: the pings on which it bid. */
export interface PingSums {
  pings: number;
  /** At least one buyer bid. */
  accepted: number;
  redeemed: number;
  /** The best bids of all accepted pings; for a buyer: its bids. */
  bids: Micros;
}

/** The key of one sum. */
export interface PingPlace {
  facet: PingFacet;
  supplier_id?: string;
  buyer_id?: string;
}

export interface PingRow extends PingPlace {
  sums: PingSums;
}

/** Sums of one day and campaign while they are added up. */
export type PingRows = Map<string, PingRow>;

export const pingPlaceKey = ({ facet, supplier_id, buyer_id }: PingPlace): string =>
  JSON.stringify([facet, supplier_id ?? null, buyer_id ?? null]);

/** The contribution of the ping; null for a test ping. */
export function pingContributionOf({
  is_test,
  state,
  bids,
}: Pick<Ping, 'is_test' | 'state'> & {
  bids: readonly Pick<Ping['bids'][number], 'buyer_id' | 'bid'>[];
}): PingContribution | null {
  if (is_test) return null;
  return {
    is_accepted: state !== 'refused',
    is_redeemed: state === 'redeemed',
    bids: state === 'refused' ? [] : bids.map(({ buyer_id, bid }) => ({ buyer_id, bid })),
  };
}

/** True when the two add the same. */
export const isSamePingContribution = (
  a: PingContribution | null,
  b: PingContribution | null,
): boolean => JSON.stringify(comparable(a)) === JSON.stringify(comparable(b));

const comparable = (one: PingContribution | null): unknown =>
  one && [one.is_accepted, one.is_redeemed, one.bids.map(({ buyer_id, bid }) => [buyer_id, bid])];

/** Adds what a ping contributes (`sign` 1), or subtracts it (−1). */
export function addPing(
  rows: PingRows,
  { supplier_id }: Pick<Ping, 'supplier_id'>,
  contribution: PingContribution | null,
  sign: 1 | -1,
): void {
  if (!contribution) return;
  const { is_accepted, is_redeemed, bids } = contribution;
  const sums = (accepted: boolean, bid: Micros): PingSums => ({
    pings: sign,
    accepted: accepted ? sign : 0,
    redeemed: is_redeemed ? sign : 0,
    bids: sign * bid,
  });
  const whole = sums(is_accepted, bids[0]?.bid ?? 0);
  put(rows, { facet: 'all' }, whole);
  put(rows, { facet: 'supplier', supplier_id }, whole);
  for (const { buyer_id, bid } of bids) {
    put(rows, { facet: 'buyer', buyer_id }, sums(true, bid));
    put(rows, { facet: 'cell', supplier_id, buyer_id }, sums(true, bid));
  }
}

/** `a` minus `b`, without zeros. */
export function pingDifference(a: readonly PingRow[], b: readonly PingRow[]): PingRow[] {
  const rows: PingRows = new Map();
  for (const [list, sign] of [[a, 1] as const, [b, -1] as const])
    for (const { facet, supplier_id, buyer_id, sums } of list)
      put(rows, { facet, supplier_id, buyer_id }, plus(NO_PINGS, sums, sign));
  return nonZeroPings(rows);
}

/** The sums that are not zero. */
export const nonZeroPings = (rows: PingRows): PingRow[] =>
  [...rows.values()].filter(({ sums }) => Object.values(sums).some((n) => n !== 0));

function put(rows: PingRows, place: PingPlace, sums: PingSums): void {
  const key = pingPlaceKey(place);
  rows.set(key, { ...place, sums: plus(rows.get(key)?.sums ?? NO_PINGS, sums) });
}

export const NO_PINGS: Readonly<PingSums> = { pings: 0, accepted: 0, redeemed: 0, bids: 0 };

/** The sums of several places together. */
export const totalPings = (sums: readonly PingSums[]): PingSums =>
  sums.reduce<PingSums>((a, b) => plus(a, b), NO_PINGS);

const plus = (a: PingSums, b: PingSums, sign: 1 | -1 = 1): PingSums => ({
  pings: a.pings + sign * b.pings,
  accepted: a.accepted + sign * b.accepted,
  redeemed: a.redeemed + sign * b.redeemed,
  bids: a.bids + sign * b.bids,
});
