/** Campaigns: list, look at, create, change. */
import { listAutomations } from '../../../automations/automations.js';
import { z } from 'zod';
import {
  createCampaign,
  findCampaign,
  updateCampaign,
  type CampaignInput,
} from '../../../account/campaigns/campaigns.js';
import { mergeFields } from '../../../account/plans/compilePlan.js';
import { loadNamedLinks } from '../../../account/campaigns/loadCampaign.js';
import { pingSettingsView } from '../../../account/campaigns/pingSettings.js';
import { CAMPAIGN } from '../../../account/settings/campaignSettings.js';
import { invalidValue } from '../../../account/values.js';
import { readVertical, VERTICAL_MAX, verticalKey } from '../../../account/rules/vertical.js';
import type { CampaignDoc } from '../../../account/store/campaignDoc.js';
import { requireFunnelsFit } from '../../../funnels/campaign.js';
import { findPage, OLDEST_FIRST } from '../../../platform/mongo/pages.js';
import { defineAction, defineList, type ActionContext } from '../action.js';
import { withoutKeys } from '../../../lib/defined.js';
import { CampaignRow, CampaignView, Fields } from '../schemas/campaign.js';
import { id, NewName } from '../schemas/common.js';
import { buyerLinkView, campaignRow, supplierLinkView } from '../views.js';

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
  description: 'Every campaign of the organization, oldest first.',
  permission: 'campaigns:read',
  filters: {
    status: CAMPAIGN.changed.status.describe('Only those with this status'),
    vertical: z
      .string()
      .max(VERTICAL_MAX)
      .optional()
      .describe('Only those with this vertical, case-insensitive'),
    campaign_type: CAMPAIGN.changed.campaign_type,
  },
  example: { status: 'ACTIVE' },
  output: z.array(CampaignRow),
  find({ status, vertical }, { collections, orgId: org_id }, wanted) {
    const key = readVertical(vertical ?? null);
    const vertical_key = key === null ? undefined : verticalKey(key);
    return findPage(collections.campaigns, { org_id, status, vertical_key }, OLDEST_FIRST, wanted);
  },
  show: (campaigns) => campaigns.map(campaignRow),
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

async function campaignView(campaignId: string, context: ActionContext) {
  const { collections, orgId } = context;
  const [campaign, { buyers, suppliers }, automations] = await Promise.all([
    findCampaign(context, campaignId),
    loadNamedLinks(collections, campaignId),
    listAutomations(collections, orgId, campaignId),
  ]);
  return {
    ...campaignRow(campaign),
    ping: pingSettingsView(campaign.ping),
    field_mapping: mergeFields(campaign.fields),
    buyers: buyers.map((link) => ({ ...buyerLinkView(link), name: link.name })),
    suppliers: suppliers.map((link) => ({ ...supplierLinkView(link), name: link.name })),
    automations: automations.map((one) => ({ ...one, id: one._id })),
  };
}
