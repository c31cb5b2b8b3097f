/** The end of conversion windows: sales without a reported outcome get the outcome `expired`. */
import { windowEnd, firstWindowEnd, isUnreported } from './rules/applyChange.js';
import type { Clock } from '../lib/clock.js';
import type { ChangeDoc } from './store/outcomeDocs.js';
import type { SoldLead } from '../leads/store/soldLeads.js';
import { applyChanges, nameOf, type ApplyChangesDeps } from './applyChanges.js';

export interface WindowDeps extends ApplyChangesDeps {
  clock: Pick<Clock, 'now'>;
}

/** Leads of one batch. */
const AT_ONCE = 200;

export interface ExpiredWindows {
  /** The leads whose windows were checked. */
  leads: Pick<SoldLead, '_id' | 'org_id' | 'campaign_id'>[];
  isOver: boolean;
}

/**
 * Batch by batch, the longest over first. A change for each sale is stored and then applied, like a change of a caller:
 * the next call, or `reconcile`, continues what was interrupted in between.
 * @param inTime whether another batch may be begun
 */
export async function expireWindows(
  until: Date,
  deps: WindowDeps,
  inTime: () => boolean,
): Promise<ExpiredWindows> {
  const leads = new Map<string, SoldLead>();
  while (inTime()) {
    const due = await deps.soldLeads.due(until, AT_ONCE);
    // Found again: its changes could not be applied just now. `reconcile` tries again.
    const fresh = due.filter(({ _id }) => !leads.has(_id));
    if (fresh.length === 0) return { leads: [...leads.values()], isOver: true };
    await expire(fresh, until, deps);
    for (const lead of fresh) leads.set(lead._id, lead);
  }
  return { leads: [...leads.values()], isOver: false };
}

async function expire(leads: readonly SoldLead[], until: Date, deps: WindowDeps): Promise<void> {
  const now = deps.clock.now();
  const changes = leads.flatMap((lead) =>
    lead.sales
      .filter((sale) => isUnreported(sale) && (windowEnd(sale, lead) ?? until) <= until)
      .map((sale) => windowChange(lead, sale, now)),
  );
  await deps.outcomes.insert(changes);
  await applyChanges(changes.map(nameOf), deps);
  // Those without a sale to expire: an earlier release may have left them the end of another sale's window.
  const changed = new Set(changes.map(({ lead_id }) => lead_id));
  const settled = leads.filter(({ _id }) => !changed.has(_id));
  await deps.soldLeads.settle(
    settled.map((lead) => ({ lead, outcome_due: firstWindowEnd(lead.sales, lead) })),
  );
}

function windowChange(
  { _id: lead_id, org_id, campaign_id }: SoldLead,
  { buyer_id, attempt }: SoldLead['sales'][number],
  received_at: Date,
): ChangeDoc {
  return {
    _id: `window:${lead_id}:${attempt}`,
    org_id,
    campaign_id,
    lead_id,
    buyer_id,
    by: { kind: 'system' },
    ask: { kind: 'window' },
    body_hash: '',
    received_at,
    state: 'open',
  };
}
