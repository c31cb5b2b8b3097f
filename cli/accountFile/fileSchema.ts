/** The schema of a file: the settings of the actions, with names in place of ids. */
import { z } from 'zod';
import { BuyerPingPatch } from '../../src/account/buyers/buyerPing.js';
import { PingSettingsPatch } from '../../src/account/campaigns/pingSchema.js';
import { DeliveryPatch } from '../../src/account/buyers/deliverySchema.js';
import { ReturnsPatch } from '../../src/account/buyers/returnsSchema.js';
import { Fields } from '../../src/api/actions/schemas/campaign.js';
import { caps } from '../../src/account/capsSchema.js';
import { TEMPLATE_NAMES } from '../../src/funnels/rules/templates/names.js';
import {
  ActionName,
  automationSettings,
  EventName,
} from '../../src/api/actions/schemas/automation.js';
import { NewName } from '../../src/api/actions/schemas/common.js';
import { TargetPatch } from '../../src/automations/automationSchema.js';
import { BUYER } from '../../src/account/settings/buyerSettings.js';
import { BUYER_LINK } from '../../src/account/settings/buyerLinkTerms.js';
import { CAMPAIGN } from '../../src/account/settings/campaignSettings.js';
import type { Setting } from '../../src/account/settings/settingsTable.js';
import { SUPPLIER_LINK } from '../../src/account/settings/supplierLinkTerms.js';
import { SUPPLIER } from '../../src/account/settings/supplierSettings.js';
import { isRow } from '../output/rows.js';

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
const campaign = {
  ...CAMPAIGN.inFile,
  ping: PingSettingsPatch.optional(),
  fields: Fields.optional(),
};

/** Settings that are lists, or have some, whose order means nothing. */
const UNORDERED: ReadonlySet<string> = new Set(
  [BUYER, SUPPLIER, CAMPAIGN, BUYER_LINK, SUPPLIER_LINK].flatMap(({ settings }) =>
    Object.entries<Setting>(settings).flatMap(([key, one]) => (one.isUnordered ? [key] : [])),
  ),
);

/** The value of a setting with its lists sorted, where their order means nothing. */
export const inOrder = (key: string, value: unknown): unknown =>
  UNORDERED.has(key) ? sorted(value) : value;

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.toSorted();
  if (!isRow(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sorted(inner)]));
}

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
  automations: z
    .array(
      z.strictObject({
        name: NewName,
        trigger: EventName,
        action: ActionName,
        campaign: NewName.nullable().optional(),
        conditions: automationSettings.conditions,
        target: TargetPatch.omit({ campaign_id: true }).extend({ campaign: NewName.optional() }),
        status: automationSettings.status,
      }),
    )
    .optional(),
});
