/** The path of a change through the whole service: stored, applied by a workflow, answered. */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OutcomeAsk } from '../../src/leads/rules/saleChange.js';
import { moneyOf } from '../../src/leads/rules/saleMoney.js';
import type { SaleChange, SaleChanges } from '../../src/outcomes/types.js';
import type { Deps } from '../../src/app/deps.js';
import { YES } from '../support/fakeBuyer.js';
import { replayAll } from '../support/replayed.js';
import { waitFor } from '../support/waitFor.js';
import { ago } from '../support/times.js';
import type { BuyerAnswer } from '../support/market.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';
import { expectExact } from './changes.js';

describe('a change of a sold lead', () => {
  let testbed: Testbed;
  let deps: Deps;
  beforeAll(async () => {
    testbed = await startTestbed();
    ({ deps } = testbed.service);
  });
  afterAll(() => testbed.stop());

  const open = (answer: BuyerAnswer = () => YES) =>
    testbed.market({ buyers: { first: { answer, price: 10, delivery: { on_unknown: 'hold' } } } });
  const said = (
    market: Market,
    lead_id: string,
    ask: Omit<OutcomeAsk, 'kind'>,
    more: Partial<SaleChange> = {},
  ): SaleChange => ({
    org_id: market.account.orgId,
    campaign_id: market.account.campaignId,
    lead_id,
    buyer_id: market.account.buyers.first ?? '',
    by: { kind: 'buyer' },
    body_hash: createHash('sha256').update(JSON.stringify(ask)).digest('hex'),
    ask: { kind: 'outcome', ...ask },
    ...more,
  });
  const make = (change: SaleChange, road: SaleChanges = deps.saleChanges) => road.make(change);
  /** A sold lead, and a new key. */
  const sold = async () => {
    const market = await open();
    const { id } = await market.post();
    return { market, id, key: randomUUID() };
  };

  it('is answered when it is applied, and found in Temporal by its lead', async () => {
    const { market, id } = await sold();
    const { answer, replayed } = await make(
      said(market, id, { outcome: 'converted', conversion_revenue: 70e6, note: 'signed' }),
    );
    expect(replayed).toBe(false);
    expect(answer).toMatchObject({ lead_id: id, status: 'converted', outcome: 'converted' });
    expect(answer).toMatchObject({ conversion_revenue: 70e6, lead_value: null, note: 'signed' });
    const { lead } = await expectExact(id, testbed.collections);
    expect(lead).toMatchObject({ status: 'ACCEPTED', outcome: 'converted', price: 70e6 });
    expect(lead.converted_at).toEqual(answer.updated_at);
    await waitFor(
      async () => {
        const query = `LeadId = "${id}" AND WorkflowType = "recordOutcomes"`;
        const ids: string[] = [];
        for await (const { workflowId } of deps.client.workflow.list({ query }))
          ids.push(workflowId);
        return ids.length === 1;
      },
      { message: 'its workflow is listed' },
    );
    expect((await replayAll(testbed.collections, { leadId: id })).different).toEqual([]);
  });

  it('is applied once for 200 concurrent identical requests', async () => {
    const { market, id, key } = await sold();
    const change = said(
      market,
      id,
      { outcome: 'converted', conversion_revenue: 70e6 },
      { id: key },
    );
    const answers = await Promise.all(Array.from({ length: 200 }, () => make(change)));
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(answers.map(({ answer }) => JSON.stringify(answer))).size).toBe(1);
    const { lead } = await expectExact(id, testbed.collections);
    expect(lead.outcome_seq).toBe(1);
  });

  it('is applied with 199 others of its lead, each once, and the last one wins', async () => {
    const { market, id } = await sold();
    const words = ['pending', 'converted', 'not_qualified'] as const;
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        make(
          said(
            market,
            id,
            { outcome: words[n % 3], conversion_revenue: n * 1e6 },
            { id: randomUUID() },
          ),
        ),
      ),
    );
    expect(answers).toHaveLength(200);
    const { lead, changes } = await expectExact(id, testbed.collections);
    expect(changes).toHaveLength(200);
    const last = changes.at(-1)?.answer;
    expect(lead.sales[0]).toMatchObject({
      outcome: last?.outcome,
      conversion_revenue: last?.conversion_revenue,
    });
    expect(lead).toMatchObject(moneyOf(lead.sales));
  });

  it('is refused under an id that another body has, and changes nothing', async () => {
    const { market, id, key } = await sold();
    await make(said(market, id, { outcome: 'pending' }, { id: key }));
    await expect(
      make(said(market, id, { outcome: 'converted' }, { id: key })),
    ).rejects.toMatchObject({
      code: 'conflict',
      status: 409,
      message: expect.stringContaining('another body') as unknown as string,
    });
    const { lead } = await expectExact(id, testbed.collections);
    expect(lead.outcome).toBe('pending');
  });

  it.each([
    ['the buyer was never sent it', { buyer_id: 'stranger' }],
    ['it is another organization’s', { org_id: 'other' }],
    ['there is no such lead', { lead_id: 'none' }],
  ])('is not found where %s, and leaves its id free', async (_, other) => {
    const { market, id, key } = await sold();
    const change = said(market, id, { outcome: 'converted' }, { id: key });
    await expect(make({ ...change, ...other })).rejects.toMatchObject({ code: 'not_found' });
    expect(await make(change)).toMatchObject({ replayed: false, answer: { outcome: 'converted' } });
  });

  it('settles as accepted a delivery that its buyer never answered', async () => {
    const market = await open(() => 'reset');
    const { id } = await market.post();
    await waitFor(async () => (await market.rows(id))[0]?.state === 'unknown', {
      message: 'it is held',
    });
    const { answer } = await make(
      said(market, id, { outcome: 'converted', conversion_revenue: 50e6 }),
    );
    expect(answer).toMatchObject({ status: 'converted', conversion_revenue: 50e6 });
    const { lead } = await expectExact(id, testbed.collections);
    expect(lead).toMatchObject({ status: 'ACCEPTED', price: 50e6, cost: 4e6 });
    expect(await market.rows(id)).toMatchObject([{ state: 'accepted' }]);
    expect(await market.cap('first')).toMatchObject({ total: { count: 1 }, held: [] });
    expect((await replayAll(testbed.collections, { leadId: id })).different).toEqual([]);
  });

  it('waits for a delivery that is still in progress', async () => {
    const changes: ReturnType<typeof make>[] = [];
    const market: Market = await open(({ leadId }) => {
      changes.push(make(said(market, leadId, { outcome: 'pending' })));
      return { ...YES, delayMs: 600 };
    });
    const { id } = await market.post();
    expect(await Promise.all(changes)).toMatchObject([
      { answer: { lead_id: id, status: 'pending' } },
    ]);
    await expectExact(id, testbed.collections);
  });

  it('is found and applied by reconcile when no process handles it', async () => {
    const { market, id, key } = await sold();
    const change = said(market, id, { outcome: 'converted' }, { id: key });
    await testbed.collections.outcomes.insertOne({
      ...change,
      _id: key,
      state: 'open',
      received_at: ago(31_000),
    });
    expect(await testbed.repair()).toMatchObject({ outcome: 1 });
    expect(await make(change)).toMatchObject({ replayed: true, answer: { outcome: 'converted' } });
    await expectExact(id, testbed.collections);
    expect(await testbed.repair()).toMatchObject({ outcome: 0 });
  });
});
