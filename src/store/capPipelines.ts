/**
 * The updates of a link's counters, each one atomic step of the database: what `src/domain/caps.ts` says,
 * in the language of MongoDB's pipelines.
 */
import type { Document } from 'mongodb';
import {
  CAP_WINDOWS,
  keyOf,
  type CapCandidate,
  type CapWindow,
  type Hold,
  type HoldRef,
  type Outcome,
} from '../domain/caps.js';
import type { CapLimits } from '../domain/plan.js';
import type { WindowKeys } from '../domain/windowKeys.js';

export interface Reservation {
  limits: CapLimits;
  keys: WindowKeys;
  /** Granted in this order. */
  candidates: readonly CapCandidate[];
}

const WINDOWS = CAP_WINDOWS.map((row) => row.window);

/** Rolls the windows, then walks the candidates in order with the counters as they become. */
export function reservePipeline({ limits, keys, candidates }: Reservation): Document[] {
  const rolled = Object.fromEntries(
    WINDOWS.map((window) => [
      window,
      {
        $cond: [
          // Keys sort as text. Never backwards: a clock that is behind must not open an old window anew.
          { $gte: [`$${window}.key`, keyOf(keys, window)] },
          `$${window}`,
          { key: keyOf(keys, window), count: 0, amount: 0 },
        ],
      },
    ]),
  );
  const input = candidates.map(({ hold_id, fence, amount, leads = 1, counted }) => ({
    ...{ hold_id, fence, amount, leads },
    counted: counted ?? null,
  }));
  return [
    { $set: { ...rolled, held: { $ifNull: ['$held', []] } } },
    {
      $set: {
        walked: {
          $reduce: {
            input: { $literal: input },
            initialValue: { ...counters('$$ROOT'), held: '$held' },
            in: consider(limits),
          },
        },
      },
    },
    { $set: { ...counters('$walked'), held: '$walked.held' } },
    { $unset: 'walked' },
  ];
}

const counters = (from: string): Document =>
  Object.fromEntries(WINDOWS.map((window) => [window, `${from}.${window}`]));

/** One candidate: `$$before` is its hold from earlier, `$$asked` what it asks for on top of that. */
function consider(limits: CapLimits): Document {
  const { before, others } = split('$$value.held');
  const asked = {
    amount: { $ifNull: ['$$before.amount', '$$this.amount'] },
    leads: { $ifNull: ['$$before.leads', '$$this.leads'] },
    counted: { $ifNull: ['$$before.keys', '$$this.counted'] },
  };
  const hold = {
    hold_id: '$$this.hold_id',
    fence: '$$this.fence',
    amount: '$$asked.amount',
    leads: '$$asked.leads',
    keys: { day: '$$value.day.key', week: '$$value.week.key', month: '$$value.month.key' },
    at: '$$NOW',
  };
  const taken = { ...granted(), held: { $concatArrays: [others, [hold]] } };
  // A later fence has overtaken this candidate; the same one has its slot already.
  const stays = { $gte: ['$$before.fence', '$$this.fence'] };
  const decision = { $cond: [{ $or: [stays, { $not: [room(limits)] }] }, '$$value', taken] };
  return { $let: { vars: { before }, in: { $let: { vars: { asked }, in: decision } } } };
}

/** The hold of `$$this` among these, and all that are not its own. */
function split(holds: string): { before: Document; others: Document } {
  const where = (cond: Document): Document => ({ $filter: { input: holds, as: 'hold', cond } });
  const ids = ['$$hold.hold_id', '$$this.hold_id'];
  return { before: { $first: where({ $eq: ids }) }, others: where({ $ne: ids }) };
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
  const conditions = CAP_WINDOWS.flatMap(({ window, cap, budget }) => [
    ...(limits[cap] == null
      ? []
      : [fits(window, { $add: [`$$value.${window}.count`, '$$asked.leads'] }, limits[cap])]),
    ...(limits[budget] == null
      ? []
      : [fits(window, { $add: [`$$value.${window}.amount`, '$$asked.amount'] }, limits[budget])]),
  ]);
  return { $and: conditions };
}

const fits = (window: CapWindow, after: Document, limit: number): Document => ({
  $or: [{ $eq: [adds(window), 0] }, { $lte: [after, limit] }],
});

