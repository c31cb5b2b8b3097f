/** A caller reads events as they happen: for a while all of them are written. */
import type { AccountContext } from '../account/context.js';
import type { EventCollections } from '../events/store/collections.js';
import { retryUpsert } from '../platform/mongo/databaseErrors.js';

const LISTENING_MS = 3_600_000;

export interface Listening {
  /** Every event from then on is written. */
  since: Date;
  until: Date;
}

interface ListeningContext extends Pick<AccountContext, 'orgId' | 'clock'> {
  collections: Pick<EventCollections, 'eventWants'>;
}

/** For an hour from now, or until the later end of an earlier call. */
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
