/** Keeps what an organisation's events are wanted for in step with its automations. */
import type { ClientSession } from 'mongodb';
import { AppError } from '../errors.js';
import type { Collections } from '../store/collections.js';
import { inTransaction } from '../store/transaction.js';

const TRIES = 5;

/**
 * Writes an automation, and with it what the organisation's automations wait for now: whoever reads the one has the
 * other. Two that write at once write the same document, and the second begins anew.
 * @throws {AppError} `version_conflict` when others were faster again and again
 */
export async function withWants<T>(
  { automations, eventWants }: Pick<Collections, 'automations' | 'eventWants'>,
  orgId: string,
  write: (session: ClientSession) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(automations, async (session) => {
        const written = await write(session);
        const active = await automations
          .find({ org_id: orgId, status: 'active' }, { session, projection: { trigger: 1 } })
          .toArray();
        const types = [...new Set(active.map(({ trigger }) => trigger))].sort();
        const update = { $set: { types }, $inc: { seq: 1 } };
        await eventWants.updateOne({ _id: orgId }, update, { upsert: true, session });
        return written;
      });
    } catch (error) {
      const isConflict = error instanceof AppError && error.code === 'version_conflict';
      if (!isConflict || tries === TRIES) throw error;
    }
  }
}
