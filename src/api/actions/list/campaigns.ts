/** Campaigns: list, look at, create, change. */
import { listAutomations } from '../../../automations/automations.js';
import { BSON } from 'mongodb';
import { z } from 'zod';
import {
  createCampaign,
  findCampaign,
  updateCampaign,
  type CampaignInput,
} from '../../../account/campaigns/campaigns.js';
import { mergeFields } from '../../../account/plans/compilePlan.js';
import { loadNamedLinks, sizesOfLinks } from '../../../account/campaigns/loadCampaign.js';
import { pingSettingsView } from '../../../account/campaigns/pingSettings.js';
import { CAMPAIGN } from '../../../account/settings/campaignSettings.js';
import { invalidValue } from '../../../account/values.js';
import { readVertical, VERTICAL_MAX, verticalKey } from '../../../account/rules/vertical.js';
import type { CampaignDoc } from '../../../account/store/campaignDoc.js';
import { nameContains } from '../../../account/store/searchRecords.js';
import { requireFunnelsFit } from '../../../funnels/campaign.js';
import { findPage, OLDEST_FIRST } from '../../../platform/mongo/pages.js';
import { defineAction, defineList, type ActionContext } from '../action.js';
import { readCampaignFigures } from '../campaignFigures.js';
import { withoutKeys } from '../../../lib/defined.js';
import { CampaignView, Fields, ListedCampaign } from '../schemas/campaign.js';
import { id, include_archived, NewName, TO_SHOW_FIGURES } from '../schemas/common.js';
import { buyerLinkView, campaignRow, supplierLinkView } from '../views.js';
import { forWhole, upToSize, whole, withWhole } from '../wholeRows.js';

const campaign_id = id('campaign');
const EXAMPLE_ID = '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11';
export const expected_version = z
  .number()
  .int()
  .optional()
  .describe('Refuse the change unless the campaign has this version');

export const listCampaigns = defineList({
  name: 'list_campaigns',
  cli: ['campaigns', 'list'],
  summary: 'List campaigns',
  description:
    'Every campaign of the organization, oldest first. Archived ones only with include_archived, or by their status.',
  permission: 'campaigns:read',
  alsoNeeds: TO_SHOW_FIGURES,
  filters: {
    search: z.string().max(120).optional().describe('Only names that contain this, in any case'),
    figures: z.boolean().default(false).describe('true: also how each does today'),
    status: CAMPAIGN.changed.status.describe('Only those with this status'),
    vertical: z
      .string()
      .max(VERTICAL_MAX)
      .optional()
      .describe('Only those with this vertical, case-insensitive'),
    campaign_type: CAMPAIGN.changed.campaign_type,
    include_archived,
    whole: whole('get_campaign'),
  },
  example: { status: 'ACTIVE' },
  output: z.array(withWhole(ListedCampaign, CampaignView)),
  async find({ status, vertical, include_archived: withArchived, ...asked }, context, wanted) {
    const { collections, orgId: org_id } = context;
    const key = readVertical(vertical ?? null);
    const filter = {
      org_id,
      ...nameContains(asked.search),
      status: status ?? (withArchived ? undefined : { $ne: 'ARCHIVED' as const }),
      vertical_key: key === null ? undefined : verticalKey(key),
    };
    const page = asked.whole ? forWhole(wanted) : wanted;
    const found = await findPage(collections.campaigns, filter, OLDEST_FIRST, page);
    const rowsOf = (docs: CampaignDoc[]) =>
      docs.map((campaign) => ({ campaign, whole: asked.whole, figures: asked.figures }));
    if (!asked.whole) return { ...found, docs: rowsOf(found.docs) };
    const ids = found.docs.map(({ _id }) => _id);
    const sizes = await sizesOfLinks(collections, ids);
    const cut = upToSize(found, (one) => BSON.calculateObjectSize(one) + (sizes.get(one._id) ?? 0));
    return { ...cut, docs: rowsOf(cut.docs) };
  },
  async show(rows, context) {
    const campaigns = rows.map(({ campaign }) => campaign);
    const [views, figuresOf] = await Promise.all([
      rows[0]?.whole ? campaignViews(campaigns, context) : campaigns.map(campaignRow),
      rows[0]?.figures
        ? readCampaignFigures(
            campaigns.map(({ _id }) => _id),
            context,
          )
        : null,
    ]);
    return views.map((view) => ({ ...view, figures: figuresOf?.(view.id) }));
  },
});

export const getCampaign = defineAction({
  name: 'get_campaign',
  cli: ['campaigns', 'get'],
  summary: 'Show a campaign',
  description:
    'A campaign with its field mapping, filters, limits, ping settings, and the terms of its buyers and suppliers.',
  permission: 'campaigns:read',
  input: z.strictObject({ campaign_id }),
  example: { campaign_id: EXAMPLE_ID },
  output: CampaignView,
  run: (input, context) => campaignView(input.campaign_id, context),
});

export const createCampaignAction = defineAction({
  name: 'create_campaign',
  cli: ['campaigns', 'create'],
  summary: 'Create a campaign',
  description:
    'Creates a campaign, PAUSED by default. It accepts live leads when it is ACTIVE and has a supplier and a buyer.',
  permission: 'campaigns:write',
  input: z.strictObject({
    name: NewName,
    ...CAMPAIGN.given,
    fields: Fields.optional().describe('Fields in addition to the system fields'),
  }),
  example: { name: 'Auto insurance', status: 'ACTIVE', daily_cap: 500 },
  output: CampaignView,
  async run(input, context) {
    const { _id } = await createCampaign(context, input);
    return campaignView(_id, context);
  },
});

