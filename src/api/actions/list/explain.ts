/** Explains the decision on a lead for each buyer. */
import { z } from 'zod';
import { findBuyer } from '../../../account/buyers/buyers.js';
import { explainLead, type AskedBuyer, type Subject } from '../../../routing/explain/explain.js';
import type { Lead } from '../../../leads/rules/lead.js';
import { planOfLead } from '../../../leads/rules/locks.js';
import { planId, type Plan } from '../../../account/rules/plan.js';
import { fromMicros } from '../../../fields/money.js';
import { unpackPlan } from '../../../account/store/planPacking.js';
import { defineAction, type ActionContext } from '../action.js';
import { PEOPLE } from '../exits.js';
import { shownDetail } from '../../../routing/explain/shownDetail.js';
import { findMends } from '../../../routing/explain/mends.js';
import { headline } from '../../../routing/explain/headline.js';
import { passedOverAt, shortReason } from '../../../routing/explain/shortReasons.js';
import { isOpen } from '../../../leads/rules/leadStatus.js';
import { readWaits } from '../../../routing/readWaits.js';
import { commandsFor } from '../../../routing/rules/whyWaiting.js';
import { createDeliveryStore } from '../../../deliveries/store/deliveries.js';
import { findCampaign } from '../../../account/campaigns/campaigns.js';
import { loadCampaign } from '../../../account/campaigns/loadCampaign.js';
import { compilePlan } from '../../../account/plans/compilePlan.js';
import { AppError, nullIfGone } from '../../../lib/errors.js';
import { shownStatus } from '../../../leads/rules/shownStatus.js';
import { trailStep } from '../leadViews.js';
import { id } from '../schemas/common.js';
import { ExplanationView } from '../schemas/explanation.js';
import { findLead } from './leads.js';

/** The lead's own values, and the buyers' words about it. */
const PERSONAL = [
  ...(['summary', 'steps.reason', 'steps.detail', 'steps.text'] as const),
  ...(['buyers.reason', 'buyers.detail', 'buyers.text'] as const),
];

export const explainLeadAction = defineAction({
  name: 'explain_lead',
  cli: ['leads', 'explain'],
  summary: 'Explain the routing of a lead',
  description:
    'Why a buyer has the lead, or why none has, in sentences and as data: each step with the values compared, and ' +
    'the result for each buyer of the campaign at that version. With buyer_id: why that buyer has it or not.',
  permission: 'leads:read',
  letsOut: [{ ...PEOPLE, parts: PERSONAL }],
  input: z.strictObject({
    lead_id: id('lead'),
    buyer_id: id('buyer').optional().describe('Only about this buyer; absent: about all'),
  }),
  example: {
    lead_id: '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10',
    buyer_id: '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7',
  },
  output: ExplanationView,
  async run({ lead_id, buyer_id }, context) {
    const lead = await findLead(lead_id, context);
    const { subject, supplierName } = await subjectOf(lead, context);
    const { plan, currency } = subject;
    const only = buyer_id === undefined ? undefined : await askedBuyer(buyer_id, plan, context);
    const { summary, steps, buyers } = explainLead(subject, only);
    const all = only ? explainLead(subject).buyers : buyers;
    const now = context.clock.now();
    const [waiting, current] = await Promise.all([
      readWaiting(lead, plan, context),
      isOver(lead) ? readCurrent(lead, context) : undefined,
    ]);
    const nameOf = (buyer?: string) => plan.buyers.find((one) => one.buyer_id === buyer)?.name;
    return {
      lead_id: lead._id,
      status: shownStatus(lead),
      headline: headline(subject, { buyers: all, waiting, now }),
      summary,
      campaign: { id: plan.campaign_id, name: plan.name, version: plan.version },
      supplier: { id: lead.supplier_id, name: supplierName },
      money: {
        currency,
        revenue: fromMicros(lead.price),
        cost: fromMicros(lead.cost),
        profit: fromMicros(lead.profit),
      },
      duplicate_of: lead.duplicate_of,
      steps: steps.map(({ entry, text }) => ({
        ...trailStep(entry),
        buyer_name: nameOf(entry.buyer_id),
        text,
      })),
      steps_dropped: lead.trail_dropped ?? 0,
      buyers: buyers.map((one) => ({
        ...one,
        detail: one.detail && shownDetail(one.detail),
        short: shortReason(one, passedOverAt(one.buyer_id, subject), subject).one,
      })),
      mends: findMends(subject, { buyers: all, waiting, current, now }),
    };
  },
});

/** Where it ended without a sale, the reasons are compared with the campaign as it is now. */
const isOver = ({ status, sales }: Lead): boolean => !isOpen(status) && sales.length === 0;

/** Undefined for a deleted campaign. */
async function readCurrent(
  { campaign_id }: Lead,
  context: ActionContext,
): Promise<Plan | undefined> {
  const found = await findCampaign(context, campaign_id).catch(nullIfGone);
  return found
    ? compilePlan(await loadCampaign(context.collections, campaign_id), found.plan_version)
    : undefined;
}

/** Its deliveries that wait, and why: few, as each waits for another buyer. */
async function readWaiting(lead: Lead, { buyers, time_zone }: Plan, context: ActionContext) {
  const { collections, clock } = context;
  const rows = [
    ...(await createDeliveryStore(collections.deliveries).ofLeads([lead._id])).values(),
  ].flat();
  const waits = await readWaits(collections, rows, { now: clock.now(), timeZone: time_zone });
  return rows.flatMap(({ _id, buyer_id }) => {
    const wait = waits.get(_id);
    const name = buyers.find((one) => one.buyer_id === buyer_id)?.name ?? buyer_id;
    if (!wait) return [];
    return [{ ...wait, id: _id, buyer_id, name, commands: commandsFor(wait) }];
  });
}

async function subjectOf(lead: Lead, { collections }: ActionContext) {
  const [plan, org, supplier] = await Promise.all([
    collections.plans.findOne({ _id: planId(lead.campaign_id, lead.plan_version) }),
    collections.orgs.findOne({ _id: lead.org_id }, { projection: { currency: 1 } }),
    collections.suppliers.findOne(
      { _id: lead.supplier_id, org_id: lead.org_id },
      { projection: { name: 1 } },
    ),
  ]);
  if (!plan)
    throw new AppError(
      'action_refused',
      `Version ${lead.plan_version} of its campaign is not stored, so lead ${lead._id} cannot be explained. ` +
        'get_lead_distribution_trail shows what was decided.',
    );
  const subject: Subject = {
    lead,
    plan: planOfLead(unpackPlan(plan), lead),
    currency: org?.currency ?? '',
  };
  return { subject, supplierName: supplier?.name };
}

/**
 * By the name that the buyer had when the lead came.
 * @throws {AppError} `not_found` when the organization has no such buyer
 */
async function askedBuyer(
  buyerId: string,
  { buyers }: Plan,
  context: ActionContext,
): Promise<AskedBuyer> {
  const known = buyers.find(({ buyer_id }) => buyer_id === buyerId);
  if (known) return known;
  const { name } = await findBuyer(context, buyerId);
  return { buyer_id: buyerId, name };
}
