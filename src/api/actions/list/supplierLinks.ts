/** The suppliers of a campaign. */
import { linkSupplier, updateSupplierLink } from '../../../account/links/supplierLinks.js';
import { defineAction } from '../action.js';
import {
  ChangedCostMode,
  ChangedSupplierLink,
  NewSupplierLink,
  SupplierLinkView,
} from '../schemas/links.js';
import { supplierLinkView } from '../views.js';

const EXAMPLE_KEY = {
  campaign_id: '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11',
  supplier_id: 'c1b7d1e4-5b0a-4a43-9f0d-54f9f8d2b6e3',
};

export const addSupplierToCampaign = defineAction({
  name: 'add_supplier_to_campaign',
  cli: ['campaigns', 'add-supplier'],
  summary: 'Link a supplier to a campaign',
  description:
    'Links a supplier to a campaign on these terms. If the supplier is already linked, the call is refused: use ' +
    'update_campaign_supplier.',
  permission: 'campaigns:write',
  input: NewSupplierLink,
  example: { ...EXAMPLE_KEY, cost_per_lead: 12, daily_cap: 200 },
  output: SupplierLinkView,
  run: async (input, context) => supplierLinkView(await linkSupplier(context, input, input)),
});

export const updateCampaignSupplier = defineAction({
  name: 'update_campaign_supplier',
  cli: ['campaigns', 'update-supplier'],
  summary: 'Change the terms of a supplier in a campaign',
  description: 'Changes only the keys given. null removes a limit.',
  idempotent: true,
  permission: 'campaigns:write',
  input: ChangedSupplierLink,
  example: { ...EXAMPLE_KEY, status: 'paused' },
  output: SupplierLinkView,
  run: async (input, context) => supplierLinkView(await updateSupplierLink(context, input, input)),
});

export const setSupplierCostMode = defineAction({
  name: 'set_supplier_cost_mode',
  cli: ['campaigns', 'set-cost-mode'],
  summary: 'Set how a supplier is paid for its leads',
  description:
    "FIXED: an amount for each lead sold. REVENUE_SHARE: a percentage of the buyer's price. NONE: nothing.",
  idempotent: true,
  permission: 'campaigns:write',
  input: ChangedCostMode,
  example: { ...EXAMPLE_KEY, cost_mode: 'REVENUE_SHARE', revenue_share: 60 },
  output: SupplierLinkView,
  run: async (input, context) => supplierLinkView(await updateSupplierLink(context, input, input)),
});
