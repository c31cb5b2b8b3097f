/** Every stored post of a supplier, with its answer. */
import { z } from 'zod';
import { mergeFields } from '../../../account/plans/compilePlan.js';
import { createShownBuyer } from '../../../leads/shownBuyer.js';
import { createSupplierLeads, type SupplierLead } from '../../../leads/store/supplierLeads.js';
import { pingIdOf } from '../../../pings/pingId.js';
import { PEOPLE } from '../../actions/exits.js';
import { pageOf } from '../../actions/paging.js';
import { definePagedPartnerCall, definePartnerCall, type PartnerContext } from '../call.js';
import { notYours } from '../refusals.js';
import { PAGE_ROWS, orNull, Instant } from '../schemas/shared.js';
import { shownFields } from '../shownFields.js';
import { answerOfLead, leadPost, shownRules, type LeadRows } from './leadPost.js';
import { linkOf } from './links.js';
import { answerOfPing, pingPost, shownBids } from './pingPost.js';
import { findPosts, type FoundPost } from './postPages.js';
import { readPostNames, type SupplierPostRow } from './postNames.js';
import { SupplierPost, PostFilter } from '../schemas/supplierPosts.js';

const SupplierPostDetail = SupplierPost.extend({
  /** The body of the answer. */
  answer_body: z.looseObject({}),
  decided_at: orNull(Instant),
  /** When the answer promised a later decision. */
  pending_at: orNull(Instant),
  expires_at: orNull(Instant),
  /** Every rule of the campaign that it did not pass. */
  filters: z.array(z.object({ field: z.string(), message: z.string() })),
  /** For a ping: the bids shown to the supplier, best first. */
  bids: z.array(z.object({ bid_price: z.number(), buyer_name: z.string().nullable() })),
  /** The fields that the supplier sent, out of those that the portal shows; null: a ping keeps none. */
  fields: orNull(
    z.array(
      z.object({
        name: z.string(),
        label: z.string(),
        value: z.union([z.string(), z.number(), z.boolean()]),
      }),
    ),
  ),
  /** The outcome that buyers reported, where the campaign shares it. */
  outcome: orNull(z.string()),
});

export const listPosts = definePagedPartnerCall({
  name: 'list_posts',
  effect: 'read',
  input: PostFilter.extend({ cursor: z.string().max(300).optional() }),
  output: z.array(SupplierPost),
  async run({ cursor, ...wanted }, context) {
    if (wanted.campaign_id !== undefined) await linkOf(context, wanted.campaign_id);
    const page = await pageOf('list_posts', { limit: PAGE_ROWS, cursor }, (place) =>
      findPosts(wanted, place, context),
    );
    return { ...page, data: await rowsOf(page.data, context) };
  },
});

/** Posts as lists show them. */
export async function rowsOf(
  posts: readonly FoundPost[],
  context: PartnerContext,
): Promise<SupplierPostRow[]> {
  const leads = posts.flatMap((one) => (one.kind === 'lead' ? [one.lead] : []));
  const pings = posts.flatMap((one) => (one.kind === 'ping' ? [one.ping] : []));
  const [rows, names] = await Promise.all([
    leadRows(leads, context),
    readPostNames(context, {
      campaignIds: [...leads, ...pings].map(({ campaign_id }) => campaign_id),
      buyerIds: [
        ...leads.flatMap(({ buyer_id }) => buyer_id ?? []),
        ...pings.flatMap(({ bids }) => bids.map(({ buyer_id }) => buyer_id)),
      ],
    }),
  ]);
  const pingRows = { ...pingContext(context), names };
  return posts.map((one) =>
    one.kind === 'lead' ? leadPost(one.lead, { ...rows, names }) : pingPost(one.ping, pingRows),
  );
}

const pingContext = ({ settings, keyring, clock }: PartnerContext) => ({
  settings,
  keyring,
  now: clock.now(),
});

/** Of the leads that these repeat, only the supplier's own: another supplier's posts are not shown. */
async function leadRows(
  leads: readonly SupplierLead[],
  context: PartnerContext,
): Promise<Omit<LeadRows, 'names'>> {
  const { keyring, settings } = context;
  const ids = leads.flatMap(({ duplicate_of, replay_of }) => [duplicate_of ?? [], replay_of ?? []]);
  const earlier = await suppliersLeads(context).get(ids.flat());
  return { earlier, settings, shown: createShownBuyer(keyring) };
}

const suppliersLeads = ({ collections, org_id, party_id }: PartnerContext) =>
  createSupplierLeads(collections.leads, { org_id, supplier_id: party_id });

export const getPost = definePartnerCall({
  name: 'get_post',
  effect: 'read',
  letsOut: [PEOPLE],
  input: z.strictObject({ post_id: z.string().min(1).max(100) }),
  output: SupplierPostDetail,
  async run({ post_id }, context) {
    const detail = (await leadDetail(post_id, context)) ?? (await pingDetail(post_id, context));
    if (detail) return detail;
    throw notYours();
  },
});

type Detail = z.input<typeof SupplierPostDetail>;

async function leadDetail(id: string, context: PartnerContext): Promise<Detail | null> {
  const { collections, org_id, settings } = context;
  const lead = await suppliersLeads(context).whole(id);
  if (!lead) return null;
  const { campaign_id, buyer_id } = lead;
  const [rows, names, campaign] = await Promise.all([
    leadRows([lead], context),
    readPostNames(context, { campaignIds: [campaign_id], buyerIds: buyer_id ? [buyer_id] : [] }),
    collections.campaigns.findOne({ _id: campaign_id, org_id }),
  ]);
  const all = { ...rows, names };
  const fields = { ...lead.extra, ...lead.fields };
  return {
    ...leadPost(lead, all),
    answer_body: answerOfLead(lead, all).body,
    decided_at: lead.decided_at,
    pending_at: lead.pending_at,
    filters: shownRules(lead.filter_errors),
    bids: [],
    fields: shownFields(settings, fields, mergeFields(campaign?.fields ?? [])),
    outcome: campaign?.share_outcomes ? lead.outcome : null,
  };
}

async function pingDetail(id: string, context: PartnerContext): Promise<Detail | null> {
  const { collections, org_id, party_id: supplier_id } = context;
  const ping = await collections.pings.findOne({ _id: pingIdOf(id), org_id, supplier_id });
  if (!ping) return null;
  const names = await readPostNames(context, {
    campaignIds: [ping.campaign_id],
    buyerIds: ping.bids.map(({ buyer_id }) => buyer_id),
  });
  const rows = { ...pingContext(context), names };
  return {
    ...pingPost(ping, rows),
    answer_body: answerOfPing(ping, rows).body,
    expires_at: ping.state === 'refused' ? null : ping.expires_at,
    filters: shownRules(ping.filter_errors),
    bids: shownBids(ping, rows),
  };
}
