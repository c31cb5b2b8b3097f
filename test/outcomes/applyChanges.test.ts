import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lead } from '../../src/leads/rules/lead.js';
import { createLeadStore } from '../../src/leads/store/leads.js';
import { createOutcomeStore } from '../../src/outcomes/store/outcomes.js';
import { dying } from '../reports/rolled.js';
import { after, NOW } from '../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { aChange, applyAll, aSale, aSoldLead, expectExact, nthChange } from './changes.js';

describe('changes of sold leads', () => {
  let database: TestDatabase;
  let commands = 0;
  beforeAll(async () => {
    database = await openDatabase({ monitorCommands: true });
    database.client.on('commandStarted', () => (commands += 1));
  });
  afterAll(() => database.drop());

  const store = async (...changes: ReturnType<typeof aChange>[]) => {
    await createOutcomeStore(database.collections.outcomes).insert(changes);
    return changes;
  };
  const sold = async (more: Parameters<typeof aSoldLead>[0] = {}) => {
    const lead = aSoldLead(more);
    await database.collections.leads.insertOne(lead);
    return lead._id;
  };

  it('are applied in the order of arrival, whatever the order of the call', async () => {
    const id = await sold();
    const changes = await store(...[3, 1, 2].map((n) => nthChange(id, n)));
    expect(await applyAll(changes, database.collections)).toEqual({ unsold: [], left: [] });
    const { lead, changes: made } = await expectExact(id, database.collections);
    expect(made.map(({ received_at }) => received_at)).toEqual([after(1), after(2), after(3)]);
    expect(lead).toMatchObject({ outcome: 'pending', price: 10e6, uncounted: true, changes: 2 });
    expect(made[0]?.answer).toMatchObject({
      lead_id: id,
      status: 'converted',
      outcome: 'converted',
      conversion_revenue: 1e6,
      lead_value: null,
      note: null,
      updated_at: after(1),
    });
  });

  it('are applied after an earlier one of their lead that nobody has applied', async () => {
    const id = await sold();
    const [abandoned, later] = await store(nthChange(id, 1), nthChange(id, 2));
    const stranger = aChange(id, { buyer_id: 'stranger' });
    await store(stranger);
    if (!abandoned || !later) throw new Error('two changes are stored');
    // A change that the call does not name is not its own to give up.
    expect(await applyAll([later], database.collections)).toEqual({ unsold: [], left: [] });
    expect((await database.collections.outcomes.findOne({ _id: stranger._id }))?.state).toBe(
      'open',
    );
    await database.collections.outcomes.deleteOne({ _id: stranger._id });
    await applyAll([abandoned], database.collections);
    const { lead, changes } = await expectExact(id, database.collections);
    expect(changes.map(({ _id }) => _id)).toEqual([abandoned._id, later._id]);
    expect(lead).toMatchObject({ outcome: 'not_qualified', price: 10e6 });
  });

  it('need five commands, however many they are', async () => {
    const ids = await Promise.all(Array.from({ length: 24 }, () => sold()));
    const changes = await store(...ids.flatMap((id) => [nthChange(id, 1), nthChange(id, 2)]));
    commands = 0;
    await applyAll(changes, database.collections);
    expect(commands).toBe(5);
    for (const id of ids) await expectExact(id, database.collections);
  });

  it('leave leads that share statements as if each change had been applied alone', async () => {
    const dates = { converted_at: NOW, outcome_due: after(1_000_000) };
    const states: Parameters<typeof aSoldLead>[0][] = [
      {},
      { changes: 3 },
      dates,
      { ...dates, outcome: 'converted', outcome_at: NOW, outcome_seq: 2, changes: 3 },
      { sales: [aSale(), aSale({ buyer_id: 'second', attempt: 2, price: 7e6 })] },
      { is_test: true },
    ];
    const asks: Parameters<typeof nthChange>[1][] = [0, 1, 2, 7];
    const leads = states.flatMap((state) => asks.map(() => aSoldLead(state)));
    // A note is a buyer's text: MongoDB must not read it as an expression.
    const note = { kind: 'outcome', note: '$price' } as const;
    const changesOf = ({ _id }: Lead, n: number) => [
      nthChange(_id, asks[n % asks.length] ?? 0),
      ...(n % 5 === 0 ? [aChange(_id, { ask: note, received_at: after(9) })] : []),
    ];
    const alone = leads.map((lead) => ({ ...lead, _id: randomUUID() }));
    await database.collections.leads.insertMany([...leads, ...alone]);
    await applyAll(await store(...leads.flatMap(changesOf)), database.collections);
    for (const [n, lead] of alone.entries())
      await applyAll(await store(...changesOf(lead, n)), database.collections);
    const read = async (of: readonly Lead[]) => {
      const ids = of.map(({ _id }) => _id);
      const found = await database.collections.leads.find({ _id: { $in: ids } }).toArray();
      const place = ({ _id }: Lead) => ids.indexOf(_id);
      return found
        .toSorted((one, other) => place(one) - place(other))
        .map((lead) => ({ ...lead, _id: null }));
    };
    const [noted] = await read(leads);
    expect(noted?.sales[0]).toMatchObject({ note: '$price' });
    const last = { lead_id: leads[0]?._id ?? '', 'ask.note': '$price' };
    expect(await database.collections.outcomes.findOne(last)).toMatchObject({
      state: 'made',
      seq: noted?.outcome_seq,
      answer: { note: '$price' },
    });
    expect(await read(leads)).toEqual(await read(alone));
  });

  it('leave no outcome on a lead whose only one is taken back', async () => {
    const id = await sold();
    const said = { kind: 'outcome', outcome: 'converted', note: 'rich' } as const;
    const taken = { kind: 'outcome' as const, clear: ['outcome' as const, 'note' as const] };
    await applyAll(
      await store(aChange(id, { ask: said }), aChange(id, { ask: taken, received_at: after(1) })),
      database.collections,
    );
    const { lead, changes } = await expectExact(id, database.collections);
    for (const key of ['outcome', 'outcome_at', 'converted_at'])
      expect(lead).not.toHaveProperty(key);
    expect(lead.sales).toEqual([aSale()]);
    expect(changes[1]?.answer).toMatchObject({ status: 'ACCEPTED', outcome: null, note: null });
    // The same group by group, where the lead is written between the two.
    const again = await sold();
    await applyAll(await store(aChange(again, { ask: said })), database.collections);
    const later = aChange(again, { ask: taken, received_at: after(1) });
    await applyAll(await store(later), database.collections);
    const { lead: second } = await expectExact(again, database.collections);
    expect(second).not.toHaveProperty('outcome');
    expect(second.sales).toEqual([aSale()]);
  });

  it('are skipped when the buyer has no sale, and when the lead belongs to another buyer', async () => {
    const id = await sold();
    const changes = await store(
      aChange(id, { buyer_id: 'stranger' }),
      aChange(id, { org_id: 'other' }),
      aChange(id, { campaign_id: 'other' }),
      aChange('no-such-lead'),
    );
    const { unsold } = await applyAll(changes, database.collections);
    expect(new Set(unsold.map(({ _id }) => _id))).toEqual(new Set(changes.map(({ _id }) => _id)));
    expect(await database.collections.leads.findOne({ _id: id })).not.toHaveProperty('outcome');
  });

  it('are each applied once when four workers apply the same groups at once and the lead is sold further', async () => {
    const id = await sold({ status: 'SELLING' });
    const changes = await store(...Array.from({ length: 200 }, (_, n) => nthChange(id, n)));
    const groups = Array.from({ length: 5 }, (_, n) => changes.slice(n * 40, n * 40 + 40));
    const worker = async () => {
      for (const group of groups) {
        let left: readonly unknown[] = group;
        while (left.length > 0) ({ left } = await applyAll(group, database.collections));
      }
    };
    const seller = async () => {
      const leads = createLeadStore(database.collections.leads);
      for (let attempt = 2; attempt <= 6; attempt += 1) {
        const sale = aSale({ attempt, buyer_id: `further-${attempt}`, cost: 1e6 });
        await leads.sell([{ leadId: id, maxSells: 6, sale, profit: 9e6, trail: [] }], NOW);
      }
    };
    await Promise.all([worker(), worker(), worker(), worker(), seller()]);
    const { lead, changes: made } = await expectExact(id, database.collections);
    expect(made).toHaveLength(200);
    expect(lead.sales).toHaveLength(6);
    expect(lead).toMatchObject({ status: 'ACCEPTED', cost: 9e6 });
    const last = made.at(-1)?.answer;
    expect(lead).toMatchObject({ outcome: last?.outcome });
    expect(lead.sales[0]).toMatchObject({ conversion_revenue: last?.conversion_revenue });
  });

  it.each(['before', 'midway', 'after'] as const)(
    'are applied once wherever the applying process dies (%s a call), and another continues',
    async (how) => {
      let call = 1;
      for (let isOver = false; !isOver; call++) {
        const ids = [await sold(), await sold()];
        const changes = await store(
          ...ids.flatMap((id) => [nthChange(id, 1), nthChange(id, 2), nthChange(id, 3)]),
        );
        const process = dying(database.collections, call, how);
        await applyAll(changes, process.collections).catch((error: unknown) => {
          if (!process.isDead()) throw error;
        });
        isOver = !process.isDead();
        // Another process applies changes between the death and the continuation.
        const others = await store(...ids.map((id) => nthChange(id, 4)));
        await applyAll(others, database.collections);
        await applyAll(changes, database.collections);
        for (const id of ids) {
          const { changes: made } = await expectExact(id, database.collections);
          // The answer to a repeated request is the one from then.
          for (const { ask, answer } of made)
            expect(ask).toMatchObject({
              outcome: answer?.outcome,
              conversion_revenue: answer?.conversion_revenue,
            });
        }
      }
      expect(call).toBeGreaterThan(5);
    },
  );

  it('keep the trail short, and count every change', async () => {
    const id = await sold();
    for (let round = 0; round < 11; round += 1)
      await applyAll(
        await store(...Array.from({ length: 100 }, (_, n) => nthChange(id, round * 100 + n))),
        database.collections,
      );
    const lead = await database.collections.leads.findOne({ _id: id });
    expect(lead).toMatchObject({ outcome_seq: 1_100, trail_dropped: 100 });
    expect(lead?.trail).toHaveLength(1_000);
    expect(lead?.trail.at(-1)?.detail).toMatchObject({ seq: 1_100 });
  });
});
