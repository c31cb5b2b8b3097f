/** Keeps an organization's event subscriptions in step with its automations. */
import type { ClientSession } from 'mongodb';
import type { EventCollections } from '../events/store/collections.js';
import type { AccountCollections } from '../account/store/collections.js';
import { retryTransaction } from '../platform/mongo/transaction.js';

const BUSY = 'Too many automations are changed at the same time; nothing was stored. Call again.';

/**
 * Writes an automation, and with it the organization's current subscriptions: a reader of either sees the other.
 * Two calls at once write the same document, so that one comes after the other: what is read with the
 * session is still true when it is written.
 * @throws {AppError} `unavailable` when other calls were faster every time
 */
export const withSubscriptions = <T>(
  {
    automations,
    eventWants,
  }: Pick<EventCollections & AccountCollections, 'eventWants' | 'automations'>,
  orgId: string,
  write: (session: ClientSession) => Promise<T>,
): Promise<T> =>
  retryTransaction(
    automations,
    async (session) => {
      const written = await write(session);
      const active = await automations
        .find({ org_id: orgId, status: 'active' }, { session, projection: { trigger: 1 } })
        .toArray();
      const types = [...new Set(active.map(({ trigger }) => trigger))].sort();
      const update = { $set: { types }, $inc: { seq: 1 } };
      await eventWants.updateOne({ _id: orgId }, update, { upsert: true, session });
      return written;
    },
    BUSY,
  );
