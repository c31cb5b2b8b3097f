/** When what runs every minute was last done, by whichever process did it. */
import type { Db } from 'mongodb';
import { upserting } from './databaseErrors.js';

interface RepairDoc {
  /** `reconcile`, or a repair that is done once. */
  _id: string;
  completed_at: Date;
}

export interface RepairStore {
  completed(at: Date): Promise<void>;
  /** Null: never. */
  lastCompleted(): Promise<Date | null>;
  /** Whether a repair that is done once in the life of an installation has been. */
  isDone(name: string): Promise<boolean>;
  done(name: string, at: Date): Promise<void>;
}

export function repairStore(db: Db): RepairStore {
  const repairs = db.collection<RepairDoc>('repairs');
  const completed = async (_id: string, at: Date): Promise<void> => {
    await upserting(() =>
      repairs.updateOne({ _id }, { $max: { completed_at: at } }, { upsert: true }),
    );
  };
  return {
    completed: (at) => completed('reconcile', at),
    lastCompleted: async () => (await repairs.findOne({ _id: 'reconcile' }))?.completed_at ?? null,
    isDone: async (name) => (await repairs.findOne({ _id: `once:${name}` })) !== null,
    done: (name, at) => completed(`once:${name}`, at),
  };
}
