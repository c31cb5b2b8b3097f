/** Which lead a postback identifies (contract 7.2). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { FieldRule } from '../../../src/fields/fieldRule.js';
import {
  faultsOf,
  startPostbackServers,
  type PostbackServers,
  type PostbackMarket,
} from './postbackServers.js';

const PERSON = { phone: '+15558675309', email: 'jane.doe@example.com' };
const field = (
  name: string,
  type: FieldRule['type'],
  more: Partial<FieldRule> = {},
): FieldRule => ({
  name,
  type,
  required: false,
  ping_required: false,
  ...more,
});
const FIELDS = [
  field('click_id', 'String'),
  field('order_no', 'Number', { min: 100 }),
  field('plan', 'List of Allowed Values', { allowed_values: ['Gold', 'Silver'] }),
  field('story', 'String', { max_length: 5_000 }),
  field('code', 'String', { transforms: ['trim', 'uppercase'] }),
];

describe('the lead of a postback', () => {
  let servers: PostbackServers;
  let market: PostbackMarket;
  let secret: string;
  beforeAll(async () => {
    servers = await startPostbackServers();
    market = await servers.market({ campaign: { fields: FIELDS } });
    secret = await market.secret();
  });
  afterAll(() => servers.stop());

  const campaign = () => ({ campaign_id: market.account.campaignId });
  const post = (means: object) => servers.post(secret, { outcome: 'pending', ...means });
  const found = async (means: object): Promise<unknown> => {
    const { status, json } = await post(means);
    return status === 200 ? (json?.data as { lead_id: string }).lead_id : [status, json?.error];
  };

  it('is the one with this id, in any case, and of this campaign where one is named', async () => {
    const { _id } = await market.sold({});
    expect(await found({ lead_id: _id })).toBe(_id);
    expect(await found({ lead_id: ` ${_id.toUpperCase()} ` })).toBe(_id);
    expect(await found({ lead_id: _id, ...campaign() })).toBe(_id);
    expect(await found({ lead_id: _id, campaign_id: randomUUID() })).toEqual([404, 'not_found']);
    for (const lead_id of [randomUUID(), 'no id', '%00', 5])
      expect(await found({ lead_id })).toEqual([404, 'not_found']);
  });

  it('is the one with this phone or email, in any format', async () => {
    const { _id } = await market.sold(PERSON);
    for (const phone of ['5558675309', '+1 (555) 867-5309', 5_558_675_309])
      expect(await found({ phone, ...campaign() })).toBe(_id);
    expect(await found({ email: ' Jane.Doe@EXAMPLE.com', ...campaign() })).toBe(_id);
    expect(await found({ match_field: 'phone', match_value: '5558675309', ...campaign() })).toBe(
      _id,
    );
    expect(await found({ phone: '5558675300', ...campaign() })).toEqual([404, 'not_found']);
    for (const campaign_id of [randomUUID(), 'none'])
      expect(await found({ phone: PERSON.phone, campaign_id })).toEqual([404, 'not_found']);
    const reply = await post({ phone: 'none', ...campaign() });
    expect([reply.status, faultsOf(reply)]).toEqual([400, [['phone', 'invalid_format']]]);
  });

  it('is the one whose phone or address an earlier release stored in another form', async () => {
    const { _id } = await market.sold({ phone: '+00442079460018', email: 'ada@bücher.example' });
    for (const phone of ['+44 20 7946 0018', '0044 (0)20 7946 0018', '+00442079460018'])
      expect(await found({ phone, ...campaign() })).toBe(_id);
    for (const email of ['Ada@BÜCHER.example', 'ada@xn--bcher-kva.example'])
      expect(await found({ email, ...campaign() })).toBe(_id);
  });

  it('is the one with this value of any field, as ingest would store it', async () => {
    const story = 'long '.repeat(300);
    const { _id } = await market.sold({
      click_id: 'Ab-1',
      order_no: 4_711,
      plan: 'Gold',
      story,
      code: 'XY',
      state: 'CA',
    });
    const by = (match_field: string, match_value: unknown) =>
      found({ match_field, match_value, ...campaign() });
    expect(await found({ click_id: 'Ab-1', ...campaign() })).toBe(_id);
    expect(await by('click_id', 'Ab-1')).toBe(_id);
    expect(await by('click_id', 'ab-1')).toEqual([404, 'not_found']);
    expect(await by('order_no', '4711')).toBe(_id);
    expect(await by('order_no', 4_711.0)).toBe(_id);
    expect(await by('order_no', 5)).toEqual([404, 'not_found']);
    expect(await by('plan', 'gold')).toBe(_id);
    expect(await by('story', story)).toBe(_id);
    expect(await by('story', `${story}.`)).toEqual([404, 'not_found']);
    expect(await by('code', ' xy ')).toBe(_id);
    expect(await by('state', 'ca')).toBe(_id);
  });

  it('may be of any campaign of the buyer, by the same address and secret', async () => {
    const fields = { phone: '+15550006666' };
    const { _id: first } = await market.sold(fields);
    const campaign_id = randomUUID();
    const { _id: second } = await market.sold(fields, ['Acme'], { campaign_id });
    expect(await found({ ...fields, ...campaign() })).toBe(first);
    for (const lead_id of [first, second]) expect(await found({ lead_id })).toBe(lead_id);
  });

  it('cannot be named by a field that the campaign does not have, or a value that it cannot have', async () => {
    const plain = await servers.market();
    const bare = { campaign_id: plain.account.campaignId, outcome: 'pending' };
    const clicked = await servers.post(await plain.secret(), { ...bare, click_id: 'a' });
    expect([clicked.status, faultsOf(clicked)]).toEqual([400, [['click_id', 'not_allowed']]]);
    const unknown = await post({ match_field: 'order_nr', match_value: '1', ...campaign() });
    expect([unknown.status, faultsOf(unknown)]).toEqual([400, [['match_field', 'not_allowed']]]);
    expect(JSON.stringify(unknown.json)).toContain('Did you mean order_no?');
    const wrong = await post({ match_field: 'order_no', match_value: 'many', ...campaign() });
    expect(faultsOf(wrong)).toEqual([['match_value', 'invalid_format']]);
  });

  it('is ambiguous when the buyer has more than one, by phone and email too', async () => {
    const twice = { phone: '+15550001111', email: 'twice@example.com', click_id: 'twice' };
    const [first] = await Promise.all([market.sold(twice), market.sold(twice)]);
    const { phone, email, click_id } = twice;
    const ways = [{ phone }, { email }, { click_id }, { match_field: 'phone', match_value: phone }];
    for (const way of ways) {
      const { status, json } = await post({ ...way, ...campaign() });
      expect([status, json?.error]).toEqual([409, 'ambiguous']);
      expect(json?.message).toMatch(/^2 of your leads in this campaign have this \w+\. Send /);
    }
    expect(await found({ lead_id: first._id })).toBe(first._id);
  });

  it("is one of the buyer's own: neither leads of others nor unsold ones make it ambiguous", async () => {
    const fields = { phone: '+15550002222' };
    const { _id } = await market.sold(fields);
    await market.sold(fields, ['Best']);
    await market.sent('rejected', fields, { status: 'UNMATCHED' });
    await market.sent('expired', fields, { status: 'EXPIRED' });
    const other = await servers.market();
    const elsewhere = await other.sold(fields);
    expect(await found({ ...fields, ...campaign() })).toBe(_id);
    expect(await found({ lead_id: elsewhere._id })).toEqual([404, 'not_found']);
  });

  it.each(['unknown', 'accepted'] as const)(
    'may be one that was sent to the buyer, and is %s',
    async (state) => {
      const fields = { phone: state === 'unknown' ? '+15550003333' : '+15550003334' };
      const { _id } = await market.sent(state, fields);
      expect(await found({ lead_id: _id })).toBe(_id);
      expect(await found({ ...fields, ...campaign() })).toBe(_id);
    },
  );

  it.each(['parked', 'sending'] as const)(
    'may be one that the buyer never answered, and is %s to be sent again',
    async (state) => {
      const { _id } = await market.sent(state, {}, {}, { unanswered: true });
      expect(await found({ lead_id: _id })).toBe(_id);
    },
  );

  it.each(['sending', 'parked', 'rejected', 'failed', 'abandoned', 'expired'] as const)(
    'is not one whose delivery to the buyer is %s',
    async (state) => {
      const { _id } = await market.sent(state);
      expect(await found({ lead_id: _id })).toEqual([404, 'not_found']);
    },
  );

  it('may be a further sale of a lead', async () => {
    const { _id } = await market.sold({}, ['Best', 'Acme']);
    expect(await found({ lead_id: _id })).toBe(_id);
    expect(servers.changes.made.at(-1)?.buyer_id).toBe(market.account.buyers.Acme);
  });

  /** `count` copies of a lead that differ only in their ids. */
  const copies = async (lead: Lead, count: number) =>
    servers.collections.leads.insertMany(
      Array.from({ length: count }, () => ({ ...lead, _id: randomUUID() })),
    );

  it('is found among 300 leads of other buyers with the same phone', async () => {
    const fields = { phone: '+15550004444' };
    const own = await market.sold(fields);
    await copies(await market.sold(fields, ['Best']), 299);
    const means = { phone: '555 000 4444', ...campaign() };
    expect(await found(means)).toBe(own._id);
    expect(
      (await servers.post(await market.secret('Best'), { ...means, note: 'a' })).json,
    ).toMatchObject({
      error: 'ambiguous',
      message: expect.stringMatching(/^300 of your leads in this campaign /),
    });
    await market.sold(fields, ['Best', 'Acme']);
    expect((await post(means)).json?.message).toMatch(/^2 of your leads in this campaign /);
  });

  it.each([
    ['sold to others, and sent to it without an answer', 'ACCEPTED', 'unknown'],
    ['open, and sent to it without an answer', 'PENDING', 'unknown'],
  ] as const)('is found among hundreds where it is %s', async (_case, status, state) => {
    const fields = { phone: status === 'PENDING' ? '+15550005551' : '+15550005552' };
    const means = { phone: fields.phone, ...campaign() };
    await copies(await market.sold(fields, ['Best']), 150);
    await copies(await market.sent('rejected', fields, { status: 'UNMATCHED' }), 150);
    expect(await found(means)).toEqual([404, 'not_found']);
    const best = market.account.buyers.Best ?? '';
    const sales = [{ buyer_id: best, attempt: 2, price: 1, cost: 0, at: new Date() }];
    const sold = status === 'ACCEPTED' ? { sales } : {};
    const { _id } = await market.sent(state, fields, { status, ...sold });
    expect(await found(means)).toBe(_id);
  });

  it('is not searched for among more than 2,000 leads with one value', async () => {
    await copies(await market.sold({ code: 'CROWD' }, ['Best']), 1_999);
    const many = { match_field: 'code', match_value: 'crowd', ...campaign() };
    expect(await found(many)).toEqual([404, 'not_found']);
    const { _id } = await market.sold({ code: 'CROWD' });
    const refused = await post(many);
    expect([refused.status, refused.json?.error]).toEqual([409, 'ambiguous']);
    expect(refused.json?.message).toMatch(/^More than 2000 leads of this campaign /);
    expect(await found({ lead_id: _id })).toBe(_id);
  });
});
