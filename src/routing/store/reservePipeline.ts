/**
 * The update by which a link grants reservations: what `grant` of `src/routing/rules/caps.ts` says, as one step of the
 * database.
 */
import type { Document } from 'mongodb';
import { keyOf, type CapCandidate } from '../rules/caps.js';
import { CAP_WINDOWS, type CapWindow } from '../../account/rules/capLimits.js';
import type { CapLimits } from '../../account/rules/capLimits.js';
import type { WindowKeys } from '../../fields/windowKeys.js';
import { mapWindows, split, isAskedFor } from './capPipelines.js';

export interface Reservation {
  limits: CapLimits;
  keys: WindowKeys;
  /** Granted in this order. */
  candidates: readonly CapCandidate[];
  /** Maximum holds. */
  maxHeld: number;
}

/**
 * Rolls the windows, then grants all candidates at once where none can be refused, as is mostly so; otherwise it walks
 * them in order with the counters as they become. For 96 candidates the walk takes
 * MongoDB 6 ms beside 200 holds, and 65 ms beside 5,000.
 */
export function reservePipeline({ limits, keys, candidates, maxHeld }: Reservation): Document[] {
  const rolled = mapWindows((window) => ({
    $cond: [
      // Keys sort as text. Never backwards: a clock that is behind must not open an old window anew.
      { $gte: [`$${window}.key`, keyOf(keys, window)] },
      `$${window}`,
      { key: keyOf(keys, window), count: 0, amount: 0 },
    ],
  }));
  const input = candidates.map(({ hold_id, fence, amount, leads = 1, counted }) => ({
    hold_id,
    fence,
    amount,
    leads,
    counted: counted ?? null,
  }));
  const walk = walkThrough(input, limits, maxHeld);
  const next = areNew(input)
    ? { $cond: [fitTogether(limits, input, maxHeld), grantAll(input), walk] }
    : walk;
  return [
    { $set: { ...rolled, held: { $ifNull: ['$held', []] } } },
    { $set: { next } },
    { $set: { ...counters('$next'), held: '$next.held' } },
    { $unset: 'next' },
  ];
}

/** A candidate with everything that is assumed of it. */
type Asked = Required<Pick<CapCandidate, 'hold_id' | 'fence' | 'amount' | 'leads'>> & {
  counted: WindowKeys | null;
};

/** None asks twice, and none was counted before. */
const areNew = (asked: readonly Asked[]): boolean =>
  asked.every(({ counted }) => counted === null) &&
  new Set(asked.map(({ hold_id }) => hold_id)).size === asked.length;

/** True when none has a hold and there is room for all: as counters only grow, each then has room in its turn. */
function fitTogether(limits: CapLimits, asked: readonly Asked[], maxHeld: number): Document {
  const ids = asked.map(({ hold_id }) => hold_id);
  const held = { $setIntersection: ['$held.hold_id', { $literal: ids }] };
  const rooms = limited(limits).map(({ window, what, limit }) => ({
    $lte: [{ $add: [`$${window}.${what}`, totalOf(asked, what)] }, limit],
  }));
  const isRoomy = { $lte: [{ $size: '$held' }, maxHeld - asked.length] };
  return { $and: [isRoomy, { $eq: [held, []] }, ...rooms] };
}

function grantAll(asked: readonly Asked[]): Document {
  const raised = mapWindows((window) => ({
    key: `$${window}.key`,
    count: { $add: [`$${window}.count`, totalOf(asked, 'count')] },
    amount: { $add: [`$${window}.amount`, totalOf(asked, 'amount')] },
  }));
  const holds = { $map: { input: { $literal: asked }, in: reservationOf('$$this', '$$ROOT') } };
  return { ...raised, held: { $concatArrays: ['$held', holds] } };
}

/** What a window counts. */
type Counted = 'count' | 'amount';

const totalOf = (asked: readonly Asked[], what: Counted): number =>
  asked.reduce((sum, { leads, amount }) => sum + (what === 'count' ? leads : amount), 0);

/** The hold that a candidate gets: `windows` has those it is counted in. */
const reservationOf = (candidate: string, windows: string): Document => ({
  hold_id: `${candidate}.hold_id`,
  fence: `${candidate}.fence`,
  amount: `${candidate}.amount`,
  leads: `${candidate}.leads`,
  keys: {
    day: `${windows}.day.key`,
    week: `${windows}.week.key`,
    month: `${windows}.month.key`,
  },
  at: '$$NOW',
});

