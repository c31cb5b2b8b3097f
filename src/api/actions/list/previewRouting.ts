/** What past leads would have done under a changed campaign. */
import { z } from 'zod';
import { draftPlan } from '../../../account/plans/draftPlan.js';
import type { Plan } from '../../../account/rules/plan.js';
import { CAMPAIGN } from '../../../account/settings/campaignSettings.js';
import { fromMicros } from '../../../fields/money.js';
import { pickKeys } from '../../../lib/defined.js';
import { previewLeads, type Previewed } from '../../../routing/replay/previewLeads.js';
import type { ForecastSale } from '../../../routing/replay/previewLead.js';
import { defineAction, type ActionContext } from '../action.js';
import { readNames } from '../recordNames.js';
import { id, Instant, Money, recordId } from '../schemas/common.js';
import {
  buyersChanged,
  EXAMPLE_BUYERS,
  EXAMPLE_SUPPLIERS,
  suppliersChanged,
} from '../schemas/links.js';

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

const End = z.object({
  status: z
    .string()
    .describe(
      'As of leads; REFUSED: the supplier would have received 403. SELLING counts as ACCEPTED',
    ),
  buyers: z
    .array(
      z.object({
        buyer_id: recordId('buyer'),
        name: z.string().nullable().describe('null: it is gone'),
      }),
    )
    .describe('Who bought it'),
  revenue: Money,
  cost: Money,
  profit: Money,
});
const Sum = z.object({
  sold: z.number().int().describe('Leads that were sold'),
  sales: z.number().int().describe('Sales, of which a lead may have several'),
  revenue: Money,
  cost: Money,
  profit: Money,
});
const money = "As agreed at the sale; later outcomes and returns don't count";

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
    when: 'it tells what became of leads, which is always',
    isFor: () => true,
  },
  input: z.strictObject({
    campaign_id: id('campaign'),
    campaign,
    buyers,
    suppliers,
    leads: z.number().int().min(1).max(500).default(100).describe('How many leads, the newest'),
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
  output: z.object({
    campaign_id: recordId('campaign'),
    version: z.number().int().describe('The version that the changes were laid over'),
    totals: z
      .object({
        leads: z.number().int().describe('Leads that were compared'),
        changed: z.number().int().describe('Of these, those that would have done something else'),
        assumed: z
          .number()
          .int()
          .describe('Of these, those for which a buyer is only taken to accept'),
        left_out: z
          .number()
          .int()
          .describe('Leads without a decision yet, or with an incomplete trail'),
        before: Sum.describe(`What happened. ${money}`),
        after: Sum.describe('What would have happened'),
      })
      .describe('The leads together'),
    buyers: z
      .array(
        z.object({
          buyer_id: recordId('buyer'),
          name: z.string().nullable().describe('null: it is gone'),
          sales_before: z.number().int().describe('How many it bought'),
          sales_after: z.number().int().describe('How many it would have bought'),
          revenue_before: Money,
          revenue_after: Money,
        }),
      )
      .describe('Each buyer that bought, or would have bought'),
    leads: z
      .array(
        z.object({
          lead_id: recordId('lead'),
          created_at: Instant.describe('When it was received, UTC'),
          changed: z.boolean().describe('It would have done something else'),
          before: End.describe('What happened'),
          after: End.extend({
            reason: z.string().nullable().describe('Why it would not have been sold; null: sold'),
            assumed: z
              .array(z.string())
              .describe('Ids of buyers that were not asked in fact, and are taken to accept it'),
          }).describe('What would have happened'),
        }),
      )
      .describe('Newest first'),
  }),
  async run({ campaign_id, leads: most, only_changed, ...changes }, context) {
    const plan = await draftPlan(context, campaign_id, changes);
    const { leads, left_out } = await previewLeads(context.collections, plan, most);
    const names = await namesOf(leads, plan, context);
    const rows = leads.map((one) => rowOf(one, names));
    const changed = rows.filter((row) => row.changed);
    return {
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
