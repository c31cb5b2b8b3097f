/** Leads: how one stands, and how it was decided. */
import { z } from 'zod';
import type { Lead, Scalar, TrailEntry } from '../../domain/lead.js';
import { fromMicros } from '../../domain/pricing.js';
import { AppError } from '../../errors.js';
import { defineAction, type ActionContext } from '../action.js';
import { id, recordId } from '../schemas/common.js';
import { LeadView, TrailView } from '../schemas/lead.js';

const lead_id = id('lead');
const EXAMPLE_ID = '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10';

export const getLead = defineAction({
  name: 'get_lead',
  cli: ['leads', 'get'],
  summary: 'Show a lead',
  description: 'A lead as it stands: what it holds, who has it, and what it brought and cost.',
  effect: 'read',
  idempotent: true,
  permission: 'leads:read',
  input: z.strictObject({
    lead_id,
    include_trail: z.boolean().default(false).describe('How it was decided, too'),
  }),
  example: { lead_id: EXAMPLE_ID, include_trail: true },
  output: LeadView.extend({ trail: TrailView.optional() }),
  async run(input, context) {
    const lead = await findLead(input.lead_id, context);
    return { ...leadView(lead), ...(input.include_trail ? { trail: trailView(lead.trail) } : {}) };
  },
});

export const getLeadDistributionTrail = defineAction({
  name: 'get_lead_distribution_trail',
  cli: ['leads', 'get-trail'],
  summary: 'Show how a lead was decided',
  description:
    'Every step of a lead in order: filters, lists, duplicates, which buyers were asked or passed by and why, with the ' +
    'values compared, and what each said.',
  effect: 'read',
  idempotent: true,
  permission: 'leads:read',
  input: z.strictObject({ lead_id }),
  example: { lead_id: EXAMPLE_ID },
  output: z.object({
    lead_id: recordId('lead'),
    status: LeadView.shape.status,
    trail: TrailView,
    trail_dropped: z.number().int().describe('Entries left out in the middle of a very long trail'),
  }),
  async run(input, context) {
    const lead = await findLead(input.lead_id, context);
    return {
      lead_id: lead._id,
      status: statusOf(lead),
      trail: trailView(lead.trail),
      trail_dropped: lead.trail_dropped ?? 0,
    };
  },
});

async function findLead(leadId: string, { collections, caller }: ActionContext): Promise<Lead> {
  const lead = await collections.leads.findOne({ _id: leadId, org_id: caller.org_id });
  if (lead) return lead;
  throw new AppError('not_found', `There is no lead ${leadId}.`);
}

/** That a sold lead is on its way to more buyers is of no meaning outside. */
const statusOf = ({ status }: Lead) => (status === 'SELLING' ? 'ACCEPTED' : status);

function leadView(lead: Lead) {
  const { campaign_id, supplier_id, buyer_id, is_test, plan_version, fields, extra, sales } = lead;
  const status = statusOf(lead);
  const [first] = sales;
  return {
    ...{ id: lead._id, campaign_id, supplier_id, buyer_id, is_test, plan_version },
    ...{ status, distribution_status: status },
    state: textOf(fields.state),
    zip_code: textOf(fields.zip_code ?? fields.zip),
    price: fromMicros(first?.price ?? 0),
    revenue: fromMicros(lead.price),
    cost: fromMicros(lead.cost),
    profit: fromMicros(lead.profit),
    created_at: lead.created_at.toISOString(),
    accepted_at: first?.at.toISOString() ?? null,
    decided_at: lead.decided_at?.toISOString() ?? null,
    duplicate_of: lead.duplicate_of ?? null,
    ...{ fields, extra },
    sales: sales.map(({ buyer_id: buyer, price, cost, at }) => ({
      ...{ buyer_id: buyer, price: fromMicros(price), cost: fromMicros(cost) },
      at: at.toISOString(),
    })),
  };
}

const textOf = (value: Scalar | undefined): string | null =>
  value === undefined ? null : String(value);

const trailView = (trail: readonly TrailEntry[]) =>
  trail.map(({ at, step, result, buyer_id, reason, detail }) => ({
    ...{ at: at.toISOString(), step, result },
    ...{ buyer_id: buyer_id ?? null, reason: reason ?? null, detail: detail ?? null },
  }));