const counters = (from: string): Document => mapWindows((window) => `${from}.${window}`);

/** Grants in order. Only the candidates' own holds are looked through for each: the others stay as they are. */
function walkThrough(asked: readonly Asked[], limits: CapLimits, maxHeld: number): Document {
  const isOwn = isAskedFor(asked);
  const holds = (cond: Document): Document => ({ $filter: { input: '$held', as: 'hold', cond } });
  const walked = {
    $reduce: {
      input: { $literal: asked },
      initialValue: { ...counters('$$ROOT'), held: '$$own' },
      in: consider(limits),
    },
  };
  const result = {
    ...counters('$$walked'),
    held: { $concatArrays: ['$$others', '$$walked.held'] },
  };
  const most = { $subtract: [maxHeld, { $size: '$$others' }] };
  const inOrder = { $let: { vars: { walked }, in: result } };
  return {
    $let: {
      vars: { own: holds(isOwn), others: holds({ $not: [isOwn] }) },
      in: { $let: { vars: { most }, in: inOrder } },
    },
  };
}

/** One candidate: `$$before` is its hold from earlier, `$$asked` what it asks for on top of that. */
function consider(limits: CapLimits): Document {
  const { before, others } = split('$$value.held');
  const asked = {
    amount: { $ifNull: ['$$before.amount', '$$this.amount'] },
    leads: { $ifNull: ['$$before.leads', '$$this.leads'] },
    counted: { $ifNull: ['$$before.keys', '$$this.counted'] },
  };
  const hold = {
    ...reservationOf('$$this', '$$value'),
    amount: '$$asked.amount',
    leads: '$$asked.leads',
  };
  const taken = { ...granted(), held: { $concatArrays: [others, [hold]] } };
  // A later fence has overtaken this candidate; the same one has its reservation already.
  const stays = { $gte: ['$$before.fence', '$$this.fence'] };
  const isCrowdedOut = {
    $and: [{ $eq: ['$$before', null] }, { $gte: [{ $size: '$$value.held' }, '$$most'] }],
  };
  const isRefused = { $or: [stays, isCrowdedOut, { $not: [room(limits)] }] };
  const decision = { $cond: [isRefused, '$$value', taken] };
  return { $let: { vars: { before }, in: { $let: { vars: { asked }, in: decision } } } };
}

/** 0 where the attempt is counted in the open window already, else 1. */
function adds(window: CapWindow): Document {
  // The window that never ends counts it already if anything does.
  const isCounted =
    window === 'total'
      ? { $ne: [{ $ifNull: ['$$asked.counted', null] }, null] }
      : { $eq: [`$$asked.counted.${window}`, `$$value.${window}.key`] };
  return { $cond: [isCounted, 0, 1] };
}

/** True when every limited window has room; what adds nothing fits, however full it is. */
function room(limits: CapLimits): Document {
  const conditions = limited(limits).map(({ window, what, limit }) => {
    const more = what === 'count' ? '$$asked.leads' : '$$asked.amount';
    return fits(window, { $add: [`$$value.${window}.${what}`, more] }, limit);
  });
  return { $and: conditions };
}

/** What is limited, and how far. */
const limited = (limits: CapLimits): { window: CapWindow; what: Counted; limit: number }[] =>
  CAP_WINDOWS.flatMap(({ window, cap, budget }) => [
    { window, what: 'count' as const, limit: limits[cap] },
    { window, what: 'amount' as const, limit: limits[budget] },
  ]).flatMap(({ limit, ...one }) => (limit == null ? [] : [{ ...one, limit }]));

const fits = (window: CapWindow, after: Document, limit: number): Document => ({
  $or: [{ $eq: [adds(window), 0] }, { $lte: [after, limit] }],
});

const granted = (): Document =>
  mapWindows((window) => ({
    key: `$$value.${window}.key`,
    count: { $add: [`$$value.${window}.count`, { $multiply: [adds(window), '$$asked.leads'] }] },
    amount: { $add: [`$$value.${window}.amount`, { $multiply: [adds(window), '$$asked.amount'] }] },
  }));
