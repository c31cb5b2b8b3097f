/** Leads as the Actions API shows them: money in currency, instants as text. */
import type { Lead, Sale } from '../../leads/rules/lead.js';
import { nearestLoss, type RoutingReason } from '../../leads/rules/loss.js';
import type { TrailEntry } from '../../leads/rules/trail.js';
import type { Scalar } from '../../fields/values.js';
import type { Micros } from '../../fields/money.js';
import { fromMicros } from '../../fields/money.js';
import { shownDetail } from '../../routing/explain/shownDetail.js';
import { costOf, revenueOf } from '../../leads/rules/saleMoney.js';
import { distributionStatus, shownStatus } from '../../leads/rules/shownStatus.js';
import type { ListedLead } from '../../leads/store/leadPages.js';

/** The parts of a row that say who the person is, or where. */
export const PEOPLE_OF_A_LEAD = ['name', 'phone', 'email', 'state', 'zip_code'] as const;

/** A lead in a list, and the beginning of the whole lead. Scores and tags are not kept yet. */
export function leadRow(lead: ListedLead) {
  const { campaign_id, supplier_id, buyer_id, fields } = lead;
  const [first] = lead.sales;
  return {
    id: lead._id,
    campaign_id,
    supplier_id,
    buyer_id,
    status: shownStatus(lead),
    outcome: lead.outcome,
    state: textOf(fields.state),
    zip_code: textOf(fields.zip_code ?? fields.zip),
    cost: fromMicros(lead.cost),
    revenue: fromMicros(lead.price),
    price: fromMicros(first?.price ?? 0),
    quality_score: null,
    tags: [],
    created_at: lead.created_at,
    accepted_at: first?.at,
    converted_at: lead.converted_at,
    name: nameOf(fields),
    phone: textOf(fields.phone),
    email: textOf(fields.email),
    reason: lead.trail.findLast(({ step }) => step === 'closing')?.reason,
    unsold_reason: unsoldReason(lead),
  };
}

/** Why no buyer got it; that of a lead that a check refused is how it ended. */
function unsoldReason({ status, loss_steps, trail }: ListedLead): RoutingReason | undefined {
  if (status !== 'UNMATCHED' && status !== 'EXPIRED') return undefined;
  return nearestLoss(loss_steps ?? trail).reason;
}

/** First and last name; null: not given. */
export function nameOf({ first_name, last_name }: ListedLead['fields']): string | null {
  const parts = [textOf(first_name), textOf(last_name)].filter((part) => part !== null);
  return parts.join(' ').trim() || null;
}

/** A lead with all it holds. */
export function leadView(lead: Lead) {
  const { is_test, plan_version, fields, extra, sales } = lead;
  return {
    ...leadRow(lead),
    distribution_status: distributionStatus(lead),
    is_test,
    plan_version,
    fields,
    extra,
    profit: fromMicros(lead.profit),
    decided_at: lead.decided_at,
    duplicate_of: lead.duplicate_of,
    resale_of: lead.resale?.origin,
    ping_id: lead.ping?.ping_id,
    has_consent: lead.origin !== undefined,
    trail_dropped: lead.trail_dropped ?? 0,
    sales: sales.map((sale) => ({ ...saleView(sale), delivery_id: `${lead._id}:${sale.attempt}` })),
  };
}

/** A sale: what was agreed, the outcome that its buyer reported, and its present revenue and cost. */
const saleView = (sale: Sale) => ({
  buyer_id: sale.buyer_id,
  price: fromMicros(sale.price),
  cost: fromMicros(costOf(sale)),
  revenue: fromMicros(revenueOf(sale)),
  at: sale.at,
  outcome: sale.outcome,
  outcome_at: sale.outcome_at,
  conversion_revenue: moneyOrNull(sale.conversion_revenue),
  lead_value: moneyOrNull(sale.lead_value),
  note: sale.note,
  returned_at: sale.returned?.at,
  conversion_price: moneyOrNull(sale.conversion_price),
  outcome_due: sale.outcome_due,
});

const moneyOrNull = (micros: Micros | undefined): number | null =>
  micros === undefined ? null : fromMicros(micros);

const textOf = (value: Scalar | undefined): string | null =>
  value === undefined ? null : String(value);

export const trailStep = (entry: TrailEntry) => ({
  ...entry,
  detail: entry.detail && shownDetail(entry.detail),
});
