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

const FIRST = { stage: 0, after: '', mended: 0 };

function found(progress: RepairProgress | null): RepairProgress {
  if (progress) return progress;
  throw new Error('The progress of a repair was deleted');
}

export type RepairStore = ReturnType<typeof createRepairStore>;

export function createRepairStore(db: Db) {
  const repairs = db.collection<RepairDoc>('repairs');
  const progress = db.collection<RepairProgress & { _id: string }>('repairs');
  const completed = async (_id: string, at: Date): Promise<void> => {
    await retryUpsert(() =>
      repairs.updateOne({ _id }, { $max: { completed_at: at } }, { upsert: true }),
    );
  };
  return {
    completed: (at: Date): Promise<void> => completed('reconcile', at),
    /** Null: never. */
    lastCompleted: async (): Promise<Date | null> =>
      (await repairs.findOne({ _id: 'reconcile' }))?.completed_at ?? null,
    /** Whether a repair that is done once in the life of an installation is done. */
    isDone: async (name: string): Promise<boolean> =>
      (await repairs.findOne({ _id: `once:${name}` })) !== null,
    done: (name: string, at: Date): Promise<void> => completed(`once:${name}`, at),
    /** The progress of a repair of many runs; starts it if it has not begun. */
    async progress(name: string, now: Date): Promise<RepairProgress> {
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
    /** Stores its progress, and adds the items repaired on the way. */
    async reached(
      name: string,
      { stage, after }: Pick<RepairProgress, 'stage' | 'after'>,
      mended: number,
    ): Promise<RepairProgress> {
      const change = { $set: { stage, after }, $inc: { mended } };
      const options = { returnDocument: 'after' } as const;
      return found(await progress.findOneAndUpdate({ _id: `progress:${name}` }, change, options));
    },
    /** Starts the repair again from the first stage. */
    async again(name: string): Promise<void> {
      await progress.updateOne({ _id: `progress:${name}` }, { $set: FIRST });
    },
  };
}
