/** Pings as the Actions API shows them. */
import type { z } from 'zod';
import { fromMicros } from '../../fields/money.js';
import { shownStatus } from '../../leads/rules/shownStatus.js';
import { noBidText } from '../../pings/rules/noBidText.js';
import type { Bid } from '../../pings/rules/ping.js';
import type { PingDoc } from '../../pings/store/pingDocs.js';
import { shownDetail } from '../../routing/explain/shownDetail.js';
import type { ActionContext } from './action.js';
import { readNames } from './recordNames.js';
import { readRowNames } from './rowNames.js';
import type { PingView } from './schemas/ping.js';

type Reading = Pick<ActionContext, 'collections' | 'orgId' | 'clock'>;

/** The stored state changes a little later. */
export const pingStateAt = (
  { state, expires_at }: Pick<PingDoc, 'state' | 'expires_at'>,
  now: Date,
) => (state === 'open' && expires_at <= now ? ('expired' as const) : state);

/** The auction of a ping with the names of all that took part, and the lead that was posted to it. */
export async function pingView(ping: PingDoc, context: Reading): Promise<z.input<typeof PingView>> {
  const { collections, orgId, clock } = context;
  const ids = [...ping.bids, ...ping.unbid].map(({ buyer_id }) => buyer_id);
  const [buyers, namesOf, org, lead] = await Promise.all([
    readNames(collections.buyers, ids, orgId),
    readRowNames(context, [{ campaign_id: ping.campaign_id, supplier_id: ping.supplier_id }]),
    collections.orgs.findOne({ _id: orgId }, { projection: { currency: 1 } }),
    ping.lead_id === undefined
      ? null
      : collections.leads.findOne({ _id: ping.lead_id, org_id: orgId }),
  ]);
  const { campaign_name, supplier_name } = namesOf(ping);
  const unbid = ping.unbid.map((one) => {
    const detail = shownDetail(one.detail);
    const why = noBidText({ reason: one.reason, detail }, org?.currency ?? '');
    return { ...one, buyer_name: buyers.get(one.buyer_id), detail, why };
  });
  return {
    ...ping,
    ping_id: ping._id,
    campaign_name,
    supplier_name,
    state: pingStateAt(ping, clock.now()),
    filter_errors: (ping.filter_errors ?? []).map((one) => ({ ...one })),
    fields: Object.keys(ping.digests),
    lead_status: lead && shownStatus(lead),
    won_by: lead?.buyer_id,
    bids: ping.bids.map((bid) => ({ ...bidView(bid), buyer_name: buyers.get(bid.buyer_id) })),
    unbid,
  };
}

const bidView = ({ price, net, bid, ...one }: Bid) => ({
  ...one,
  price: fromMicros(price),
  net: fromMicros(net),
  bid: fromMicros(bid),
});
