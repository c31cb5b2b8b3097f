/**
 * Whether entries are left that an earlier release stored as MD5.
 * @until 0.3
 */
import type { Collection } from 'mongodb';
import { retryUpsert } from '../../platform/mongo/databaseErrors.js';
import type { SuppressionStateDoc } from './suppressionDocs.js';

type State = Collection<SuppressionStateDoc>;

const _id = 'hashing';

/** Milliseconds after which a process refreshes it. */
const ASK_AGAIN_MS = 60_000;

export function createMd5Watch(state: State) {
  let isDone = false;
  let askAt = 0;
  /** Reads it, unless this process knows that none is left: then no more are added. */
  const isLeft = async (): Promise<boolean> => {
    if (!isDone) isDone = (await state.findOne({ _id }))?.done_at !== undefined;
    return !isDone;
  };
  return {
    isLeft,
    /** As far as this process knows: it refreshes in the background, so that no lead waits for it. */
    mayBeLeft(): boolean {
      const now = performance.now();
      if (!isDone && now >= askAt) {
        askAt = now + ASK_AGAIN_MS;
        // A process that cannot read it continues to look up both forms.
        isLeft().catch(() => undefined);
      }
      return !isDone;
    },
  };
}

export type HashingState = ReturnType<typeof createHashingState>;

/** For the repair alone. */
export const createHashingState = (state: State) => ({
  /** Returns the progress; writes its first record now if there is none. */
  async begin(now: Date, keyId: string): Promise<SuppressionStateDoc> {
    const insert = { $setOnInsert: { seen_at: now, key_id: keyId } };
    const options = { upsert: true, returnDocument: 'after' } as const;
    const found = await retryUpsert(() => state.findOneAndUpdate({ _id }, insert, options));
    if (!found) throw new Error('MongoDB returned no document for an update with upsert');
    return found;
  },
  /** Records a run of this release. */
  ran: (now: Date) => state.updateOne({ _id }, { $max: { ran_at: now } }),
  /** Starts again: the previous release has run meanwhile, and may have stored such entries in any list. */
  restart: (now: Date) =>
    state.updateOne(
      { _id },
      { $set: { seen_at: now, ran_at: now }, $unset: { after: '', done_at: '' } },
    ),
  /** From now on entries are hashed with this secret; none exists under another. */
  adopt: (keyId: string) => state.updateOne({ _id }, { $set: { key_id: keyId } }),
  /** No list up to this one has such entries any longer. */
  passed: (listId: string) => state.updateOne({ _id }, { $max: { after: listId } }),
  done: (now: Date) => state.updateOne({ _id }, { $min: { done_at: now } }),
});
