/** What past leads would have done under a changed campaign. */
import { z } from 'zod';
import { draftPlan } from '../../../account/plans/draftPlan.js';
import type { Plan } from '../../../account/rules/plan.js';
import { CAMPAIGN } from '../../../account/settings/campaignSettings.js';
import type { Lead } from '../../../leads/rules/lead.js';
import { fromMicros } from '../../../fields/money.js';
import { pickKeys } from '../../../lib/defined.js';
import { previewLeads, previewOne, type Previewed } from '../../../routing/replay/previewLeads.js';
import type { ForecastSale } from '../../../routing/replay/previewLead.js';
import { defineAction, type ActionContext } from '../action.js';
import { PEOPLE, type Exit } from '../exits.js';
import { readNames } from '../recordNames.js';
import { invalidField } from '../readInput.js';
import { id } from '../schemas/common.js';
import {
  buyersChanged,
  EXAMPLE_BUYERS,
  EXAMPLE_SUPPLIERS,
  suppliersChanged,
} from '../schemas/links.js';
import { PreviewView } from '../schemas/preview.js';
import { findLead } from './leads.js';

/** Settings that decide how a lead is distributed. Which leads are duplicates was decided when they came. */
const campaign = z
  .strictObject(
    pickKeys(CAMPAIGN.changed, [
      ...(['distribution_method', 'max_sells', 'filters'] as const),
      ...(['hourly_cap', 'daily_cap', 'weekly_cap', 'monthly_cap', 'total_cap'] as const),
    ]),
  )
  .optional()
  .meta({
    description: 'Settings of the campaign that are different',
    examples: [{ distribution_method: 'HIGHEST_BID' }],
  });
const buyers = buyersChanged({
  remove: z.boolean().optional().describe('true: without this buyer'),
}).meta({
  description: 'Terms of buyers that are different; one that is not linked is added on these',
  examples: [EXAMPLE_BUYERS],
});
const suppliers = suppliersChanged({
  remove: z.boolean().optional().describe('true: without this supplier'),
}).meta({ description: 'Terms of suppliers that are different', examples: [EXAMPLE_SUPPLIERS] });

/** Terms that compare values of the lead's person. */
const OF_VALUES = ['filters', 'states', 'zips'] as const;

interface Changes {
  campaign?: object;
  buyers?: readonly object[];
}

/** Filters made up for the question tell, lead by lead, whether a phone begins with these digits. */
const ASKS_FOR_VALUES: Exit<Changes> = {
  ...PEOPLE,
  when: 'filters, states or zips are given',
  isFor: ({ campaign: settings, buyers: terms = [] }) =>
    [settings ?? {}, ...terms].some((changes) => OF_VALUES.some((key) => key in changes)),
};

export const previewRouting = defineAction({
  name: 'preview_routing',
  cli: ['campaigns', 'preview'],
  summary: 'Preview a change of a campaign on its past leads',
  description:
    'Decides the newest live leads of a campaign again as if it had other settings, and compares what each did with what ' +
    'it would have done, with the money. Nothing is written. Leads are taken in the order in which they came, at their ' +
    'own time; a buyer that was asked gives the answer it gave, one that was not asked is taken to accept (assumed). ' +
    'Caps and turns count the leads of the preview alone, unless the trail says what was counted.',
  permission: 'campaigns:read',
  alsoNeeds: {
    permission: 'leads:read',
    when: 'it shows the results of leads, which is always',
    isFor: () => true,
  },
  letsOut: [ASKS_FOR_VALUES],
  input: z.strictObject({
    campaign_id: id('campaign'),
    campaign,
    buyers,
    suppliers,
    leads: z
      .number()
      .int()
      .min(1)
      .max(500)
      .default(100)
      .describe('Only the newest, at most this many'),
    lead_id: id('lead').optional().describe('This lead alone, by the current settings'),
    only_changed: z
      .boolean()
      .default(false)
      .describe('true: list only leads that would have done something else'),
  }),
  example: {
    campaign_id: '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11',
    campaign: { distribution_method: 'HIGHEST_BID' },
    leads: 100,
  },
  output: PreviewView,
  async run({ campaign_id, leads: most, only_changed, lead_id, ...changes }, context) {
    const lead = lead_id === undefined ? undefined : await leadOf(campaign_id, lead_id, context);
    const plan = await draftPlan(context, campaign_id, changes);
    const { leads, left_out, replayed } = await previewOf(plan, { lead, most }, context);
    const names = await namesOf(leads, plan, context);
    const rows = leads.map((one) => rowOf(one, names));
    const changed = rows.filter((row) => row.changed);
    return {
      replayed,
      campaign_id,
      version: plan.version,
      totals: {
        leads: rows.length,
        changed: changed.length,
        assumed: rows.filter(({ after }) => after.assumed.length > 0).length,
        left_out,
        before: sumOf(leads.map(({ lead }) => lead.sales)),
        after: sumOf(leads.map(({ after }) => after.sales)),
      },
      buyers: perBuyer(leads, names),
      leads: only_changed ? changed : rows,
    };
  },
});

