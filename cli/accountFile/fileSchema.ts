/** The schema of a file: the settings of the actions, with names in place of ids. */
import { z } from 'zod';
import { BuyerPingPatch } from '../../src/account/buyers/buyerPingSchema.js';
import { PingSettingsPatch } from '../../src/account/campaigns/pingSchema.js';
import { DeliveryPatch } from '../../src/account/buyers/deliverySchema.js';
import { ReturnsPatch } from '../../src/account/buyers/returnsSchema.js';
import { Fields } from '../../src/api/actions/schemas/campaign.js';
import { caps } from '../../src/account/capsSchema.js';
import { TEMPLATE_NAMES } from '../../src/funnels/rules/templates/names.js';
import { NewName } from '../../src/api/actions/schemas/common.js';
import { BUYER } from '../../src/account/settings/buyerSettings.js';
import { BUYER_LINK } from '../../src/account/settings/buyerLinkTerms.js';
import { CAMPAIGN } from '../../src/account/settings/campaignSettings.js';
import { SUPPLIER_LINK } from '../../src/account/settings/supplierLinkTerms.js';
import { SUPPLIER } from '../../src/account/settings/supplierSettings.js';

/** Version of the file format; a later format has another number. */
export const FILE_VERSION = 1;

export const CAP_KEYS = Object.keys(caps);

const buyer = {
  ...BUYER.changed,
  delivery: DeliveryPatch.optional(),
  ping: BuyerPingPatch.optional(),
  returns: ReturnsPatch.optional(),
};
const supplier = SUPPLIER.changed;
const buyerLink = { ...BUYER_LINK.inFile, delivery: DeliveryPatch.nullable().optional() };
const supplierLink = SUPPLIER_LINK.inFile;
const { filters, ...settings } = CAMPAIGN.inFile;
const campaign = {
  ...settings,
  ping: PingSettingsPatch.optional(),
  fields: Fields.optional(),
  filters,
};

/** The settings of each kind of record, in the order in which a file has them. */
export const TERM_KEYS = {
  buyer: Object.keys(buyer),
  supplier: Object.keys(supplier),
  campaign: Object.keys(campaign),
  buyerLink: Object.keys(buyerLink),
  supplierLink: Object.keys(supplierLink),
} as const;

export const FileSchema = z.strictObject({
  version: z.literal(FILE_VERSION),
  buyers: z.array(z.strictObject({ name: NewName, ...buyer })).optional(),
  suppliers: z.array(z.strictObject({ name: NewName, ...supplier })).optional(),
  campaigns: z
    .array(
      z.strictObject({
        name: NewName,
        ...campaign,
        buyers: z.array(z.strictObject({ buyer: NewName, ...buyerLink })).optional(),
        suppliers: z.array(z.strictObject({ supplier: NewName, ...supplierLink })).optional(),
      }),
    )
    .optional(),
  funnels: z
    .array(
      z.strictObject({
        name: NewName,
        template: z.enum(TEMPLATE_NAMES),
        campaign: NewName,
        supplier: NewName,
        slug: z.string().max(60).optional(),
        published: z.boolean().optional(),
        definition: z.record(z.string(), z.unknown()),
      }),
    )
    .optional(),
});
