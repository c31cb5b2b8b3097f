/**
 * Repair: what is owed by the record in MongoDB but has nobody at work on it. In a healthy service it
 * finds nothing; it mends a lost Temporal store and producers that died before they could wake anybody.
 */
import type { LeadStarter } from '../src/temporal/starters.js';
import type { Collections } from '../src/store/collections.js';
import type { SellingDeps } from './selling/deps.js';

export interface ReconcileDeps extends Pick<
  SellingDeps,
  'clock' | 'log' | 'wake' | 'destinations'
> {
  collections: Collections;
  starter: LeadStarter;
  metrics: { reconciled: { inc(labels: { kind: string }, by: number): void } };
}

export interface ReconcileReport {
  leads: number;
  destinations: number;
}

/** A lead that nobody has touched for so long has been forgotten, in milliseconds. */
const FORGOTTEN_MS = 15_000;
/** A drain that is due for so long and has not begun has been lost, in milliseconds. */
const OVERDUE_MS = 60_000;
const LEADS_PER_RUN = 5_000;
const DESTINATIONS_PER_RUN = 1_000;

export function reconcileActivities(deps: ReconcileDeps) {
  return {
    reconcile: async (): Promise<ReconcileReport> => {
      const report = {
        leads: await restartLeads(deps),
        destinations: await wakeDestinations(deps),
      };
      deps.metrics.reconciled.inc({ kind: 'lead' }, report.leads);
      deps.metrics.reconciled.inc({ kind: 'destination' }, report.destinations);
      if (report.leads + report.destinations > 0) deps.log.warn(report, 'reconcile mended');
      return report;
    },
  };
}

/** Leads never taken, and leads whose run let its lease end: a new intake takes them up. */
async function restartLeads({ collections, starter, clock }: ReconcileDeps): Promise<number> {
  const before = new Date(Number(clock.now()) - FORGOTTEN_MS);
  const forgotten = await collections.leads
    .find(
      {
        status: { $in: ['NEW', 'PENDING'] },
        created_at: { $lt: before },
        $or: [
          { status: 'NEW', run: null, lease_until: null },
          { run: { $ne: null }, lease_until: { $lt: before } },
        ],
      },
      { projection: { org_id: 1, campaign_id: 1 } },
    )
    .limit(LEADS_PER_RUN)
    .toArray();
  await starter.restart(forgotten);
  return forgotten.length;
}

/** Buyers with rows that should have been sent, or ended, a while ago. */
async function wakeDestinations(deps: ReconcileDeps): Promise<number> {
  const now = Number(deps.clock.now());
  const overdue = await overdueBuyers(deps, new Date(now - OVERDUE_MS));
  const known = await deps.destinations.get([...overdue.keys()]);
  const stuck = [...overdue].filter(([buyerId]) => {
    const doc = known.get(buyerId);
    const rests = Math.max(Number(doc?.open_until ?? 0), Number(doc?.retry_at ?? 0));
    return rests < now - OVERDUE_MS && Number(doc?.last_drain_at ?? 0) < now - OVERDUE_MS;
  });
  for (const [buyerId, orgId] of stuck.slice(0, DESTINATIONS_PER_RUN)) {
    // Whoever set `awake` is gone: without this nobody would win the right to wake it.
    await deps.destinations.sleep(buyerId);
    deps.wake([buyerId], orgId);
  }
  return Math.min(stuck.length, DESTINATIONS_PER_RUN);
}

/** The organisation of each such buyer. Reads one row a buyer, however long the queues are. */
async function overdueBuyers(
  { collections }: Pick<ReconcileDeps, 'collections'>,
  before: Date,
): Promise<Map<string, string>> {
  const firstOfEach = (state: 'parked' | 'unknown', moment: 'due_at' | 'expires_at') =>
    collections.deliveries
      .aggregate<{ _id: string; org_id: string; at: Date }>([
        { $match: { state } },
        { $sort: { buyer_id: 1, [moment]: 1 } },
        {
          $group: { _id: '$buyer_id', org_id: { $first: '$org_id' }, at: { $first: `$${moment}` } },
        },
      ])
      .toArray();
  const first = await Promise.all([
    firstOfEach('parked', 'due_at'),
    firstOfEach('parked', 'expires_at'),
    firstOfEach('unknown', 'expires_at'),
  ]);
  return new Map(
    first
      .flat()
      .filter(({ at }) => at < before)
      .map(({ _id, org_id }) => [_id, org_id]),
  );
}
