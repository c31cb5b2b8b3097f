/** Nothing about buyers, prices, margins and other suppliers is in any byte of an answer to a supplier. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PartnerCall } from '../../../../src/api/partner/call.js';
import { PORTALS } from '../../../../src/api/partner/registry.js';
import { TEAM_CALLS } from '../../../../src/api/partner/team.js';
import { pingFor } from '../../../pings/pingMarket.js';
import type { PortalReply } from '../../../support/portal.js';
import { startTestbed, type Market, type Testbed } from '../../../support/testbed.js';
import { everythingIn } from '../../../support/everything.js';
import { openSupplier, type SupplierPortal } from './scene.js';

/** Each is searched for by itself in every answer. */
const MARKS = {
  price: '7391.17',
  budget: '6113.29',
  buyer: 'Marked-Buyer-Ltd',
  rival: 'Marked-Rival-Inc',
  supplier: 'Marked Other Supplier',
  field: 'Marked-Hidden-Field',
  email: 'marked@others.example',
  header: 'Marked-Header-Value',
};

let testbed: Testbed;
let market: Market;
let portal: SupplierPortal;
let lead: string;
let ping: string;
beforeAll(async () => {
  testbed = await startTestbed();
  const delivery = { headers: { Authorization: MARKS.header } };
  market = await testbed.market({
    suppliers: 2,
    campaign: {
      routing_method: 'PING_POST',
      ping: { reveal_buyers: false, margin: { percent: 37 } },
      caps: { daily_budget: 6113.29 },
    },
    buyers: {
      [MARKS.buyer]: { price: 7391.17, delivery },
      [MARKS.rival]: { price: 7391.17, states: ['PR'], delivery },
    },
  });
  const { collections } = testbed;
  const [, other] = market.account.suppliers;
  await collections.suppliers.updateOne(
    { _id: other?.id ?? '' },
    { $set: { name: MARKS.supplier } },
  );
  portal = await openSupplier(testbed, market, {
    rules: { fields: ['first_name'], pause: 'direct' },
  });
  const bidders = { [MARKS.buyer]: { price: 7391.17, bid: 4 } };
  const { id, token } = await pingFor(testbed, market, { bidders, reveal_buyers: false });
  ping = id;
  const fields = { flo_ping_id: token, state: 'CA', last_name: MARKS.field };
  lead = (await market.supplier.postUntilTaken(fields)).data?.id ?? '';
  const foreign = await pingFor(testbed, market, {
    bidders,
    supplier_id: other?.id ?? '',
    claims: { supplier_id: other?.id ?? '' },
  });
  await market.post(
    { flo_ping_id: foreign.token, state: 'CA', email: MARKS.email },
    { supplier: 1 },
  );
});
afterAll(() => testbed.stop());

/** An input of every call. */
const inputs = (): Record<string, object> => {
  const { campaignId: campaign_id } = market.account;
  return {
    list_campaigns: {},
    get_posting_guide: { campaign_id },
    send_test_post: { campaign_id },
    send_test_ping: { campaign_id },
    list_posts: {},
    get_post: { post_id: lead },
    get_payout: {},
    get_ping_stats: {},
    get_caps_left: {},
    list_keys: {},
    create_key: { name: 'App' },
    rotate_key: { key_id: 'none' },
    revoke_key: { key_id: 'none' },
    pause: { campaign_id },
    resume: { campaign_id },
    get_webhook: {},
    set_webhook: { url: 'http://127.0.0.1:9/hook' },
    rotate_webhook_secret: {},
    test_webhook: {},
    remove_webhook: {},
  };
};

const bytesOf = ({ text, headers }: PortalReply): string =>
  `${text}\n${[...headers].map((header) => header.join(': ')).join('\n')}`;

describe('an answer to a supplier', () => {
  it('has an input here for every call', () => {
    const ofTeam: readonly PartnerCall[] = TEAM_CALLS;
    const own = PORTALS.supplier.calls.filter((call) => !ofTeam.includes(call));
    expect(Object.keys(inputs()).toSorted()).toEqual(own.map(({ name }) => name).toSorted());
  });

  it('contains no marker of a buyer, a price, another supplier or a hidden field, in any call', async () => {
    const hidden = [
      ...Object.values(MARKS),
      ...Object.values(market.account.buyers),
      market.account.suppliers[1]?.id ?? '',
    ];
    // Money is stored in another unit, and the header sealed; all else is there to be shown.
    const stored = await everythingIn(testbed.store.db);
    const unreadable: string[] = [MARKS.price, MARKS.budget, MARKS.header];
    expect(hidden.filter((mark) => !stored.includes(mark))).toEqual(unreadable);
    const calls = [...Object.entries(inputs()), ['get_post', { post_id: ping }] as const];
    const refused: string[] = [];
    for (const [name, input] of calls) {
      const reply = await portal.call(name, input);
      if (reply.status !== 200) refused.push(name);
      const bytes = bytesOf(reply);
      expect([name, hidden.filter((mark) => bytes.includes(mark))]).toEqual([name, []]);
    }
    // They name a key that does not exist.
    expect(refused).toEqual(['rotate_key', 'revoke_key']);
    for (const { name } of PORTALS.supplier.files) {
      const reply = await portal.file(name);
      expect([name, reply.status]).toEqual([name, 200]);
      const bytes = bytesOf(reply);
      expect([name, hidden.filter((mark) => bytes.includes(mark))]).toEqual([name, []]);
    }
    const me = bytesOf(await portal.me());
    expect(hidden.filter((mark) => me.includes(mark))).toEqual([]);
  });

  it('is the same 404 for everyone who is not a member', async () => {
    const stranger = await openSupplier(testbed, market, { n: 1 });
    const answers = new Set<string>();
    for (const [name, input] of Object.entries(inputs())) {
      const reply = await stranger.as(portal.membership_id).call(name, input);
      answers.add(`${reply.status} ${String(reply.json?.error)} ${String(reply.json?.message)}`);
    }
    const nobody = await stranger.as('mem_none').call('list_posts');
    answers.add(`${nobody.status} ${String(nobody.json?.error)} ${String(nobody.json?.message)}`);
    expect([...answers]).toEqual(['404 not_found There is no such portal.']);
  });

  it('is the same once its portal is closed', async () => {
    await portal.allow({ is_enabled: false });
    const reply = await portal.call('list_posts');
    expect([reply.status, reply.json?.message]).toEqual([404, 'There is no such portal.']);
    await portal.allow({});
  });
});
