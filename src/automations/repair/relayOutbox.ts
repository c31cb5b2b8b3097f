/** Outbox events whose writer died before it relayed them. */
import { relayLeads, type PublishDeps } from '../publishEvents.js';

/** A writer relays its events at once: events older than this have lost their writer. */
const LEFT_MS = 10_000;
const BATCH_SIZE = 500;
const LEADS_PER_RUN = 5_000;

/** Relays them. Returns their number. */
export async function relayOutbox(deps: PublishDeps): Promise<number> {
  const before = new Date(Number(deps.clock.now()) - LEFT_MS);
  let told = 0;
  for (let leads = 0; leads < LEADS_PER_RUN; leads += BATCH_SIZE) {
    const left = await deps.collections.leads
      .find({ 'untold.at': { $lt: before } }, { projection: { _id: 1 } })
      .limit(BATCH_SIZE)
      .toArray();
    if (left.length > 0)
      told += await relayLeads(
        left.map(({ _id }) => _id),
        deps,
      );
    if (left.length < BATCH_SIZE) break;
  }
  return told;
}
