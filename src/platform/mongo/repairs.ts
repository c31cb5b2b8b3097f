/** When the work of every minute was last completed, by any process. */
import type { Db } from 'mongodb';
import { retryUpsert } from './databaseErrors.js';

interface RepairDoc {
  /** `reconcile`, or a repair that is done once. */
  _id: string;
  completed_at: Date;
}

/** The progress of a repair that takes many runs. */
export interface RepairProgress {
  begun_at: Date;
  /** The current stage, from 0, and the id up to which it is done. */
  stage: number;
  after: string;
  /** How many items it has repaired since it last began at the first stage. */
  mended: number;
}

export interface RepairStore {
  completed(at: Date): Promise<void>;
  /** Null: never. */
  lastCompleted(): Promise<Date | null>;
  /** Whether a repair that is done once in the life of an installation is done. */
  isDone(name: string): Promise<boolean>;
  done(name: string, at: Date): Promise<void>;
  /** The progress of a repair of many runs; starts it if it has not begun. */
  progress(name: string, now: Date): Promise<RepairProgress>;
  /** Stores its progress, and adds the items repaired on the way. */
  reached(
    name: string,
    place: Pick<RepairProgress, 'stage' | 'after'>,
    mended: number,
  ): Promise<RepairProgress>;
  /** Starts the repair again from the first stage. */
  again(name: string): Promise<void>;
}

const FIRST = { stage: 0, after: '', mended: 0 };

function found(progress: RepairProgress | null): RepairProgress {
  if (progress) return progress;
  throw new Error('The progress of a repair was deleted');
}

export function createRepairStore(db: Db): RepairStore {
  const repairs = db.collection<RepairDoc>('repairs');
  const progress = db.collection<RepairProgress & { _id: string }>('repairs');
  const completed = async (_id: string, at: Date): Promise<void> => {
    await retryUpsert(() =>
      repairs.updateOne({ _id }, { $max: { completed_at: at } }, { upsert: true }),
    );
  };
  return {
    completed: (at) => completed('reconcile', at),
    lastCompleted: async () => (await repairs.findOne({ _id: 'reconcile' }))?.completed_at ?? null,
    isDone: async (name) => (await repairs.findOne({ _id: `once:${name}` })) !== null,
    done: (name, at) => completed(`once:${name}`, at),
    async progress(name, now) {
      const begin = { $setOnInsert: { begun_at: now, ...FIRST } };
      return found(
        await retryUpsert(() =>
          progress.findOneAndUpdate({ _id: `progress:${name}` }, begin, {
            upsert: true,
            returnDocument: 'after',
          }),
        ),
      );
    },
    async reached(name, { stage, after }, mended) {
      const change = { $set: { stage, after }, $inc: { mended } };
      const options = { returnDocument: 'after' } as const;
      return found(await progress.findOneAndUpdate({ _id: `progress:${name}` }, change, options));
    },
    async again(name) {
      await progress.updateOne({ _id: `progress:${name}` }, { $set: FIRST });
    },
  };
}
