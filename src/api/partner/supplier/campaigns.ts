/** The campaigns of a supplier, and how to post to them. */
import { z } from 'zod';
import { createFieldTools } from '../../../account/access/fieldTools.js';
import { mergeFields } from '../../../account/plans/compilePlan.js';
import { PING_RATE } from '../../../account/rateLimit.js';
import { isPausedByPartner } from '../../../account/rules/partnerPause.js';
import { findSupplier } from '../../../account/suppliers/suppliers.js';
import type { SupplierDoc } from '../../../account/store/accountDocs.js';
import { fromMicros } from '../../../fields/money.js';
import { postingGuide } from '../../guide/guide.js';
import { guideAsMarkdown } from '../../guide/markdown.js';
import { definePartnerCall, type PartnerContext } from '../call.js';
import { linkOf, linksOf, type SupplierLink } from './links.js';
import { orNull, NoInput, CampaignId } from '../schemas/shared.js';
import { GuideView } from '../../actions/schemas/guide.js';

const SupplierCampaign = z.object({
  id: z.string(),
  name: z.string(),
  vertical: orNull(z.string()),
  /** Whether live posts are accepted now; `campaign_paused`: the operator has paused it. */
  state: z.enum(['open', 'paused', 'supplier_paused', 'campaign_paused']),
  /** The link itself is paused. */
  is_paused: z.boolean(),
  /** It was paused here, so that it can be resumed here; or the supplier can ask the operator to. */
  can_resume: z.boolean(),
  /** A ping comes before each post. */
  is_ping_post: z.boolean(),
  cost_mode: z.enum(['FIXED', 'REVENUE_SHARE', 'NONE']),
  /** The payout of a sold lead; null with another mode. */
  payout_per_lead: z.number().nullable(),
  /** Percent of the price; null with another mode. */
  revenue_share: z.number().nullable(),
});

export const listCampaigns = definePartnerCall({
  name: 'list_campaigns',
  effect: 'read',
  input: NoInput,
  output: z.object({
    campaigns: z.array(SupplierCampaign),
    /** The supplier as a whole. */
    supplier: z.object({
      status: z.enum(['active', 'paused']),
      can_resume: z.boolean(),
      test_mode: z.boolean(),
    }),
  }),
  async run(_input, context) {
    const [supplier, links] = await Promise.all([
      findSupplier(context, context.party_id),
      linksOf(context),
    ]);
    const { status, test_mode } = supplier;
    return {
      campaigns: links.map((link) => campaignView(link, supplier, context)),
      supplier: { status, can_resume: mayResume(supplier, context), test_mode },
    };
  },
});

function campaignView(
  { link, campaign }: SupplierLink,
  supplier: SupplierDoc,
  context: PartnerContext,
) {
  const { cost_mode, cost_per_lead, revenue_share } = link;
  return {
    ...campaign,
    id: campaign._id,
    state: stateOf({ link, campaign }, supplier),
    is_paused: link.status === 'paused',
    can_resume: mayResume(link, context),
    is_ping_post: campaign.routing_method === 'PING_POST',
    cost_mode,
    payout_per_lead: cost_mode === 'FIXED' ? fromMicros(cost_per_lead) : null,
    revenue_share: cost_mode === 'REVENUE_SHARE' ? revenue_share : null,
  };
}

type State = 'open' | 'paused' | 'supplier_paused' | 'campaign_paused';

/** The first reason to refuse a live post. */
function stateOf({ link, campaign }: SupplierLink, supplier: SupplierDoc): State {
  if (campaign.status !== 'ACTIVE') return 'campaign_paused';
  if (supplier.status === 'paused') return 'supplier_paused';
  return link.status === 'paused' ? 'paused' : 'open';
}

/** Where the operator decides, the supplier can ask to resume whatever is paused. */
const mayResume = (
  one: Parameters<typeof isPausedByPartner>[0],
  { settings }: PartnerContext,
): boolean =>
  settings.pause === 'direct'
    ? isPausedByPartner(one)
    : settings.pause === 'request' && one.status === 'paused';

export const getPostingGuide = definePartnerCall({
  name: 'get_posting_guide',
  effect: 'read',
  input: z.strictObject({ campaign_id: CampaignId }),
  output: z.object({ guide: GuideView, markdown: z.string() }),
  async run({ campaign_id }, context) {
    const { party_id, party_name, org, clock, ingestAddress } = context;
    const { campaign } = await linkOf(context, campaign_id);
    const supplier = await findSupplier(context, party_id);
    const fields = mergeFields(campaign.fields);
    const { _id: id, name, filters, vertical = null, routing_method } = campaign;
    const guide = postingGuide({
      campaign: { id, name, fields, filters, vertical, routing_method },
      supplier: { id: party_id, name: party_name },
      // A key is shown once, when it is made.
      apiKey: null,
      address: ingestAddress(),
      tools: await createFieldTools(fields),
      rateLimit: supplier.rate_limit,
      pingRateLimit: supplier.ping_rate_limit ?? PING_RATE.defaults,
      now: clock.now(),
      timeZone: org.time_zone,
    });
    return { guide, markdown: guideAsMarkdown(guide) };
  },
});
