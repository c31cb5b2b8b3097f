/** Ping-post: how campaigns answer pings, how bids are requested from buyers, and the bids. */
import { z } from 'zod';
import { updateBuyer } from '../../../account/buyers/buyers.js';
import { fromMicros } from '../../../fields/money.js';
import { shownDetail } from '../../../routing/explain/shownDetail.js';
import { AppError } from '../../../lib/errors.js';
import type { PingDoc } from '../../../pings/store/pingDocs.js';
import { readNames } from '../recordNames.js';
import { defineAction } from '../action.js';
import { ADDRESS, PEOPLE } from '../exits.js';
import { pingIdOf } from '../../../pings/pingId.js';
import { BuyerView } from '../schemas/buyer.js';
import { CampaignView } from '../schemas/campaign.js';
import { id } from '../schemas/common.js';
import { BuyerPingPatch } from '../../../account/buyers/buyerPing.js';
import { PingSettingsPatch } from '../../../account/campaigns/pingSchema.js';
import { PingView } from '../schemas/ping.js';
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
  async run(input, { collections, caller, clock }) {
    const _id = pingIdOf(input.ping_id);
    const ping = await collections.pings.findOne({ _id, org_id: caller.org_id });
    if (!ping) {
      const text = `There is no ping ${_id.slice(0, 100)}, or it has been deleted`;
      throw new AppError('not_found', `${text}: refused pings are kept for 3 days, others for 30.`);
    }
    const ids = [...ping.bids, ...ping.unbid].map(({ buyer_id }) => buyer_id);
    const names = await readNames(collections.buyers, ids, caller.org_id);
    return pingView(ping, names, clock.now());
  },
});

function pingView(ping: PingDoc, names: ReadonlyMap<string, string>, now: Date) {
  // The stored state changes a little later.
  const isOver = ping.state === 'open' && ping.expires_at <= now;
  return {
    ...ping,
    ping_id: ping._id,
    state: isOver ? ('expired' as const) : ping.state,
    filter_errors: (ping.filter_errors ?? []).map((one) => ({ ...one })),
    fields: Object.keys(ping.digests),
    bids: ping.bids.map(({ price, net, bid, ...one }) => ({
      ...one,
      buyer_name: names.get(one.buyer_id),
      price: fromMicros(price),
      net: fromMicros(net),
      bid: fromMicros(bid),
    })),
    unbid: ping.unbid.map((one) => ({
      ...one,
      buyer_name: names.get(one.buyer_id),
      detail: shownDetail(one.detail),
    })),
  };
}