const granted = (): Document =>
  Object.fromEntries(
    WINDOWS.map((window) => [
      window,
      {
        key: `$$value.${window}.key`,
        count: {
          $add: [`$$value.${window}.count`, { $multiply: [adds(window), '$$asked.leads'] }],
        },
        amount: {
          $add: [`$$value.${window}.amount`, { $multiply: [adds(window), '$$asked.amount'] }],
        },
      },
    ]),
  );

/** The holds that these name (`true`), or all others. A hold of a later taking is not named. */
function holdsOf(refs: readonly HoldRef[], named: boolean): Document {
  const ids = { $literal: refs.map(({ hold_id }) => hold_id) };
  const fences = { $literal: refs.map(({ fence }) => fence) };
  const isNamed = {
    $and: [{ $gte: ['$$at', 0] }, { $gte: [{ $arrayElemAt: [fences, '$$at'] }, '$$hold.fence'] }],
  };
  const cond = {
    $let: {
      vars: { at: { $indexOfArray: [ids, '$$hold.hold_id'] } },
      in: named ? isNamed : { $not: [isNamed] },
    },
  };
  return { $filter: { input: '$held', as: 'hold', cond } };
}

/** Forgets the named holds, and counts what was booked in place of what was held. */
export function commitPipeline(outcomes: readonly Outcome[]): Document[] {
  const forget = { held: holdsOf(outcomes, false) };
  if (outcomes.every(({ booked }) => booked === undefined)) return [{ $set: forget }];
  const ids = { $literal: outcomes.map(({ hold_id }) => hold_id) };
  const booked = { $literal: outcomes.map((one) => one.booked ?? null) };
  const at = { $indexOfArray: [ids, '$$hold.hold_id'] };
  const amount = { $ifNull: [{ $arrayElemAt: [booked, at] }, '$$hold.amount'] };
  const more = { $subtract: [amount, '$$hold.amount'] };
  const amounts = Object.fromEntries(
    WINDOWS.map((window) => [
      `${window}.amount`,
      { $add: [`$${window}.amount`, sumOver(goneIn(window), more)] },
    ]),
  );
  return [
    { $set: { gone: holdsOf(outcomes, true), ...forget } },
    { $set: amounts },
    { $unset: 'gone' },
  ];
}

/** Of the holds that go, those that the open window counts. */
const goneIn = (window: CapWindow): Document | string =>
  window === 'total'
    ? '$gone'
    : {
        $filter: {
          input: '$gone',
          as: 'hold',
          cond: { $eq: [`$$hold.keys.${window}`, `$${window}.key`] },
        },
      };

/** A hold that does not say how many leads it counts for counts for one. */
const LEADS = { $ifNull: ['$$hold.leads', 1] };

/** Takes back each named hold in the windows it was counted in, where those are still open. */
export function releasePipeline(refs: readonly HoldRef[]): Document[] {
  const lowered = Object.fromEntries(
    WINDOWS.map((window) => [
      window,
      {
        key: `$${window}.key`,
        count: { $subtract: [`$${window}.count`, sumOver(goneIn(window), LEADS)] },
        amount: { $subtract: [`$${window}.amount`, sumOver(goneIn(window), '$$hold.amount')] },
      },
    ]),
  );
  return [
    { $set: { gone: holdsOf(refs, true), held: holdsOf(refs, false) } },
    { $set: lowered },
    { $unset: 'gone' },
  ];
}

const sumOver = (holds: Document | string, value: Document | string): Document => ({
  $sum: { $map: { input: holds, as: 'hold', in: value } },
});

/** Puts holds there without counting anything; one that is there is taken over as it is. */
export function adoptPipeline(holds: readonly Hold[]): Document[] {
  const input = holds.map(({ hold_id, fence, amount, leads = 1, keys }) => ({
    ...{ hold_id, fence, amount, leads, keys },
  }));
  const { before, others } = split('$$value');
  const adopted = {
    $mergeObjects: ['$$this', '$$before', { fence: '$$this.fence', at: '$$NOW' }],
  };
  const one = {
    $cond: [
      { $gt: ['$$before.fence', '$$this.fence'] },
      '$$value',
      { $concatArrays: [others, [adopted]] },
    ],
  };
  return [
    {
      $set: {
        held: {
          $reduce: {
            input: { $literal: input },
            initialValue: '$held',
            in: { $let: { vars: { before }, in: one } },
          },
        },
      },
    },
  ];
}
