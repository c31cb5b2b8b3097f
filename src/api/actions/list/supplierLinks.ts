/** The suppliers of a campaign. */
import { z } from 'zod';
import { linkSupplier, updateSupplierLink } from '../../../account/links/supplierLinks.js';
import type { SupplierLinkInput } from '../../../account/links/supplierLinks.js';
import { alreadyLinked } from '../../../account/links/storeLink.js';
import type { CapLimits } from '../../../account/rules/capLimits.js';
import { defineAction, type ActionContext } from '../action.js';
import { SupplierLinkView } from '../schemas/campaign.js';
import { costTerms, supplierLinkKey, supplierTerms } from '../schemas/links.js';
import { retryOnConflict } from '../../../lib/retry.js';
import { capsGiven, supplierLinkView } from '../views.js';

const EXAMPLE_KEY = {
  campaign_id: '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11',
  supplier_id: 'c1b7d1e4-5b0a-4a43-9f0d-54f9f8d2b6e3',
};
const Input = z.strictObject({ ...supplierLinkKey, ...supplierTerms });

export const addSupplierToCampaign = defineAction({
  name: 'add_supplier_to_campaign',
  cli: ['campaigns', 'add-supplier'],
  summary: 'Link a supplier to a campaign',
  description:
    'Links a supplier to a campaign on these terms. If the supplier is already linked, the call is refused: use ' +
    'update_campaign_supplier.',
  effect: 'write',
  idempotent: false,
  permission: 'campaigns:write',
  input: Input,
  example: { ...EXAMPLE_KEY, cost_per_lead: 12, daily_cap: 200 },
  output: SupplierLinkView,
  async run(input, context) {
    const { key, current } = await keyOf(input, context);
    if (current) throw alreadyLinked({ kind: 'supplier', partner_id: input.supplier_id });
    return supplierLinkView(
      await linkSupplier(context.collections, key, termsOf(input, {}), context.author, true),
    );
  },
});

export const updateCampaignSupplier = defineAction({
  name: 'update_campaign_supplier',
  cli: ['campaigns', 'update-supplier'],
  summary: 'Change the terms of a supplier in a campaign',
  description: 'Changes only the keys given. null removes a limit.',
  effect: 'write',
  idempotent: true,
  permission: 'campaigns:write',
  input: Input,
  example: { ...EXAMPLE_KEY, status: 'paused' },
  output: SupplierLinkView,
  run: changeLink,
});

export const setSupplierCostMode = defineAction({
  name: 'set_supplier_cost_mode',
  cli: ['campaigns', 'set-cost-mode'],
  summary: 'Set how a supplier is paid for its leads',
  description:
    "FIXED: an amount for each lead sold. REVENUE_SHARE: a percentage of the buyer's price. NONE: nothing.",
  effect: 'write',
  idempotent: true,
  permission: 'campaigns:write',
  input: z.strictObject({ ...supplierLinkKey, ...costTerms }),
  example: { ...EXAMPLE_KEY, cost_mode: 'REVENUE_SHARE', revenue_share: 60 },
  output: SupplierLinkView,
  run: changeLink,
});

function changeLink(input: z.output<typeof Input>, context: ActionContext) {
  return retryOnConflict(async () => {
    const { key, current } = await keyOf(input, context);
    const terms = termsOf(input, current?.caps ?? {});
    return supplierLinkView(
      await updateSupplierLink(context.collections, key, terms, current, context.author),
    );
  });
}

async function keyOf(
  { campaign_id, supplier_id }: { campaign_id: string; supplier_id: string },
  { collections, caller }: ActionContext,
) {
  const key = { org_id: caller.org_id, campaign_id, supplier_id };
  return { key, current: await collections.campaignSuppliers.findOne(key) };
}

function termsOf(input: z.output<typeof Input>, current: CapLimits): SupplierLinkInput {
  const caps = capsGiven(input, current);
  return { ...(input as SupplierLinkInput), ...(caps === undefined ? {} : { caps }) };
}
