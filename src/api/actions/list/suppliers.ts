/** Suppliers: list, look at, create, change, delete. */
import { supplierKeyPlace } from '../../../account/rules/sealedPlaces.js';
import { z } from 'zod';
import {
  createSupplier,
  deleteSupplier,
  findSupplier,
  updateSupplier,
} from '../../../account/suppliers/suppliers.js';
import { kindOfKey, listSupplierKeys } from '../../../account/suppliers/supplierKeys.js';
import { SUPPLIER_LINK } from '../../../account/settings/supplierLinkTerms.js';
import { SUPPLIER } from '../../../account/settings/supplierSettings.js';
import { findLinksOfSupplier } from '../../../account/store/linksOfParty.js';
import { nameContains } from '../../../account/store/searchRecords.js';
import { findPage, OLDEST_FIRST } from '../../../platform/mongo/pages.js';
import { defineAction, defineList, type ActionContext } from '../action.js';
import { REVEALED_KEY, TO_REVEAL_A_KEY, ACCESS } from '../exits.js';
import { campaignOf, readSupplierFigures } from '../partyFigures.js';
import { figuresInput, linked, SupplierFigures } from '../schemas/partyFigures.js';
import {
  id,
  Instant,
  NewName,
  orNull,
  recordId,
  recordName,
  TO_SHOW_FIGURES,
} from '../schemas/common.js';
import { stillAhead, supplierRow } from '../views.js';
import { OverlapHours } from '../../../account/overlapSchema.js';
import { rotateSupplierKey } from '../../../account/suppliers/rotateSupplierKey.js';

const supplier_id = id('supplier');
const EXAMPLE_ID = 'c1b7d1e4-5b0a-4a43-9f0d-54f9f8d2b6e3';

const SupplierRow = z.object({
  id: recordId('supplier'),
  name: recordName('supplier').meta({ examples: ['Search Partner'] }),
  ...SUPPLIER.view,
  created_at: Instant.describe('When it was created, in UTC'),
});

const { status, cost_mode, cost_per_lead, revenue_share } = SUPPLIER_LINK.view;
const SupplierCampaigns = linked({ status, cost_mode, cost_per_lead, revenue_share });

export const listSuppliers = defineList({
  name: 'list_suppliers',
  cli: ['suppliers', 'list'],
  summary: 'List suppliers',
  description: 'Every supplier of the organization, oldest first.',
  permission: 'suppliers:read',
  alsoNeeds: TO_SHOW_FIGURES,
  filters: {
    status: SUPPLIER.changed.status.describe('Only those with this status'),
    ...figuresInput,
  },
  example: { status: 'active' },
  output: z.array(
    SupplierRow.extend({
      figures: SupplierFigures.optional().describe('How it does today; only with figures'),
    }),
  ),
  async find({ status, search, figures }, { collections, orgId: org_id }, wanted) {
    const filter = { org_id, status, ...nameContains(search) };
    const found = await findPage(collections.suppliers, filter, OLDEST_FIRST, wanted);
    return { ...found, docs: found.docs.map((supplier) => ({ supplier, figures })) };
  },
  async show(rows, context) {
    const suppliers = rows.map(({ supplier }) => supplier);
    const figuresOf = rows[0]?.figures ? await readSupplierFigures(suppliers, context) : null;
    return suppliers.map((supplier) => ({
      ...supplierRow(supplier),
      figures: figuresOf?.(supplier._id),
    }));
  },
});

const LastUse = orNull(Instant).describe('Its last use, to a minute; null: none is known');

export const getSupplier = defineAction({
  name: 'get_supplier',
  cli: ['suppliers', 'get'],
  summary: 'Show a supplier',
  description: 'A supplier, its limits and campaigns; its key only with reveal_key.',
  permission: 'suppliers:read',
  alsoNeeds: TO_REVEAL_A_KEY,
  letsOut: [REVEALED_KEY],
  input: z.strictObject({
    supplier_id,
    reveal_key: z
      .boolean()
      .default(false)
      .describe('Also show its key; needs suppliers:write, and is recorded'),
  }),
  example: { supplier_id: EXAMPLE_ID },
  output: SupplierRow.extend({
    previous_key_until: Instant.nullable().describe(
      'Until then the previous key is also accepted; null: it is refused',
    ),
    key_last_used_at: LastUse,
    previous_key_last_used_at: LastUse,
    further_keys: z
      .array(
        z.object({
          name: z.string().describe('As the supplier named it'),
          prefix: orNull(z.string()).describe('Its first characters'),
          created_at: Instant.describe('When it was created, in UTC'),
          last_used_at: LastUse,
        }),
      )
      .describe('Keys that the supplier has created in its portal, and that are accepted'),
    campaigns: SupplierCampaigns,
    api_key: z.string().optional().describe('Only with reveal_key'),
  }),
  async run(input, context) {
    const supplier = await findSupplier(context, input.supplier_id);
    const previous_key_until = stillAhead(supplier.previous_key_until, context.clock);
    const [keys, links] = await Promise.all([
      keysOf(context, supplier._id),
      findLinksOfSupplier(context.collections, context.orgId, supplier._id),
    ]);
    const campaigns = links.map(({ campaign, ...link }) => ({
      ...campaignOf(link, campaign),
      ...SUPPLIER_LINK.show(link),
    }));
    const row = { ...supplierRow(supplier), previous_key_until, ...keys, campaigns };
    if (!input.reveal_key) return row;
    return {
      ...row,
      api_key: context.keyring.open(supplier.api_key, supplierKeyPlace(supplier._id)),
    };
  },
});

