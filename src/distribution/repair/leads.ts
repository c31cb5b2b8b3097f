/** Leads without a run: a new intake resumes them. */
import { OPEN_STATUSES } from '../../leads/rules/leadStatus.js';
import type { LeadStarter } from '../starters.js';
import type { SellingDeps } from '../deps.js';
import type { LeadCollections } from '../../leads/store/collections.js';
import type { DeliveryCollections } from '../../deliveries/store/collections.js';

export interface RestartDeps extends Pick<SellingDeps, 'clock'> {
  collections: Pick<LeadCollections & DeliveryCollections, 'leads' | 'deliveries'>;
  starter: Pick<LeadStarter, 'restart'>;
}

/** A lead that no run has touched for this long, in milliseconds, is forgotten. */
const FORGOTTEN_MS = 15_000;
const LEADS_PER_RUN = 5_000;
const LATE_SALES_PER_RUN = 1_000;
/** Stands in for the id of a run that has ended. */
const NO_RUN = 'nobody';
const LONG_AGO = new Date(0);

/**
 * Leads that no run has acquired, and leads whose run let its lease end. A new intake resumes the latter, and the
 * former until their `take_by`; after it they are withdrawn.
 */
export async function restartLeads({ collections, starter, clock }: RestartDeps): Promise<number> {
  const before = new Date(Number(clock.now()) - FORGOTTEN_MS);
  const forgotten = await collections.leads
    .find(
      {
        status: { $in: [...OPEN_STATUSES] },
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

/**
 * Sales that a buyer confirmed after its request counted as unanswered, and whose run died before it could
 * record them on the lead: no other run checks a lead that only waits.
 */
export async function recordLateSales({ collections, clock }: RestartDeps): Promise<number> {
  const before = new Date(Number(clock.now()) - FORGOTTEN_MS);
  const rows = await collections.deliveries
    .find({ unbooked: true, settled_at: { $lt: before } }, { projection: { lead_id: 1 } })
    .limit(LATE_SALES_PER_RUN)
    .toArray();
  if (rows.length === 0) return 0;
  const leadIds = rows.map((row) => row.lead_id);
  const waiting = await resumeWaiting(leadIds, collections);
  const open = await collections.leads
    .find(
      { _id: { $in: leadIds }, status: { $in: [...OPEN_STATUSES] } },
      { projection: { _id: 1 } },
    )
    .toArray();
  const openIds = new Set(open.map((lead) => lead._id));
  const booked = rows.filter((row) => !openIds.has(row.lead_id)).map((row) => row._id);
  await collections.deliveries.updateMany({ _id: { $in: booked } }, { $unset: { unbooked: true } });
  return waiting;
}

/** Makes leads that only wait look like leads whose run has died. Returns their number. */
export async function resumeWaiting(
  leadIds: readonly string[],
  { leads }: Pick<LeadCollections, 'leads'>,
): Promise<number> {
  const { modifiedCount } = await leads.updateMany(
    { _id: { $in: [...leadIds] }, status: { $in: ['PENDING', 'SELLING'] }, run: null },
    { $set: { run: NO_RUN, lease_until: LONG_AGO } },
  );
  return modifiedCount;
}
