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
  collections: Pick<Collections, 'leads' | 'deliveries'>;
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
          { status: 'NEW', run: null },
          { run: { $ne: null }, lease_until: { $lt: before } },
        ],
      },
      { projection: { org_id: 1, campaign_id: 1 } },
    )
    .sort({ created_at: 1 })
    .limit(LEADS_PER_RUN)
    .toArray();
  await starter.restart(forgotten);
  return forgotten.length;
}

/** Buyers with rows that should have been sent, or ended, a while ago. */
async function wakeDestinations(deps: ReconcileDeps): Promise<number> {
  const now = Number(deps.clock.now());
  const before = new Date(now - OVERDUE_MS);
  const overdue = await deps.collections.deliveries
    .aggregate<{ _id: { buyer_id: string; org_id: string } }>([
      {
        $match: {
          state: { $in: ['parked', 'unknown'] },
          $or: [{ state: 'parked', due_at: { $lt: before } }, { expires_at: { $lt: before } }],
        },
      },
      { $group: { _id: { buyer_id: '$buyer_id', org_id: '$org_id' } } },
      { $limit: DESTINATIONS_PER_RUN },
    ])
    .toArray();
  const known = await deps.destinations.get(overdue.map(({ _id }) => _id.buyer_id));
  const stuck = overdue.filter(({ _id }) => {
    const doc = known.get(_id.buyer_id);
    const rests = Math.max(Number(doc?.open_until ?? 0), Number(doc?.retry_at ?? 0));
    return rests < now - OVERDUE_MS && Number(doc?.last_drain_at ?? 0) < now - OVERDUE_MS;
  });
  for (const { _id } of stuck) {
    // Whoever set `awake` is gone: without this nobody would win the right to wake it.
    await deps.destinations.sleep(_id.buyer_id);
    await deps.wake([_id.buyer_id], _id.org_id);
  }
  return stuck.length;
}
