/** What a supplier needs to post leads to a campaign. */
import { readTimeZone } from '../../../account/orgs.js';
import { supplierKeyPlace } from '../../../account/rules/sealedPlaces.js';
import { linkId } from '../../../account/links/storeLink.js';
import { z } from 'zod';
import { findCampaign } from '../../../account/campaigns/campaigns.js';
import { mergeFields } from '../../../account/plans/compilePlan.js';
import { LEAD_RATE, PING_RATE } from '../../../account/rateLimit.js';
import { findSupplier } from '../../../account/suppliers/suppliers.js';
import { AppError } from '../../../lib/errors.js';
import { postingGuide } from '../../guide/guide.js';
import { guideAsMarkdown } from '../../guide/markdown.js';
import { createFieldTools } from '../../../account/access/fieldTools.js';
import { defineAction, type ActionContext } from '../action.js';
import { REVEALED_KEY, TO_REVEAL_A_KEY } from '../exits.js';
import { invalidField } from '../readInput.js';
import { id } from '../schemas/common.js';
import { GuideView } from '../schemas/guide.js';

const Input = z.strictObject({
  campaign_id: id('campaign'),
  supplier_id: id('supplier').optional(),
  format: z
    .enum(['json', 'markdown'])
    .default('json')
    .describe('json: data; markdown: a page to send to the supplier'),
  reveal_key: z
    .boolean()
    .default(false)
    .describe("Include the supplier's key; needs suppliers:write, and is recorded"),
});

export const getCampaignApiSpec = defineAction({
  name: 'get_campaign_api_spec',
  cli: ['campaigns', 'api-spec'],
  summary: "Show a supplier's posting guide for a campaign",
  description:
    'Where and how to post leads to a campaign, and to ping first where it asks for that: address, headers, every ' +
    'field with its type, rules and an example, working command lines, the answers and when they are given, test ' +
    'leads and limits. For one supplier, or with placeholders for any.',
  permission: 'campaigns:read',
  alsoNeeds: TO_REVEAL_A_KEY,
  letsOut: [REVEALED_KEY],
  input: Input,
  example: {
    campaign_id: '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11',
    supplier_id: 'c1b7d1e4-5b0a-4a43-9f0d-54f9f8d2b6e3',
    format: 'markdown',
  },
  output: z.object({
    format: z.enum(['json', 'markdown']).describe('The requested format'),
    guide: GuideView.nullable().describe('For the format json'),
    markdown: z.string().nullable().describe('For the format markdown'),
  }),
  async run(input, context) {
    const guide = await guideOf(input, context);
    if (input.format === 'json') return { format: input.format, guide, markdown: null };
    return { format: input.format, guide: null, markdown: guideAsMarkdown(guide) };
  },
});

async function guideOf(input: z.output<typeof Input>, context: ActionContext) {
  const { collections, caller, clock, ingestAddress } = context;
  if (input.reveal_key && input.supplier_id === undefined) {
    const message = 'supplier_id is required with reveal_key: name the supplier of the key.';
    throw invalidField('supplier_id', 'required', message);
  }
  const campaign = await findCampaign({ collections, orgId: caller.org_id }, input.campaign_id);
  const supplier =
    input.supplier_id === undefined
      ? null
      : await linkedSupplier(input.supplier_id, input, context);
  const apiKey =
    supplier && input.reveal_key
      ? context.keyring.open(supplier.api_key, supplierKeyPlace(supplier._id))
      : null;
  const timeZone = await readTimeZone(collections, caller.org_id);
  const fields = mergeFields(campaign.fields);
  const { _id, name, filters, vertical = null, routing_method } = campaign;
  return postingGuide({
    campaign: { id: _id, name, fields, filters, vertical, routing_method },
    supplier: supplier && { id: supplier._id, name: supplier.name },
    apiKey,
    address: ingestAddress(),
    tools: await createFieldTools(fields),
    rateLimit: supplier?.rate_limit ?? LEAD_RATE.defaults,
    pingRateLimit: supplier?.ping_rate_limit ?? PING_RATE.defaults,
    now: clock.now(),
    timeZone,
  });
}

/** The guide of a supplier that is not linked would be wrong. */
async function linkedSupplier(
  supplierId: string,
  { campaign_id }: { campaign_id: string },
  { collections, caller }: ActionContext,
) {
  const supplier = await findSupplier({ collections, orgId: caller.org_id }, supplierId);
  const _id = linkId(campaign_id, supplierId);
  if (await collections.campaignSuppliers.findOne({ _id, org_id: caller.org_id })) return supplier;
  const text = `Supplier ${supplier.name} is not linked to this campaign`;
  throw new AppError('action_refused', `${text}. Link it with add_supplier_to_campaign first.`);
}
