/** The terms on which a buyer accepts, and a supplier sends, a campaign's leads. */
import { z } from 'zod';
import { LINKS_PER_CAMPAIGN } from '../../../account/links/storeLink.js';
import { DeliveryPatch } from '../../../account/buyers/deliverySchema.js';
import { BUYER_LINK } from '../../../account/settings/buyerLinkTerms.js';
import { SUPPLIER_LINK } from '../../../account/settings/supplierLinkTerms.js';
import { id, recordId } from './common.js';

const buyerKey = { campaign_id: id('campaign'), buyer_id: id('buyer') };
const delivery = DeliveryPatch.nullable()
  .optional()
  .describe(
    "Overrides of the buyer's own delivery for this campaign: only the settings given are overridden, null removes " +
      'an override, and null for the whole removes all overrides. max_concurrent and max_per_second cannot be ' +
      'overridden: a buyer has one queue',
  );
export const NewBuyerLink = z.strictObject({ ...buyerKey, ...BUYER_LINK.given, delivery });
export const ChangedBuyerLink = z.strictObject({ ...buyerKey, ...BUYER_LINK.changed, delivery });
export const BuyerLinkView = z.object({
  campaign_id: recordId('campaign'),
  buyer_id: recordId('buyer'),
  ...BUYER_LINK.view,
  delivery: z
    .looseObject({})
    .nullable()
    .describe(
      "Overrides of the buyer's own delivery; the values of headers are hidden; null: none",
    ),
});

/** Terms of several buyers of one campaign. */
export const buyersChanged = <S extends z.ZodRawShape>(more: S) =>
  z
    .array(z.strictObject({ buyer_id: id('buyer'), ...more, ...BUYER_LINK.changed }))
    .max(LINKS_PER_CAMPAIGN)
    .optional();

/** Terms of several suppliers of one campaign. */
export const suppliersChanged = <S extends z.ZodRawShape>(more: S) =>
  z
    .array(z.strictObject({ supplier_id: id('supplier'), ...more, ...SUPPLIER_LINK.changed }))
    .max(LINKS_PER_CAMPAIGN)
    .optional();

export const EXAMPLE_BUYERS = [{ buyer_id: '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7', price: 30 }];
export const EXAMPLE_SUPPLIERS = [
  { supplier_id: 'c1b7d1e4-5b0a-4a43-9f0d-54f9f8d2b6e3', cost_per_lead: 9 },
];

const supplierKey = { campaign_id: id('campaign'), supplier_id: id('supplier') };
export const NewSupplierLink = z.strictObject({ ...supplierKey, ...SUPPLIER_LINK.given });
export const ChangedSupplierLink = z.strictObject({ ...supplierKey, ...SUPPLIER_LINK.changed });
const { cost_mode, cost_per_lead, revenue_share } = SUPPLIER_LINK.changed;
export const ChangedCostMode = z.strictObject({
  ...supplierKey,
  cost_mode: cost_mode.unwrap(),
  cost_per_lead,
  revenue_share,
});
export const SupplierLinkView = z.object({
  campaign_id: recordId('campaign'),
  supplier_id: recordId('supplier'),
  ...SUPPLIER_LINK.view,
});
