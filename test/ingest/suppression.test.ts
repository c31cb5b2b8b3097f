import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  removeSuppressions,
  type SuppressionTarget,
} from '../../src/account/suppression/suppressions.js';
import { removeFromList } from '../../src/account/suppression/remove.js';
import { uploadSuppressions } from '../../src/account/suppression/upload.js';
import { NO } from '../support/fakeBuyer.js';
import { aPerson, supplierOf, type Answer, type Supplier } from '../support/supplier.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';
import { accountOf } from '../support/org.js';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

describe('a lead whose person is on a suppression list', () => {
  let testbed: Testbed;
  let second: string;
  const opened: Supplier[] = [];
  beforeAll(async () => {
    testbed = await startTestbed();
    second = (await testbed.otherApi()).url;
  });
  afterAll(async () => {
    await Promise.all(opened.map((supplier) => supplier.close()));
    await testbed.stop();
  });

  const suppress = async (
    { account }: Market,
    target: SuppressionTarget,
    csv: string,
  ): Promise<string> => {
    const source = (async function* () {
      yield await Promise.resolve(Buffer.from(csv));
    })();
    const list = { org_id: account.orgId, target, name: 'List', uploaded_by: 'test' };
    return (await uploadSuppressions(accountOf(testbed, list.org_id), list, source)).list_id;
  };
  const buyerOf = ({ account }: Market, name: string): SuppressionTarget => ({
    scope: 'buyer',
    buyer_id: account.buyers[name] ?? '',
  });
  const campaignOf = ({ account }: Market): SuppressionTarget => ({
    scope: 'campaign',
    campaign_id: account.campaignId,
  });
  const expectSuppressed = (answer: Answer, ...fields: string[]) => {
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      error: 'filtered',
      message: 'The lead is on a suppression list',
      request_id: expect.any(String),
      filter_errors: fields.map((field) => ({
        filter_id: 'suppression',
        field,
        operator: 'NOT IN',
        value: 'suppression list',
        message: `${field} is on a suppression list`,
      })),
      lead_id: expect.any(String),
    });
  };

  it.each(['organisation', 'campaign'] as const)(
    'is refused by a list of the %s from the next lead on, in every process',
    async (scope) => {
      const market = await testbed.market();
      const other = supplierOf(second, market.account);
      opened.push(other);
      const person = aPerson();
      // Both processes have the account without a list in memory.
      for (const api of [market, other]) expect((await api.post()).status).toBe(201);
      const target = scope === 'campaign' ? campaignOf(market) : { scope };
      const listId = await suppress(market, target, `phone\n${person.phone}\n`);
      for (const api of [market, other]) expectSuppressed(await api.post(person), 'phone');
      const answer = await other.post({ ...person, email: 'another@example.com' });
      expectSuppressed(answer, 'phone');
      const lead = await testbed.lead(String(answer.body.lead_id));
      expect(lead).toMatchObject({ status: 'REJECTED', price: 0, cost: 0, sales: [] });
      expect(lead.trail).toMatchObject([
        { step: 'received' },
        { step: 'filters', result: 'passed' },
        {
          step: 'suppression',
          result: 'matched',
          detail: { matches: [{ list_id: listId, scope, field: 'phone' }] },
        },
        { step: 'closing', result: 'REJECTED', reason: 'suppressed' },
      ]);
      expect(market.sentTo('only')).toHaveLength(2);

      // More people added to an existing list also apply at once.
      const next = aPerson();
      await suppress(market, target, `email\n${next.email}\n`);
      expectSuppressed(await market.post(next), 'email');

      // A person removed from it is accepted at once, in the other process too; the others are not.
      const { orgId: org_id } = market.account;
      const off = (async function* () {
        yield await Promise.resolve(Buffer.from(`phone\n${person.phone}\n`));
      })();
      const asked = { org_id, list_id: listId };
      expect(
        await removeFromList(accountOf(testbed, asked.org_id), asked.list_id, off),
      ).toMatchObject({ removed: 1, entries: 1 });
      expect((await other.post(person)).data?.status).toBe('ACCEPTED');
      expectSuppressed(await other.post(next), 'email');

      await removeSuppressions(accountOf(testbed, org_id), listId);
      for (const api of [other, market]) {
        const { data } = await api.post(api === other ? aPerson() : next);
        expect(data?.status).toBe('ACCEPTED');
      }
    },
  );

  it('is refused as a test lead, and in its other spellings', async () => {
    const market = await testbed.market();
    await suppress(market, { scope: 'organisation' }, 'phone,email\n5550001111,Ada@Example.com\n');
    const phone = '+1 (555) 000-1111';
    expectSuppressed(await market.post({ phone, email: 'ada@example.com ' }), 'phone', 'email');
    expectSuppressed(await market.post({ phone, test_lead: true }), 'phone');
  });

  it.each(['5550002222', '15550002222', '+15550002222'])(
    'is found on a list of ready hashes of %s',
    async (spelling) => {
      const market = await testbed.market();
      await suppress(market, campaignOf(market), `md5\n${md5(spelling)}\n`);
      expectSuppressed(await market.post({ phone: '555-000-2222' }), 'phone');
    },
  );

  it('goes to the next buyer when it is on the list of the first', async () => {
    const market = await testbed.market({ buyers: { first: {}, second: {} } });
    const person = aPerson();
    await suppress(market, buyerOf(market, 'first'), `email\n${person.email}\n`);
    const { data } = await market.post(person);
    expect(data).toMatchObject({ status: 'ACCEPTED', buyer_id: market.account.buyers.second });
    expect(market.sentTo('first')).toEqual([]);
    const { trail } = await testbed.lead(data?.id);
    expect(trail).toContainEqual({
      at: expect.any(Date),
      step: 'routing',
      result: 'skipped',
      buyer_id: market.account.buyers.first,
      reason: 'suppressed',
      detail: { field: 'email' },
    });
    expect((await market.post()).data?.buyer_id).toBe(market.account.buyers.first);
  });

  it('is refused when lists alone leave no buyer, and unmatched when the rest refuse it', async () => {
    const market = await testbed.market({
      buyers: { first: {}, second: {}, far: { states: ['TX'] } },
    });
    const person = aPerson();
    for (const name of ['first', 'second']) {
      await suppress(market, buyerOf(market, name), `phone\n${person.phone}\n`);
    }
    expectSuppressed(await market.post({ ...person, state: 'CA' }), 'phone');
    const { data } = await market.post({ ...person, state: 'TX' });
    expect(data).toMatchObject({ status: 'ACCEPTED', buyer_id: market.account.buyers.far });

    const picky = await testbed.market({ buyers: { first: {}, second: { answer: () => NO } } });
    await suppress(picky, buyerOf(picky, 'first'), `phone\n${person.phone}\n`);
    expect((await picky.post(person)).data?.status).toBe('UNMATCHED');
  });

  it('does not suppress later leads with its phone, and does not apply to other organizations', async () => {
    const [market, other] = [await testbed.market(), await testbed.market()];
    const person = aPerson();
    const listId = await suppress(market, campaignOf(market), `phone\n${person.phone}\n`);
    expectSuppressed(await market.post(person), 'phone');
    expect((await other.post(person)).data?.status).toBe('ACCEPTED');
    await removeSuppressions(accountOf(testbed, market.account.orgId), listId);
    expect((await market.post(person)).data?.status).toBe('ACCEPTED');
  });

  it('gets the same answer again under the same Idempotency-Key', async () => {
    const market = await testbed.market();
    const person = aPerson();
    await suppress(market, campaignOf(market), `phone\n${person.phone}\n`);
    const headers = { 'idempotency-key': 'once' };
    const first = await market.post(person, { headers });
    const again = await market.post(person, { headers });
    expectSuppressed(again, 'phone');
    expect(again.body.lead_id).toBe(first.body.lead_id);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });
});
