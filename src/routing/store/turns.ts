/** The turns of each campaign: one document, changed by compare-and-set so that no turn counts twice. */
import type { Collection } from 'mongodb';
import { NO_TURNS, type Turns } from '../rules/turns.js';
import { isDuplicateKey } from '../../platform/mongo/databaseErrors.js';

/** Whose turn it is among a campaign's equally good buyers. */
export interface TurnsDoc extends Turns {
  /** The campaign's id. */
  _id: string;
}

/** The turns after a step, and the step's result for its caller. */
export interface TurnStep<T> {
  turns: Turns;
  result: T;
}

const ROUNDS = 100;

export type TurnStore = ReturnType<typeof createTurnStore>;

export function createTurnStore(turns: Collection<TurnsDoc>) {
  return {
    /**
     * Applies a pure step, again on the newer turns whenever another process was faster. Of two concurrent reads and
     * writes only one succeeds, so each round ends for one of those that contend.
     * @throws {Error} when that has happened 100 times in a row
     */
    async take<T>(campaignId: string, step: (turns: Turns) => TurnStep<T>): Promise<T> {
      for (let round = 0; round < ROUNDS; round++) {
        const { seq, last } = (await turns.findOne({ _id: campaignId })) ?? NO_TURNS;
        const next = step({ seq, last });
        if (next.turns.seq === seq) return next.result;
        if (await replace(turns, campaignId, seq, next.turns)) return next.result;
      }
      throw new Error(
        `The turns of campaign ${campaignId} are repeatedly taken by other processes`,
      );
    },
    /** The present turns; campaigns without any are left out. */
    async read(campaignIds: readonly string[]): Promise<Map<string, Turns>> {
      if (campaignIds.length === 0) return new Map();
      const found = await turns.find({ _id: { $in: [...campaignIds] } }).toArray();
      return new Map(found.map(({ _id, seq, last }) => [_id, { seq, last }]));
    },
  };
}

/** False when another caller has taken a turn since `seq`. */
async function replace(
  turns: Collection<TurnsDoc>,
  campaignId: string,
  seq: number,
  next: Turns,
): Promise<boolean> {
  try {
    const replaced = await turns.replaceOne(
      { _id: campaignId, seq },
      { ...next },
      { upsert: seq === 0 },
    );
    return replaced.matchedCount > 0 || replaced.upsertedCount > 0;
  } catch (error) {
    // Two first turns at once: the other one's document exists now.
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
