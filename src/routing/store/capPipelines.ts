/**
 * The updates of a link's counters, each one atomic step of the database. For the grants see `reservePipeline.ts`. The
 * tests compare them with a model in memory.
 */
import type { Document } from 'mongodb';
import { NOTHING, type AdoptedHold, type ReservationRef, type Outcome } from '../rules/caps.js';
import { eachWindow, type CapWindow } from '../../account/rules/capLimits.js';

/**
 * The reservation of `$$this` among these, null where it has none, and all others. Most have none: then nothing is
 * evaluated for each reservation.
 * @param holds for example `$$value`
 * @param name the variable that contains the reservation where `others` is used
 */
export function split(holds: string, name: string): { before: Document; others: Document } {
  const at = { $indexOfArray: [`${holds}.hold_id`, '$$this.hold_id'] };
  const found = { $cond: [{ $gte: ['$$at', 0] }, { $arrayElemAt: [holds, '$$at'] }, null] };
  const isOther = { $ne: ['$$hold.hold_id', '$$this.hold_id'] };
  const filtered = { $filter: { input: holds, as: 'hold', cond: isOther } };
  return {
    before: { $let: { vars: { at }, in: found } },
    others: { $cond: [{ $eq: [`$$${name}`, null] }, holds, filtered] },
  };
}

/** The counters of a link whose document may be from a release that did not count in each window. */
export const STORED = eachWindow((window) => ({ $ifNull: [`$${window}`, NOTHING] }));

/** All windows of this variable or field. */
export const counters = (from: string): Document => eachWindow((window) => `${from}.${window}`);

/** An expression that may use variables, each of which may use those before it. */
export const within = (vars: readonly Document[], expression: Document): Document =>
  vars.reduceRight<Document>((inner, one) => ({ $let: { vars: one, in: inner } }), expression);

/** Whether a reservation, or null, is counted in addition to its row: `isStray` of `src/routing/rules/caps.ts`. */
export const isStray = (hold: string, rowFence: string): Document => ({
  $and: [
    { $ne: [hold, null] },
    { $ne: [{ $ifNull: [rowFence, null] }, null] },
    // Where the takers are not known, all may have held it.
    { $not: [{ $in: [rowFence, { $ifNull: [`${hold}.takers`, [rowFence]] }] }] },
    { $ne: [`${hold}.of_row`, true] },
  ],
});

/** Counters without what a reservation counts in windows that are still open. */
export const withoutReservation = (counters: string, hold: string): Document =>
  eachWindow((window) => {
    const isHere =
      window === 'total'
        ? { $literal: true }
        : { $eq: [`${hold}.keys.${window}`, `${counters}.${window}.key`] };
    const less = (value: Document | string): Document => ({ $cond: [isHere, value, 0] });
    return {
      key: `${counters}.${window}.key`,
      count: {
        $subtract: [`${counters}.${window}.count`, less({ $ifNull: [`${hold}.leads`, 1] })],
      },
      amount: { $subtract: [`${counters}.${window}.amount`, less(`${hold}.amount`)] },
    };
  });

/** Whether `$$hold` is one of these. */
export function isAskedFor(asked: readonly Pick<ReservationRef, 'hold_id'>[]): Document {
  const ids = { $literal: asked.map(({ hold_id }) => hold_id) };
  return { $gte: [{ $indexOfArray: [ids, '$$hold.hold_id'] }, 0] };
}

/** The reservations with these ids, with the fields that identify a grant; a busy link has hundreds of others. */
export function selectReservations(asked: readonly Pick<ReservationRef, 'hold_id'>[]): Document {
  const found = { $filter: { input: '$held', as: 'hold', cond: isAskedFor(asked) } };
  const known = { hold_id: '$$hold.hold_id', fence: '$$hold.fence', keys: '$$hold.keys' };
  return { $map: { input: found, as: 'hold', in: known } };
}

