/** An organization's event subscriptions: those of its automations, and of a caller that listens for a while. */
import type { ClientSession } from 'mongodb';
import type { AccountContext } from '../account/context.js';
import type { AccountCollections } from '../account/store/collections.js';
import type { EventCollections } from '../events/store/collections.js';
import { retryUpsert } from '../platform/mongo/databaseErrors.js';
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

const LISTENING_MS = 3_600_000;

export interface Listening {
  /** Every event from then on is written. */
  since: Date;
  until: Date;
}

interface ListeningContext extends Pick<AccountContext, 'orgId' | 'clock'> {
  collections: Pick<EventCollections, 'eventWants'>;
}

/** A caller reads events as they happen: all are written for an hour from now, or until the later end of an earlier call. */
export async function listenToEvents({
  collections,
  orgId,
  clock,
}: ListeningContext): Promise<Listening> {
  const now = clock.now();
  const until = new Date(Number(now) + LISTENING_MS);
  const update = { $max: { listening_until: until }, $setOnInsert: { types: [] } };
  const options = { upsert: true, returnDocument: 'after' } as const;
  const wants = await retryUpsert(() =>
    collections.eventWants.findOneAndUpdate({ _id: orgId }, update, options),
  );
  return { since: now, until: wants?.listening_until ?? until };
}
