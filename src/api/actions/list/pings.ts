/** Ping-post: how campaigns answer pings, how bids are requested from buyers, and the bids. */
import { z } from 'zod';
import { updateBuyer } from '../../../account/buyers/buyers.js';
import { fromMicros } from '../../../fields/money.js';
import { AppError } from '../../../lib/errors.js';
import { findOrgPings } from '../../../pings/store/pingPages.js';
import { requireNamed } from '../leadFilter.js';
import { pingStateAt, pingView } from '../pingViews.js';
import { readNames } from '../recordNames.js';
import { defineAction, defineList } from '../action.js';
import { ADDRESS, PEOPLE } from '../exits.js';
import { pingIdOf } from '../../../pings/pingId.js';
import { BuyerView } from '../schemas/buyer.js';
import { CampaignView } from '../schemas/campaign.js';
import { id } from '../schemas/common.js';
import { BuyerPingPatch } from '../../../account/buyers/buyerPing.js';
import { PingSettingsPatch } from '../../../account/campaigns/pingSchema.js';
import { ListedPingView, PingStateName, PingView } from '../schemas/ping.js';
import { buyerView } from './buyers.js';
import { changeCampaign, expected_version } from './campaigns.js';

const EXAMPLE_CAMPAIGN = '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11';
const EXAMPLE_BUYER = '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7';

export const configurePingPost = defineAction({
  name: 'configure_ping_post',
  cli: ['campaigns', 'configure-ping'],
  summary: 'Set how a campaign answers pings',
  description:
    'Sets the margin, the lowest and the highest bid, the rounding of bids, whether suppliers see who bids, the ' +
    'deadline for buyers, and what happens to a lead that differs from its ping. Changes only the settings given; ' +
    'null resets a setting to its default. Pings are answered once update_campaign has set routing_method to ' +
    'PING_POST.',
  idempotent: true,
  permission: 'campaigns:write',
  input: z.strictObject({
    campaign_id: id('campaign'),
    ...PingSettingsPatch.shape,
    expected_version,
  }),
  example: { campaign_id: EXAMPLE_CAMPAIGN, margin: { percent: 15 }, min_bid: 5 },
  output: CampaignView.extend({
    note: z.string().nullable().describe('What is missing before pings are answered'),
  }),
  async run({ campaign_id, expected_version: expected, ...ping }, context) {
    const place = { campaign_id, expected_version: expected };
    const view = await changeCampaign(place, context, () => ({ ping }));
    const isDirect = view.routing_method === 'DIRECT_POST';
    return { ...view, note: isDirect ? DIRECT : null };
  },
});

const DIRECT =
  'The campaign accepts leads directly (routing_method DIRECT_POST) and does not answer pings yet: set PING_POST ' +
  'with update_campaign.';

export const setBuyerPing = defineAction({
  name: 'set_buyer_ping',
  cli: ['buyers', 'set-ping'],
  summary: 'Set how bids are requested from a buyer',
  description:
    'A buyer with ping settings gets a bid request for each lead; any other buyer bids its price. The request has the ' +
    'fields that every ping must have and those listed here, and nothing else. Changes only the settings given; null ' +
    'resets a setting to its default. A url with another origin (scheme, host, port) needs its headers again, or {} ' +
    'for none.',
  idempotent: true,
  permission: 'buyers:write',
  letsOut: [ADDRESS],
  input: BuyerPingPatch.extend({ buyer_id: id('buyer') }),
  example: { buyer_id: EXAMPLE_BUYER, url: 'https://buyer.example/pings', fields: ['zip_code'] },
  output: BuyerView,
  async run({ buyer_id, ...ping }, context) {
    return buyerView(await updateBuyer(context, buyer_id, { ping }), context);
  },
});

export const listPings = defineList({
  name: 'list_pings',
  cli: ['pings', 'list'],
  summary: 'List pings',
  description:
    'Pings that match all filters given, newest first, each with its best bids by the names of their buyers, and whether a ' +
    'lead was posted to it. Live pings by default. Pings are kept for 30 days, refused ones for 3.',
  permission: 'leads:read',
  filters: {
    campaign_id: id('campaign').optional(),
    supplier_id: id('supplier').optional(),
    status: PingStateName.optional(),
    created_from: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('Pings received at this instant or later, such as 2026-11-22T07:30:00Z'),
    is_test: z.boolean().default(false).describe('true: test pings instead of live ones'),
  },
  example: { status: 'redeemed', limit: 20 },
  output: z.array(ListedPingView),
  async find({ status, created_from, ...wanted }, context, page) {
    const { collections, caller } = context;
    const from = created_from === undefined ? undefined : new Date(created_from);
    const filter = { org_id: caller.org_id, ...wanted, state: status, from };
    const found = await findOrgPings(collections.pings, filter, page);
    if (!found) {
      const message =
        'The search for the few pings that match all filters would read too many. Leave status or supplier_id out, or ' +
        'set a later created_from.';
      throw new AppError('action_refused', message);
    }
    // An unknown name has no pings either; a deleted one may have some.
    if (found.docs.length === 0 && !page.after) await requireNamed(wanted, context);
    return found;
  },
  async show(pings, { collections, caller, clock }) {
    const names = (of: Parameters<typeof readNames>[0], ids: string[]) =>
      readNames(of, ids, caller.org_id);
    const buyerIds = pings.flatMap(({ bids }) => bids.map(({ buyer_id }) => buyer_id));
    const [buyers, campaigns, suppliers] = await Promise.all([
      names(collections.buyers, buyerIds),
      names(
        collections.campaigns,
        pings.map(({ campaign_id }) => campaign_id),
      ),
      names(
        collections.suppliers,
        pings.map(({ supplier_id }) => supplier_id),
      ),
    ]);
    const now = clock.now();
    return pings.map(({ bids, ...ping }) => ({
      ...ping,
      ping_id: ping._id,
      campaign_name: campaigns.get(ping.campaign_id),
      supplier_name: suppliers.get(ping.supplier_id),
      state: pingStateAt(ping, now),
      best_bid: bids[0] ? fromMicros(bids[0].bid) : null,
      bids: bids.map(({ buyer_id, price, bid }) => ({
        buyer_id,
        buyer_name: buyers.get(buyer_id),
        price: fromMicros(price),
        bid: fromMicros(bid),
      })),
    }));
  },
});

export const getPing = defineAction({
  name: 'get_ping',
  cli: ['pings', 'get'],
  summary: 'Show a ping',
  description:
    'The bids on a ping, the buyers without a bid and why, and the lead that was posted to it. Pings are kept for 30 ' +
    'days, refused ones for 3.',
  permission: 'leads:read',
  letsOut: [PEOPLE],
  input: z.strictObject({
    ping_id: z
      .string()
      .min(1)
      .max(2_000)
      .describe('The id of the ping, or the ping_id that its supplier received'),
  }),
  example: { ping_id: '9b1c7a52-3c1e-4a66-b7f4-5f1d2e3c4b5a' },
  output: PingView,
  async run(input, context) {
    const _id = pingIdOf(input.ping_id);
    const ping = await context.collections.pings.findOne({ _id, org_id: context.orgId });
    if (!ping) {
      const text = `There is no ping ${_id.slice(0, 100)}, or it has been deleted`;
      throw new AppError('not_found', `${text}: refused pings are kept for 3 days, others for 30.`);
    }
    return pingView(ping, context);
  },
});
