/** Leads as the Actions API shows them: money in currency, instants as text. */
import type { Lead, LeadStatus, Scalar, TrailEntry } from '../domain/lead.js';
import { fromMicros } from '../domain/pricing.js';
import type { ListedLead } from '../store/leadPages.js';

/** That a sold lead is on its way to more buyers is of no meaning outside. */
export const statusOf = ({ status }: Pick<Lead, 'status'>): Exclude<LeadStatus, 'SELLING'> =>
  status === 'SELLING' ? 'ACCEPTED' : status;

/** A lead in a list, and the beginning of the whole lead. Outcomes, scores and tags are not kept yet. */
export function leadRow(lead: ListedLead) {
  const { campaign_id, supplier_id, buyer_id, fields } = lead;
  const [first] = lead.sales;
  return {
    ...{ id: lead._id, campaign_id, supplier_id, buyer_id, status: statusOf(lead), outcome: null },
    state: textOf(fields.state),
    zip_code: textOf(fields.zip_code ?? fields.zip),
    cost: fromMicros(lead.cost),
    revenue: fromMicros(lead.price),
    price: fromMicros(first?.price ?? 0),
    ...{ quality_score: null, tags: [] },
    created_at: lead.created_at.toISOString(),
    accepted_at: first?.at.toISOString() ?? null,
    converted_at: null,
  };
}

/** A lead with all it holds. */
export function leadView(lead: Lead) {
  const { is_test, plan_version, fields, extra, sales } = lead;
  return {
    ...leadRow(lead),
    ...{ distribution_status: statusOf(lead), is_test, plan_version, fields, extra },
    profit: fromMicros(lead.profit),
    decided_at: lead.decided_at?.toISOString() ?? null,
    duplicate_of: lead.duplicate_of ?? null,
    sales: sales.map(({ buyer_id, price, cost, at }) => ({
      ...{ buyer_id, price: fromMicros(price), cost: fromMicros(cost) },
      at: at.toISOString(),
    })),
  };
}

const textOf = (value: Scalar | undefined): string | null =>
  value === undefined ? null : String(value);

export const trailStep = ({ at, step, result, buyer_id, reason, detail }: TrailEntry) => ({
  ...{ at: at.toISOString(), step, result },
  ...{ buyer_id: buyer_id ?? null, reason: reason ?? null, detail: detail ?? null },
});
