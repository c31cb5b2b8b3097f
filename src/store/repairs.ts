/** When what runs every minute was last done, by whichever process did it. */
import type { Db } from 'mongodb';
import { upserting } from './databaseErrors.js';

interface RepairDoc {
  _id: 'reconcile';
  completed_at: Date;
}

export interface RepairStore {
  completed(at: Date): Promise<void>;
  /** Null: never. */
  lastCompleted(): Promise<Date | null>;
}

export function repairStore(db: Db): RepairStore {
  const repairs = db.collection<RepairDoc>('repairs');
  const _id = 'reconcile';
  return {
    async completed(at) {
      await upserting(() =>
        repairs.updateOne({ _id }, { $max: { completed_at: at } }, { upsert: true }),
      );
    },
    lastCompleted: async () => (await repairs.findOne({ _id }))?.completed_at ?? null,
  };
}
