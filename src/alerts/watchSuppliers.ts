/** Suppliers that send nothing at a time at which they usually do. */
import type { Plan, SupplierTerms } from '../account/rules/plan.js';
import type { SupplierAlert } from '../events/rules/alertData.js';
import { countLeads, findLastLead, type LeadLink } from '../leads/store/linkLeads.js';
import type { AlertDeps } from './deps.js';
import {
  isUsual,
  sameHoursBefore,
  spansSince,
  USUAL_LEADS,
  type SilentHours,
} from './rules/silence.js';
import type { AlertDoc } from './store/alertDocs.js';
import { createAlertStore } from './store/alerts.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A supplier that stops and goes on is told once in this time. */
const QUIET_MS = 6 * HOUR_MS;
/** An alert is forgotten after this time: a supplier that is silent for so long is not one that usually sends. */
const KEPT_MS = 90 * DAY_MS;

interface Watched {
  plan: Plan;
  supplier: SupplierTerms;
  link: LeadLink;
  id: string;
}

export async function watchSuppliers(plans: readonly Plan[], deps: AlertDeps): Promise<void> {
  const watched = plans.flatMap((plan) =>
    Object.values(plan.suppliers)
      .filter(({ status, test_mode }) => status === 'active' && !test_mode)
      .map((supplier) => watchedOf(plan, supplier)),
  );
  const store = createAlertStore(deps.collections.alerts);
  const known = await store.get(watched.map(({ id }) => id));
  for (const one of watched) await watchSupplier(one, known.get(one.id), deps);
}

function watchedOf(plan: Plan, supplier: SupplierTerms): Watched {
  const { org_id, campaign_id } = plan;
  const { supplier_id } = supplier;
  const link = { org_id, campaign_id, supplier_id };
  return { plan, supplier, link, id: `supplier:${campaign_id}:${supplier_id}` };
}

async function watchSupplier(
  watched: Watched,
  alert: AlertDoc | undefined,
  deps: AlertDeps,
): Promise<void> {
  const now = deps.clock.now();
  const { leads, alerts } = deps.collections;
  const store = createAlertStore(alerts);
  const last = await findLastLead(leads, watched.link);
  if (!last) return;
  if (alert?.open) {
    if (last <= alert.since) return;
    const hours = Math.round((Number(last) - Number(alert.since)) / HOUR_MS);
    const data = dataOf(watched, last, hours);
    await store.end(alert._id, { type: 'supplier.resumed', data }, now);
    return;
  }
  const hours = await findSilence(watched, last, now, deps);
  if (hours === null) return;
  const raised = {
    id: watched.id,
    org_id: watched.plan.org_id,
    kind: 'supplier' as const,
    event: { type: 'supplier.silent' as const, data: dataOf(watched, last, hours) },
    kept_until: new Date(Number(now) + KEPT_MS),
  };
  await store.raise(raised, now, new Date(Number(now) - QUIET_MS));
}

/** The shortest span in which it sent nothing and usually does; null: there is none. */
async function findSilence(
  { plan, link }: Watched,
  last: Date,
  now: Date,
  { collections }: AlertDeps,
): Promise<SilentHours | null> {
  for (const hours of spansSince(last, now)) {
    const spans = sameHoursBefore(now, hours, plan.time_zone);
    const counts = await Promise.all(
      spans.map((span) => countLeads(collections.leads, link, span, USUAL_LEADS)),
    );
    if (isUsual(counts)) return hours;
  }
  return null;
}

const dataOf = ({ plan, supplier, link }: Watched, last: Date, hours: number): SupplierAlert => ({
  campaign_id: link.campaign_id,
  campaign_name: plan.name,
  supplier_id: link.supplier_id,
  supplier_name: supplier.name ?? link.supplier_id,
  last_lead_at: last.toISOString(),
  hours,
});