/** The named reservations (`true`), or all others. A reservation of a later run is not named. */
function reservationsOf(refs: readonly ReservationRef[], named: boolean): Document {
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

/**
 * Removes the named reservations, and counts the recorded money in place of the reserved, in the windows that their
 * rows name. An extra count in addition to a row is released. Where none of this is given, as in most calls, no counter
 * changes.
 */
export function commitPipeline(outcomes: readonly Outcome[]): Document[] {
  const forget = { held: reservationsOf(outcomes, false) };
  if (outcomes.every(changesNothing)) return [{ $set: forget }];
  const ids = { $literal: outcomes.map(({ hold_id }) => hold_id) };
  const results = {
    $literal: outcomes.map(({ booked, leads, keys, row_fence }) => ({
      booked,
      counts: leads,
      row: keys,
      row_fence,
    })),
  };
  const result = { $arrayElemAt: [results, { $indexOfArray: [ids, '$$hold.hold_id'] }] };
  const named = reservationsOf(outcomes, true);
  const removed = { $map: { input: named, as: 'hold', in: { $mergeObjects: ['$$hold', result] } } };
  const settled = eachWindow((window) => ({
    key: `$${window}.key`,
    count: {
      $add: [
        { $subtract: [`$${window}.count`, sumOver(removedIn(window), LEADS)] },
        sumOver(keptIn(window), { $ifNull: ['$$hold.counts', LEADS] }),
      ],
    },
    amount: {
      $add: [
        { $subtract: [`$${window}.amount`, sumOver(removedIn(window), '$$hold.amount')] },
        sumOver(keptIn(window), { $ifNull: ['$$hold.booked', '$$hold.amount'] }),
      ],
    },
  }));
  return [{ $set: { ...STORED, removed, ...forget } }, { $set: settled }, { $unset: 'removed' }];
}

const changesNothing = ({ booked, leads, keys, row_fence }: Outcome): boolean =>
  [booked, leads, keys, row_fence].every((value) => value === undefined);

/** Of the removed reservations, those that keep their rows' count in the open window. */
const keptIn = (window: CapWindow): Document =>
  only(removedIn(window), {
    $not: [{ $or: [isElsewhere(window), isStray('$$hold', '$$hold.row_fence')] }],
  });

const only = (holds: Document | string, cond: Document): Document => ({
  $filter: { input: holds, as: 'hold', cond },
});

/** Its row names other windows than the open one. Every row is in the window that never ends. */
const isElsewhere = (window: CapWindow): Document =>
  window === 'total'
    ? { $literal: false }
    : {
        $and: [{ $gt: ['$$hold.row', null] }, { $ne: [`$$hold.row.${window}`, `$${window}.key`] }],
      };

/** Of the removed reservations, those that the open window counts. */
const removedIn = (window: CapWindow): Document | string =>
  window === 'total'
    ? '$removed'
    : only('$removed', { $eq: [`$$hold.keys.${window}`, `$${window}.key`] });

/** A reservation without a number of leads counts for one. */
const LEADS = { $ifNull: ['$$hold.leads', 1] };

/** Releases each named reservation in the windows in which it was counted, where those are still open. */
export function releasePipeline(refs: readonly ReservationRef[]): Document[] {
  const lowered = eachWindow((window) => ({
    key: `$${window}.key`,
    count: { $subtract: [`$${window}.count`, sumOver(removedIn(window), LEADS)] },
    amount: { $subtract: [`$${window}.amount`, sumOver(removedIn(window), '$$hold.amount')] },
  }));
  return [
    { $set: { ...STORED, removed: reservationsOf(refs, true), held: reservationsOf(refs, false) } },
    { $set: lowered },
    { $unset: 'removed' },
  ];
}

const sumOver = (holds: Document | string, value: Document | string): Document => ({
  $sum: { $map: { input: holds, as: 'hold', in: value } },
});

/**
 * Adds reservations without counting anything. An existing one is taken over as it is, unless it is counted in addition
 * to its row: then that count is released.
 */
export function adoptPipeline(holds: readonly AdoptedHold[]): Document[] {
  const input = holds.map(({ hold_id, fence, amount, leads = 1, keys, row_fence = null }) => ({
    hold: { hold_id, fence, amount, leads, keys, of_row: true, takers: [fence] },
    hold_id,
    fence,
    row_fence,
  }));
  const { before: hold, others } = split('$$value.held', 'hold');
  const before = { $cond: ['$$isExtra', null, '$$hold'] };
  const adopted = {
    $mergeObjects: ['$$this.hold', before, { fence: '$$this.fence', at: '$$NOW' }],
  };
  const base = {
    $cond: ['$$isExtra', withoutReservation('$$value', '$$hold'), counters('$$value')],
  };
  const taken = { $mergeObjects: [base, { held: { $concatArrays: [others, [adopted]] } }] };
  const one = within([{ hold }, { isExtra: isStray('$$hold', '$$this.row_fence') }], {
    $cond: [{ $gt: ['$$hold.fence', '$$this.fence'] }, '$$value', taken],
  });
  const initialValue = { ...STORED, held: '$held' };
  const next = { $reduce: { input: { $literal: input }, initialValue, in: one } };
  return [
    { $set: { next } },
    { $set: { ...counters('$next'), held: '$next.held' } },
    { $unset: 'next' },
  ];
}
