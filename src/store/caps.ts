/**
 * Caps, counted in one document per link. A reservation counts at once and is held until its lead is
 * decided: committing forgets the hold and leaves the count, releasing takes the count back.
 * `src/domain/caps.ts` has the same rules as a pure model; the tests hold the two together.
 */
import type { Collection, Document } from 'mongodb';
import { CAP_WINDOWS, type WindowKeys } from '../domain/caps.js';
import type { CapLimits, Micros } from '../domain/plan.js';
import type { CapDoc } from './collections.js';

export interface CapCandidate {
  hold_id: string;
  amount: Micros;
  /** Windows the lead is counted in already (it was parked): only other windows count it anew. */
  counted?: WindowKeys | null;
}

export interface ReserveRequest {
  /** Which link: `buyerCap`, `supplierCap` or `campaignCap`. */
  id: string;
  limits: CapLimits;
  keys: WindowKeys;
  /** Granted in this order. */
  candidates: readonly CapCandidate[];
}

export interface CapStore {
  /**
   * Grants slots in order and returns the holds, each with the windows it is counted in
   * (the open ones: later than asked for, when another process is already past midnight). A repeat gives
   * the same grant.
   */
  reserve(request: ReserveRequest): Promise<Map<string, WindowKeys>>;
  /** Forgets the holds; the count stays. */
  commit(id: string, holdIds: readonly string[]): Promise<void>;
  /** Forgets the holds and takes their counts back. Leads without a hold change nothing. */
  release(id: string, holdIds: readonly string[]): Promise<void>;
  /** Takes back what a parked lead was counted for. The caller makes sure it happens once. */
  uncount(id: string, keys: WindowKeys, amount: Micros): Promise<void>;
}

export const buyerCap = (campaignId: string, buyerId: string): string =>
  `buyer:${campaignId}:${buyerId}`;
export const supplierCap = (campaignId: string, supplierId: string): string =>
  `supplier:${campaignId}:${supplierId}`;
export const campaignCap = (campaignId: string): string => `campaign:${campaignId}`;

export function capStore(caps: Collection<CapDoc>): CapStore {
  return {
    async reserve(request) {
      const update = () =>
        caps.findOneAndUpdate({ _id: request.id }, reservePipeline(request), {
          upsert: true,
          returnDocument: 'after',
          projection: { 'held.hold_id': 1, 'held.keys': 1 },
        });
      // Two first reservations may both try to insert the document; the second finds it on a repeat.
      const doc = await update().catch((error: unknown) => {
        if (isDuplicateKey(error)) return update();
        throw error;
      });
      const asked = new Set(request.candidates.map((candidate) => candidate.hold_id));
      const held = (doc?.held ?? []).filter((hold) => asked.has(hold.hold_id));
      return new Map(held.map((hold) => [hold.hold_id, hold.keys]));
    },
    async commit(id, holdIds) {
      await caps.updateOne({ _id: id }, { $pull: { held: { hold_id: { $in: [...holdIds] } } } });
    },
    async release(id, holdIds) {
      await caps.updateOne({ _id: id }, releasePipeline(holdIds));
    },
    async uncount(id, keys, amount) {
      await caps.updateOne({ _id: id }, [{ $set: uncounted(keys, amount) }]);
    },
  };
}

const isDuplicateKey = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 11000;

type Window = (typeof CAP_WINDOWS)[number]['window'];
const WINDOWS = CAP_WINDOWS.map((row) => row.window);
const keyOf = (keys: WindowKeys, window: Window): string =>
  window === 'total' ? 'all' : keys[window];

/** Rolls the windows, then walks the candidates in order with the counters as they become. */
function reservePipeline({ limits, keys, candidates }: ReserveRequest): Document[] {
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
  const input = candidates.map((candidate) => ({
    hold_id: candidate.hold_id,
    amount: candidate.amount,
    counted: candidate.counted ? { ...candidate.counted, total: 'all' } : null,
  }));
  const hold = {
    hold_id: '$$this.hold_id',
    amount: '$$this.amount',
    keys: { day: '$$value.day.key', week: '$$value.week.key', month: '$$value.month.key' },
  };
  return [
    { $set: { ...rolled, held: { $ifNull: ['$held', []] } } },
    {
      $set: {
        walked: {
          $reduce: {
            input: { $literal: input },
            initialValue: { ...counters('$$ROOT'), held: '$held' },
            in: {
              $cond: [
                {
                  $or: [
                    { $in: ['$$this.hold_id', '$$value.held.hold_id'] },
                    { $not: [room(limits)] },
                  ],
                },
                '$$value',
                { ...granted(), held: { $concatArrays: ['$$value.held', [hold]] } },
              ],
            },
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

/** 0 where the lead is counted in the open window already, else 1. */
const adds = (window: Window): Document => ({
  $cond: [{ $eq: [`$$this.counted.${window}`, `$$value.${window}.key`] }, 0, 1],
});

/** True when every limited window has room for `$$this`; what adds nothing fits, however full it is. */
function room(limits: CapLimits): Document {
  const conditions = CAP_WINDOWS.flatMap(({ window, cap, budget }) => [
    ...(limits[cap] == null
      ? []
      : [fits(window, { $add: [`$$value.${window}.count`, 1] }, limits[cap])]),
    ...(limits[budget] == null
      ? []
      : [fits(window, { $add: [`$$value.${window}.amount`, '$$this.amount'] }, limits[budget])]),
  ]);
  return { $and: conditions };
}

const fits = (window: Window, after: Document, limit: number): Document => ({
  $or: [{ $eq: [adds(window), 0] }, { $lte: [after, limit] }],
});

const granted = (): Document =>
  Object.fromEntries(
    WINDOWS.map((window) => [
      window,
      {
        key: `$$value.${window}.key`,
        count: { $add: [`$$value.${window}.count`, adds(window)] },
        amount: {
          $add: [`$$value.${window}.amount`, { $multiply: [adds(window), '$$this.amount'] }],
        },
      },
    ]),
  );

/** Takes back each removed hold in the windows it was counted in, where those are still open. */
function releasePipeline(holdIds: readonly string[]): Document[] {
  const ids = { $literal: [...holdIds] };
  const released = (window: Window): Document => ({
    $filter: {
      input: '$held',
      as: 'hold',
      cond: {
        $and: [
          { $in: ['$$hold.hold_id', ids] },
          window === 'total' ? true : { $eq: [`$$hold.keys.${window}`, `$${window}.key`] },
        ],
      },
    },
  });
  const lowered = Object.fromEntries(
    WINDOWS.map((window) => [
      window,
      {
        key: `$${window}.key`,
        count: { $subtract: [`$${window}.count`, { $size: released(window) }] },
        amount: {
          $subtract: [
            `$${window}.amount`,
            { $sum: { $map: { input: released(window), as: 'hold', in: '$$hold.amount' } } },
          ],
        },
      },
    ]),
  );
  const kept = {
    $filter: { input: '$held', as: 'hold', cond: { $not: [{ $in: ['$$hold.hold_id', ids] }] } },
  };
  return [{ $set: { ...lowered, held: kept } }];
}

function uncounted(keys: WindowKeys, amount: Micros): Document {
  return Object.fromEntries(
    WINDOWS.map((window) => {
      const same = { $eq: [`$${window}.key`, keyOf(keys, window)] };
      const lower = (by: number) => ({ $cond: [same, by, 0] });
      return [
        window,
        {
          key: `$${window}.key`,
          count: { $subtract: [`$${window}.count`, lower(1)] },
          amount: { $subtract: [`$${window}.amount`, lower(amount)] },
        },
      ];
    }),
  );
}