/** @throws {AppError} `not_found`: the organization has no such lead; `invalid_input`: it is of another campaign */
async function leadOf(campaignId: string, leadId: string, context: ActionContext): Promise<Lead> {
  const lead = await findLead(leadId, context);
  if (lead.campaign_id === campaignId) return lead;
  throw invalidField(
    'lead_id',
    'not_allowed',
    `lead_id must be a lead of campaign ${campaignId}; this one is of campaign ${lead.campaign_id}.`,
  );
}

async function previewOf(
  plan: Plan,
  { lead, most }: { lead: Lead | undefined; most: number },
  { collections }: ActionContext,
) {
  if (lead) return previewOne(collections, plan, lead);
  return { ...(await previewLeads(collections, plan, most)), replayed: null };
}

type Names = ReadonlyMap<string, string>;
type Money = Pick<ForecastSale, 'buyer_id' | 'price' | 'cost'>;

function rowOf({ lead, after }: Previewed, names: Names) {
  const before = endOf(lead.status === 'SELLING' ? 'ACCEPTED' : lead.status, lead.sales, names);
  const then = endOf(after.status, after.sales, names);
  return {
    lead_id: lead._id,
    created_at: lead.created_at,
    changed: isOther(before, then),
    before,
    after: { ...then, reason: after.reason, assumed: after.assumed },
  };
}

type EndRow = ReturnType<typeof endOf>;

/** A lead without a buyer ended the same, whether it waited for that or not. */
function isOther(before: EndRow, after: EndRow): boolean {
  const key = ({ status, buyers: sold, revenue, cost }: EndRow) =>
    JSON.stringify([
      status === 'EXPIRED' ? 'UNMATCHED' : status,
      sold.map(({ buyer_id }) => buyer_id),
      revenue,
      cost,
    ]);
  return key(before) !== key(after);
}

const endOf = (status: string, sales: readonly Money[], names: Names) => ({
  status,
  buyers: sales.map(({ buyer_id }) => ({ buyer_id, name: names.get(buyer_id) ?? null })),
  ...moneyOf(sales),
});

function moneyOf(sales: readonly Money[]) {
  const revenue = sales.reduce((sum, { price }) => sum + price, 0);
  const cost = sales.reduce((sum, sale) => sum + sale.cost, 0);
  return {
    revenue: fromMicros(revenue),
    cost: fromMicros(cost),
    profit: fromMicros(revenue - cost),
  };
}

const sumOf = (leads: readonly (readonly Money[])[]) => ({
  sold: leads.filter((sales) => sales.length > 0).length,
  sales: leads.flat().length,
  ...moneyOf(leads.flat()),
});

function perBuyer(leads: readonly Previewed[], names: Names) {
  const before = Map.groupBy(
    leads.flatMap(({ lead }) => lead.sales as readonly Money[]),
    ({ buyer_id }) => buyer_id,
  );
  const after = Map.groupBy(
    leads.flatMap((one) => one.after.sales as readonly Money[]),
    ({ buyer_id }) => buyer_id,
  );
  return [...new Set([...before.keys(), ...after.keys()])].map((buyer_id) => {
    const [was, would] = [before.get(buyer_id) ?? [], after.get(buyer_id) ?? []];
    return {
      buyer_id,
      name: names.get(buyer_id) ?? null,
      sales_before: was.length,
      sales_after: would.length,
      revenue_before: moneyOf(was).revenue,
      revenue_after: moneyOf(would).revenue,
    };
  });
}

/** Of the buyers of the plan, and of those that have bought before. */
async function namesOf(
  leads: readonly Previewed[],
  plan: Plan,
  { collections, orgId }: ActionContext,
): Promise<Names> {
  const known = new Map(plan.buyers.map(({ buyer_id, name }) => [buyer_id, name]));
  const sold = leads.flatMap(({ lead }) => lead.sales.map(({ buyer_id }) => buyer_id));
  const gone = sold.filter((one) => !known.has(one));
  return new Map([...known, ...(await readNames(collections.buyers, gone, orgId))]);
}
