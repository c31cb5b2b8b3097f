import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createKeyring } from '../../../src/platform/security/seal.js';
import { compileMapping } from '../../../src/fields/mapping.js';
import { aBody, aBuyer, aPlan, aSupplier } from '../../support/builders.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { finish, insertSettledRow, openRow, settleRow } from './records.js';
import { dedupe, filter, giveBack, route, validate } from './steps.js';
import type { SlotDoc, Surroundings } from './surroundings.js';
import type { Attempt, KnownLead } from './way.js';

const CAP = 3;
const SENT: Attempt = {
  buyerId: 'a',
  n: 1,
  askedAt: '2026-11-21T12:00:00Z',
  latencyMs: 5,
  verdict: { result: 'accepted', reason: 'The buyer answered 200', http_status: 200 },
};

describe('the steps of the references', () => {
  let database: TestDatabase;
  let around: Surroundings;
  beforeEach(async () => {
    database = await openDatabase();
    const plan = aPlan({
      suppliers: { s1: aSupplier() },
      buyers: [aBuyer({ buyer_id: 'a', caps: { daily_cap: CAP } }), aBuyer({ buyer_id: 'b' })],
    });
    around = {
      collections: database.collections,
      plan,
      map: compileMapping(plan.fields),
      slots: database.client.db(database.name).collection<SlotDoc>('slots'),
      keyring: createKeyring('a secret of 32 characters or more, for the test'),
      agent: new Agent(),
      close: () => Promise.resolve(),
    };
  });
  afterEach(() => database.drop());

  const taken = async (id: string, more: Record<string, unknown> = {}): Promise<KnownLead> => {
    const validated = await validate(around, id, aBody(more));
    if ('errors' in validated) throw new Error(JSON.stringify(validated.errors));
    return validated.lead;
  };

  it('store a lead as the service does, once', async () => {
    await taken('lead-1');
    await taken('lead-1');
    const stored = await database.collections.leads.find({}).toArray();
    expect(stored).toMatchObject([{ _id: 'lead-1', status: 'NEW', supplier_id: 's1' }]);
    expect(stored[0]?.keys).toContain('phone:+15551234567');
  });

  it('store nothing of a lead whose fields are wrong', async () => {
    const validated = await validate(around, 'lead-1', aBody({ phone: undefined }));
    expect(validated).toMatchObject({ errors: [{ field: 'phone', code: 'required' }] });
    expect(await database.collections.leads.countDocuments()).toBe(0);
  });

  it('rank the buyers', async () => {
    const lead = await taken('lead-1');
    expect(filter(around, lead)).toMatchObject({ rejected: false, buyerIds: ['a', 'b'] });
  });

  it('recognize a second lead of the same person, and the first one when it is repeated', async () => {
    const [first, second] = [await taken('lead-1'), await taken('lead-2', { email: 'b@x.org' })];
    expect(await dedupe(around, first)).toBeNull();
    expect(await dedupe(around, second)).toBe('lead-1');
    expect(await dedupe(around, first)).toBeNull();
  });

  it('claim nothing more for a duplicate, and continue with the claims of their own lead', async () => {
    const { claims } = database.collections;
    const first = await taken('lead-1');
    await dedupe(around, first);
    const stored = await claims.find({}).toArray();
    expect(stored.map(({ lead_id }) => lead_id)).toEqual(['lead-1', 'lead-1']);
    const second = await taken('lead-2', { email: 'b@x.org' });
    expect(await dedupe(around, second)).toBe('lead-1');
    expect(await claims.countDocuments()).toBe(2);
    // An earlier run of the step stored the first claim alone.
    await claims.deleteOne({ _id: stored[1]?._id ?? '' });
    expect(await dedupe(around, first)).toBeNull();
    expect(await claims.countDocuments({ lead_id: 'lead-1' })).toBe(2);
  });

  it('give no slot beyond a cap to concurrent requests', async () => {
    const given = await Promise.all(Array.from({ length: 20 }, () => route(around, ['a', 'b'])));
    expect(given.filter((buyerId) => buyerId === 'a')).toHaveLength(CAP);
    expect(given.filter((buyerId) => buyerId === 'b')).toHaveLength(20 - CAP);
    expect(await route(around, ['a'])).toBeNull();
    await giveBack(around, 'a');
    expect(await route(around, ['a'])).toBe('a');
  });

  it('store a sale the same way, in one write and in two', async () => {
    for (const [id, more] of [
      ['lead-1', {}],
      ['lead-2', { phone: '5559876543', email: 'b@x.org' }],
    ] as const) {
      const lead = await taken(id, more);
      if (id === 'lead-1') await insertSettledRow(around, lead, SENT);
      else {
        await openRow(around, lead, 'a', 1);
        await settleRow(around, lead, SENT);
      }
      await finish(around, lead, { status: 'ACCEPTED', trail: [], attempts: [SENT] });
    }
    const { leads, deliveries } = database.collections;
    const price = aBuyer().price;
    const sold = { status: 'ACCEPTED', buyer_id: 'a', price, sales: [{ buyer_id: 'a', price }] };
    expect(await leads.find({}).sort({ _id: 1 }).toArray()).toMatchObject([
      { _id: 'lead-1', ...sold },
      { _id: 'lead-2', ...sold },
    ]);
    const row = { state: 'accepted', buyer_id: 'a', http_status: 200, latency_ms: 5 };
    expect(await deliveries.find({}).sort({ _id: 1 }).toArray()).toMatchObject([
      { _id: 'lead-1:1', ...row },
      { _id: 'lead-2:1', ...row },
    ]);
  });
});
