/** Buyers to which leads that are due are not sent, or whose breaker stays open. */
import { findOpenBreakers } from '../deliveries/store/attention.js';
import { findOverdue, type StuckQueue } from '../deliveries/store/stuckQueues.js';
import { findByIds } from '../platform/mongo/findByIds.js';
import type { QueueAlert } from '../events/rules/alertData.js';
import type { AlertDeps } from './deps.js';
import type { AlertDoc } from './store/alertDocs.js';
import { createAlertStore } from './store/alerts.js';

const MINUTE_MS = 60_000;
/** A breaker that has been open for this long does not close by itself soon. */
const BREAKER_MS = 30 * MINUTE_MS;
/** A lead that has been due for this long: its buyer is too slow for its queue, or no process drains it. */
const OVERDUE_MS = 60 * MINUTE_MS;
/** A queue that is stuck again is told once in this time. */
const QUIET_MS = 60 * MINUTE_MS;
const KEPT_MS = 90 * 24 * 60 * MINUTE_MS;
const BUYERS_MAX = 1_000;

type Stuck = StuckQueue & Pick<QueueAlert, 'reason'>;

export async function watchQueues(deps: AlertDeps): Promise<void> {
  const now = deps.clock.now();
  const store = createAlertStore(deps.collections.alerts);
  const [stuck, open] = await Promise.all([
    findStuck(now, deps),
    store.findOpen('queue', BUYERS_MAX),
  ]);
  const openIds = new Set(open.map(({ _id }) => _id));
  const isStuck = new Set(stuck.map(({ buyer_id }) => idOf(buyer_id)));
  const raised = stuck.filter(({ buyer_id }) => !openIds.has(idOf(buyer_id))).slice(0, BUYERS_MAX);
  const unseen = open.filter(({ _id }) => !isStuck.has(_id));
  const over = await leaveOutBroken(unseen, now, deps);
  const buyerIds = [...raised.map(({ buyer_id }) => buyer_id), ...over.map(buyerOf)];
  const names = await findByIds(deps.collections.buyers, buyerIds, { projection: { name: 1 } });
  const dataOf = (buyer_id: string, reason: QueueAlert['reason'], since: Date): QueueAlert => ({
    buyer_id,
    buyer_name: names.get(buyer_id)?.name ?? buyer_id,
    reason,
    since: since.toISOString(),
  });
  for (const { buyer_id, org_id, reason, since } of raised) {
    const event = { type: 'queue.stuck' as const, data: dataOf(buyer_id, reason, since) };
    const kept_until = new Date(Number(now) + KEPT_MS);
    const alert = { id: idOf(buyer_id), org_id, kind: 'queue' as const, event, kept_until };
    await store.raise(alert, now, new Date(Number(now) - QUIET_MS));
  }
  for (const alert of over) {
    const data = dataOf(buyerOf(alert), 'cleared', alert.since);
    await store.end(alert._id, { type: 'queue.cleared', data }, now);
  }
}

const PREFIX = 'queue:';
const idOf = (buyerId: string): string => `${PREFIX}${buyerId}`;
const buyerOf = ({ _id }: { _id: string }): string => _id.slice(PREFIX.length);

/** Those whose breaker is not open for long: the list of breakers may have been cut before theirs. */
async function leaveOutBroken(
  alerts: readonly AlertDoc[],
  now: Date,
  { collections }: AlertDeps,
): Promise<AlertDoc[]> {
  const options = { projection: { paused_at: 1 } };
  const known = await findByIds(collections.destinations, alerts.map(buyerOf), options);
  return alerts.filter((alert) => !isBroken(known.get(buyerOf(alert))?.paused_at, now));
}

const isBroken = (pausedAt: Date | null | undefined, now: Date): boolean =>
  pausedAt != null && Number(pausedAt) < Number(now) - BREAKER_MS;

/** A queue that an operator holds is not stuck: somebody knows of it. */
async function findStuck(now: Date, { collections }: AlertDeps): Promise<Stuck[]> {
  const before = (ms: number): Date => new Date(Number(now) - ms);
  const [breakers, overdue] = await Promise.all([
    findOpenBreakers(collections.destinations, null, BUYERS_MAX),
    findOverdue(collections.deliveries, before(OVERDUE_MS)),
  ]);
  const ids = overdue.map(({ buyer_id }) => buyer_id);
  const known = await findByIds(collections.destinations, ids, { projection: { held: 1 } });
  const moving = overdue.filter(({ buyer_id }) => known.get(buyer_id)?.held !== true);
  const all: Stuck[] = [
    ...moving.map((one) => ({ ...one, reason: 'overdue' as const })),
    ...breakers
      .filter(({ paused_at }) => isBroken(paused_at, now))
      .map(({ _id: buyer_id, org_id, paused_at: since }) => ({
        buyer_id,
        org_id,
        since,
        reason: 'breaker' as const,
      })),
  ];
  return [...new Map(all.map((one) => [one.buyer_id, one])).values()];
}
