/** The road of a change through the whole service: stored, made by a workflow, answered. */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutcomeAsk } from '../../src/leads/rules/saleChange.js';
import { moneyOf } from '../../src/leads/rules/saleMoney.js';
import type { SaleChange, SaleChanges } from '../../src/outcomes/types.js';
import type { Deps } from '../../src/app/deps.js';
import { YES } from '../support/fakeBuyer.js';
import { replayAll } from '../support/replayed.js';
import { waitFor } from '../support/waitFor.js';
import { ago, startLaneBed, type Lane, type LaneBed } from '../faults/drainFixture.js';
import { expectExact } from './changes.js';

describe('a change of a sold lead', () => {
  let lanes: LaneBed;
  let deps: Deps;
  beforeAll(async () => {
    lanes = await startLaneBed();
    ({ deps } = lanes.service);
  });
  afterAll(() => lanes.stop());

  const open = (answers: Parameters<LaneBed['open']>[0][string]['answers'] = () => YES) =>
    lanes.open({ first: { answers, link: { price: 10 }, delivery: { on_unknown: 'hold' } } });
  const said = (
    lane: Lane,
    lead_id: string,
    ask: Omit<OutcomeAsk, 'kind'>,
    more: Partial<SaleChange> = {},
  ): SaleChange => ({
    ...{ org_id: lane.account.orgId, campaign_id: lane.account.campaignId, lead_id },
    ...{ buyer_id: lane.account.buyers.first ?? '', by: { kind: 'buyer' } },
    body_hash: createHash('sha256').update(JSON.stringify(ask)).digest('hex'),
    ask: { kind: 'outcome', ...ask },
    ...more,
  });
  const make = (change: SaleChange, road: SaleChanges = deps.saleChanges) => road.make(change);
  /** A sold lead, and a key that nobody has used. */
  const sold = async () => {
    const lane = await open();
    const { id } = await lane.post();
    return { lane, id, key: randomUUID() };
  };

  it('is answered when it is made, and found in Temporal by its lead', async () => {
    const { lane, id } = await sold();
    const { answer, replayed } = await make(
      said(lane, id, { outcome: 'converted', conversion_revenue: 70e6, note: 'signed' }),
    );
    expect(replayed).toBe(false);
    expect(answer).toMatchObject({ lead_id: id, status: 'converted', outcome: 'converted' });
    expect(answer).toMatchObject({ conversion_revenue: 70e6, lead_value: null, note: 'signed' });
    const { lead } = await expectExact(id, lanes.bed.collections);
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
    expect((await replayAll(lanes.bed.collections, { leadId: id })).different).toEqual([]);
  });

  it('is made once when 200 ask for the same at once', async () => {
    const { lane, id, key } = await sold();
    const change = said(lane, id, { outcome: 'converted', conversion_revenue: 70e6 }, { id: key });
    const answers = await Promise.all(Array.from({ length: 200 }, () => make(change)));
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(answers.map(({ answer }) => JSON.stringify(answer))).size).toBe(1);
    const { lead } = await expectExact(id, lanes.bed.collections);
    expect(lead.outcome_seq).toBe(1);
  });

  it('is made beside 199 others of its lead, each once, and the last one stands', async () => {
    const { lane, id } = await sold();
    const words = ['pending', 'converted', 'not_qualified'] as const;
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        make(
          said(
            lane,
            id,
            { outcome: words[n % 3], conversion_revenue: n * 1e6 },
            { id: randomUUID() },
          ),
        ),
      ),
    );
    expect(answers).toHaveLength(200);
    const { lead, changes } = await expectExact(id, lanes.bed.collections);
    expect(changes).toHaveLength(200);
    const last = changes.at(-1)?.answer;
    expect(lead.sales[0]).toMatchObject({
      outcome: last?.outcome,
      conversion_revenue: last?.conversion_revenue,
    });
    expect(lead).toMatchObject(moneyOf(lead.sales));
  });

  it('is refused under an id that another body has, and changes nothing', async () => {
    const { lane, id, key } = await sold();
    await make(said(lane, id, { outcome: 'pending' }, { id: key }));
    await expect(make(said(lane, id, { outcome: 'converted' }, { id: key }))).rejects.toMatchObject(
      {
        ...{ code: 'conflict', status: 409 },
        message: expect.stringContaining('another body') as string,
      },
    );
    const { lead } = await expectExact(id, lanes.bed.collections);
    expect(lead.outcome).toBe('pending');
  });

  it.each([
    ['the buyer was never sent it', { buyer_id: 'stranger' }],
    ['it is another organisation’s', { org_id: 'other' }],
    ['there is no such lead', { lead_id: 'none' }],
  ])('is not found where %s, and leaves its id free', async (_, other) => {
    const { lane, id, key } = await sold();
    const change = said(lane, id, { outcome: 'converted' }, { id: key });
    await expect(make({ ...change, ...other })).rejects.toMatchObject({ code: 'not_found' });
    expect(await make(change)).toMatchObject({ replayed: false, answer: { outcome: 'converted' } });
  });

  it('settles as accepted a delivery that its buyer never answered', async () => {
    const lane = await open(() => 'reset');
    const { id } = await lane.post();
    await waitFor(async () => (await lane.rows(id))[0]?.state === 'unknown', {
      message: 'it is held',
    });
    const { answer } = await make(
      said(lane, id, { outcome: 'converted', conversion_revenue: 50e6 }),
    );
    expect(answer).toMatchObject({ status: 'converted', conversion_revenue: 50e6 });
    const { lead } = await expectExact(id, lanes.bed.collections);
    expect(lead).toMatchObject({ status: 'ACCEPTED', price: 50e6, cost: 4e6 });
    expect(await lane.rows(id)).toMatchObject([{ state: 'accepted' }]);
    expect(await lane.cap('first')).toMatchObject({ total: { count: 1 }, held: [] });
    expect((await replayAll(lanes.bed.collections, { leadId: id })).different).toEqual([]);
  });

  it('waits for the delivery that it is faster than', async () => {
    const changes: ReturnType<typeof make>[] = [];
    const lane: Lane = await open(({ leadId }) => {
      changes.push(make(said(lane, leadId, { outcome: 'pending' })));
      return { ...YES, delayMs: 600 };
    });
    const { id } = await lane.post();
    expect(await Promise.all(changes)).toMatchObject([
      { answer: { lead_id: id, status: 'pending' } },
    ]);
    await expectExact(id, lanes.bed.collections);
  });

  it('is found and made by reconcile when nobody is at work on it', async () => {
    const { lane, id, key } = await sold();
    const change = said(lane, id, { outcome: 'converted' }, { id: key });
    await lanes.bed.collections.outcomes.insertOne({
      ...{ ...change, _id: key, state: 'open', received_at: ago(31_000) },
    });
    expect(await lanes.repair()).toMatchObject({ outcome: 1 });
    expect(await make(change)).toMatchObject({ replayed: true, answer: { outcome: 'converted' } });
    await expectExact(id, lanes.bed.collections);
    expect(await lanes.repair()).toMatchObject({ outcome: 0 });
  });
});