async function keysOf(context: ActionContext, supplierId: string) {
  const keys = await listSupplierKeys(context, supplierId);
  const { main = [], previous = [], additional = [] } = Object.groupBy(keys, kindOfKey);
  return {
    key_last_used_at: main[0]?.last_used_at,
    previous_key_last_used_at: previous.at(-1)?.last_used_at,
    further_keys: additional,
  };
}

export const createSupplierAction = defineAction({
  name: 'create_supplier',
  cli: ['suppliers', 'create'],
  summary: 'Create a supplier',
  description: 'Creates a supplier with a key, which it sends as x-api-key with every lead.',
  permission: 'suppliers:write',
  input: z.strictObject({ name: NewName, ...SUPPLIER.given }),
  example: { name: 'Search Partner' },
  output: SupplierRow.extend({
    api_key: z.string().describe('The supplier sends it as x-api-key'),
  }),
  async run(input, context) {
    const { supplier, api_key } = await createSupplier(context, input);
    return { ...supplierRow(supplier), api_key };
  },
});

export const updateSupplierAction = defineAction({
  name: 'update_supplier',
  cli: ['suppliers', 'update'],
  summary: 'Change a supplier',
  description: 'Changes only the keys given.',
  idempotent: true,
  permission: 'suppliers:write',
  input: z.strictObject({ supplier_id, name: NewName.optional(), ...SUPPLIER.changed }),
  example: { supplier_id: EXAMPLE_ID, test_mode: true },
  output: SupplierRow,
  run: async ({ supplier_id: supplierId, ...changes }, context) =>
    supplierRow(await updateSupplier(context, supplierId, changes)),
});

export const deleteSupplierAction = defineAction({
  name: 'delete_supplier',
  cli: ['suppliers', 'delete'],
  summary: 'Delete a supplier',
  description:
    'Its keys are refused from now on, and it is removed from its campaigns; its leads stay. To replace a leaked key ' +
    'and keep the supplier, use rotate_supplier_key.',
  effect: 'destroy',
  permission: 'suppliers:write',
  guards: 'key_changed',
  input: z.strictObject({ supplier_id }),
  example: { supplier_id: EXAMPLE_ID },
  output: z.object({
    id: recordId('supplier'),
    deleted: z.literal(true).describe('Always true'),
  }),
  async run(input, context) {
    await deleteSupplier(context, input.supplier_id);
    return { id: input.supplier_id, deleted: true as const };
  },
});

export const rotateSupplierKeyAction = defineAction({
  name: 'rotate_supplier_key',
  cli: ['suppliers', 'rotate-key'],
  summary: 'Rotate the key of a supplier',
  description:
    'The new key is accepted at once. The previous one is also accepted until the overlap ends, and older ones are ' +
    'refused; those that the supplier has created in its portal stay, unless end_further_keys is true. All share the limits of the supplier. For a leaked key use overlap_hours 0, which refuses the old one ' +
    'at once, everywhere.',
  effect: 'destroy',
  permission: 'suppliers:write',
  guards: 'key_changed',
  letsOut: [ACCESS],
  input: z.strictObject({
    supplier_id: id('supplier'),
    overlap_hours: OverlapHours.describe(
      'Hours for which the previous key is also accepted; 0: it is refused at once',
    ),
    end_further_keys: z
      .boolean()
      .default(false)
      .describe('Also refuse at once the keys that the supplier has created in its portal'),
  }),
  example: { supplier_id: 'c1b7d1e4-5b0a-4a43-9f0d-54f9f8d2b6e3', overlap_hours: 24 },
  output: z.object({
    supplier_id: recordId('supplier'),
    api_key: z.string().describe('The new key, which the supplier sends as x-api-key'),
    previous_until: Instant.nullable().describe(
      'Until then the previous key is also accepted; null: it is refused',
    ),
  }),
  async run({ supplier_id, overlap_hours, end_further_keys }, context) {
    const how = { overlapHours: overlap_hours, endsFurther: end_further_keys };
    const { api_key, previousUntil } = await rotateSupplierKey(context, supplier_id, how);
    return { supplier_id, api_key, previous_until: previousUntil };
  },
});