export const updateCampaignAction = defineAction({
  name: 'update_campaign',
  cli: ['campaigns', 'update'],
  summary: 'Change a campaign',
  description: 'Changes only the keys given. null removes a limit.',
  idempotent: true,
  permission: 'campaigns:write',
  input: z.strictObject({
    campaign_id,
    name: NewName.optional(),
    ...withoutKeys(CAMPAIGN.changed, ['filters']),
    expected_version,
  }),
  example: { campaign_id: EXAMPLE_ID, status: 'PAUSED' },
  output: CampaignView,
  run: (input, context) => changeCampaign(input, context, () => input),
});

export const updateFieldMapping = defineAction({
  name: 'update_field_mapping',
  cli: ['campaigns', 'set-fields'],
  summary: 'Replace the fields of a campaign',
  description:
    'Replaces all fields except the system fields (name, phone, email, state), whose rules can also be tightened here.',
  idempotent: true,
  permission: 'campaigns:write',
  input: z.strictObject({ campaign_id, fields: Fields, expected_version }),
  example: {
    campaign_id: EXAMPLE_ID,
    fields: [{ name: 'loan_amount', type: 'Number', min: 1_000 }],
  },
  output: CampaignView,
  run: (input, context) => changeCampaign(input, context, () => ({ fields: input.fields })),
});

export const addCampaignFields = defineAction({
  name: 'add_campaign_fields',
  cli: ['campaigns', 'add-fields'],
  summary: 'Add fields to a campaign',
  description: 'Adds fields, and keeps the existing ones unchanged.',
  permission: 'campaigns:write',
  input: z.strictObject({ campaign_id, fields: Fields.min(1), expected_version }),
  example: { campaign_id: EXAMPLE_ID, fields: [{ name: 'vehicle_year', type: 'Number' }] },
  output: CampaignView,
  run: (input, context) =>
    changeCampaign(input, context, ({ fields }) => {
      const taken = input.fields.find(({ name }) => fields.some((field) => field.name === name));
      if (!taken) return { fields: [...fields, ...input.fields] };
      const rule = `The campaign already has the field ${taken.name}`;
      throw invalidValue('fields', 'not_allowed', `${rule}; update_field_mapping changes it.`);
    }),
});

export const updateInboundFilters = defineAction({
  name: 'update_inbound_filters',
  cli: ['campaigns', 'set-filters'],
  summary: 'Replace the inbound filters of a campaign',
  description:
    'The filters decide which leads the campaign accepts. A lead that fails is refused with 422, which lists the ' +
    'rules that failed.',
  idempotent: true,
  permission: 'campaigns:write',
  input: z.strictObject({
    campaign_id,
    filters: CAMPAIGN.changed.filters.unwrap(),
    expected_version,
  }),
  example: {
    campaign_id: EXAMPLE_ID,
    filters: { all: [{ field: 'state', operator: 'IN', value: ['CA', 'TX'] }] },
  },
  output: CampaignView,
  run: (input, context) => changeCampaign(input, context, () => ({ filters: input.filters })),
});

interface Change {
  campaign_id: string;
  expected_version?: number;
}

/** Changes a campaign as far as its funnels allow it, and returns it. */
export async function changeCampaign(
  { campaign_id, expected_version: from }: Change,
  context: ActionContext,
  changesOf: (current: CampaignDoc) => Partial<CampaignInput>,
) {
  await updateCampaign(context, campaign_id, changesOf, {
    from,
    check: (current, changes) => requireFunnelsFit(context.collections, current, changes),
  });
  return campaignView(campaign_id, context);
}

const campaignView = async (campaignId: string, context: ActionContext) => {
  const [view] = await campaignViews([await findCampaign(context, campaignId)], context);
  if (!view) throw new Error('A campaign has a view');
  return view;
};

/** Campaigns with all that belongs to them: two commands for the links of all. */
async function campaignViews(campaigns: readonly CampaignDoc[], context: ActionContext) {
  const { collections, orgId } = context;
  const ids = campaigns.map(({ _id }) => _id);
  const [links, automations] = await Promise.all([
    loadNamedLinks(collections, ids),
    listAutomations(collections, orgId, ids),
  ]);
  const buyers = Map.groupBy(links.buyers, ({ campaign_id }) => campaign_id);
  const suppliers = Map.groupBy(links.suppliers, ({ campaign_id }) => campaign_id);
  return campaigns.map((campaign) => ({
    ...campaignRow(campaign),
    ping: pingSettingsView(campaign.ping),
    field_mapping: mergeFields(campaign.fields),
    buyers: (buyers.get(campaign._id) ?? []).map((link) => ({
      ...buyerLinkView(link),
      name: link.name,
      buyer_status: link.party_status,
    })),
    suppliers: (suppliers.get(campaign._id) ?? []).map((link) => ({
      ...supplierLinkView(link),
      name: link.name,
      supplier_status: link.party_status,
    })),
    automations: (automations.get(campaign._id) ?? []).map((one) => ({ ...one, id: one._id })),
  }));
}
