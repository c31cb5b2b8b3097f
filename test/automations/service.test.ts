import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';
import { startFakeBuyer } from '../support/fakeBuyer.js';
import { waitFor } from '../support/waitFor.js';
import { destinationId } from '../../src/platform/temporal/names.js';
import { anAutomation } from './anAutomation.js';

describe('events of the whole service', () => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await startTestbed({ own: true });
    // Commands are counted here, and reconcile sends some too: it starts with the service, and then runs every minute.
    const { client, queues, repairs } = testbed.service.deps;
    await waitFor(() => repairs.lastCompleted(), { message: 'reconcile has run' });
    await client.schedule.getHandle(queues.reconcile).pause();
  });
  afterAll(() => testbed.stop());

  /** An automation of the market's own, stored as if it had been created by an action. */
  const automate = async (
    { account }: Market,
    path: string,
    base = testbed.buyers.url,
  ): Promise<string> => {
    const automation = anAutomation({
      org_id: account.orgId,
      url: `${base}${path}`,
      trigger: 'lead.accepted',
    });
    const { automations, eventWants } = testbed.collections;
    await automations.insertOne(automation);
    await eventWants.insertOne({ _id: account.orgId, types: ['lead.accepted'] });
    return automation._id;
  };
  const received = (path: string) => testbed.buyers.requests.filter((one) => one.path === path);
  /** Posts `count` leads at once, and waits until all are sold. */
  const sell = async (market: Market, count: number): Promise<void> => {
    const answers = await Promise.all(Array.from({ length: count }, () => market.post()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(count);
    const all = async () =>
      (await market.leads()).filter(({ status }) => status === 'ACCEPTED').length === count;
    await waitFor(all, { message: `${count} leads are sold` });
  };
  const commands = async (): Promise<{ total: number; of: Record<string, number> }> => {
    const { values } = await testbed.service.deps.metrics.mongodbCommands.get();
    const of: Record<string, number> = {};
    for (const { labels, value } of values) {
      const name = String(labels.collection);
      of[name] = (of[name] ?? 0) + value;
    }
    return { total: values.reduce((sum, { value }) => sum + value, 0), of };
  };

  it('reach a webhook at once, each once, and the drain ends after the last', async () => {
    const market = await testbed.market();
    const automationId = await automate(market, '/told');
    const started = performance.now();
    await sell(market, 1);
    await waitFor(() => received('/told').length === 1, {
      message: 'the first has arrived',
      timeoutMs: 5_000,
      intervalMs: 10,
    });
    expect(performance.now() - started).toBeLessThan(4_000);
    await sell(await testbed.market(), 20);
    await Promise.all(Array.from({ length: 30 }, () => market.post()));
    await waitFor(() => received('/told').length >= 31, { message: 'all have arrived' });
    const ids = received('/told').map(({ body }) => body.id);
    expect(new Set(ids).size).toBe(31);
    const leads = await market.leads();
    expect(ids.toSorted()).toEqual(leads.map(({ _id }) => `evt_${_id}_1`).toSorted());
    expect(received('/told')[0]?.body.data).toMatchObject({
      status: 'ACCEPTED',
      buyer_id: market.account.buyers.only,
      is_test: false,
      price: 10,
      revenue: 10,
      cost: 4,
      profit: 6,
      fields: { first_name: 'Jane' },
    });
    expect(leads.every((lead) => !('untold' in lead))).toBe(true);
    const drain = testbed.service.deps.client.workflow.getHandle(destinationId(automationId));
    await waitFor(async () => (await drain.describe()).status.name === 'COMPLETED', {
      message: 'the drain ends',
    });
    const history = await drain.fetchHistory();
    const signals = history.events?.filter(
      (event) => event.workflowExecutionSignaledEventAttributes,
    );
    // The drain was woken now and then, not for each event.
    expect(signals?.length).toBeLessThanOrEqual(5);
  });

  it('need few commands for a hundred leads, and none without subscriptions', async () => {
    const quiet = await testbed.market();
    const before = await commands();
    await sell(quiet, 100);
    const without = await commands();
    const used = (after: typeof before, earlier: typeof before, name: string): number =>
      (after.of[name] ?? 0) - (earlier.of[name] ?? 0);
    for (const name of ['events', 'event_deliveries']) expect(used(without, before, name)).toBe(0);
    expect((await quiet.leads()).some((lead) => 'untold' in lead || 'event_seq' in lead)).toBe(
      false,
    );
    const loud = await testbed.market();
    await automate(loud, '/loud');
    const start = await commands();
    await sell(loud, 100);
    await waitFor(() => received('/loud').length === 100, { message: 'all have arrived' });
    await waitFor(
      async () =>
        (await testbed.collections.eventDeliveries.countDocuments({ state: 'waiting' })) === 0,
      { message: 'all are written down' },
    );
    const end = await commands();
    const told = ['events', 'event_deliveries', 'automations'].reduce(
      (sum, name) => sum + used(end, start, name),
      0,
    );
    // One event by itself needs at least four. On an idle machine all of them need 25 to 50; on a busy one leads come in
    // more groups, and drains begin before there is much to send.
    expect(told).toBeLessThan(200);
  });

  it('delay no lead, even if their receiver never answers', async () => {
    const silent = await startFakeBuyer(() => 'hang');
    const market = await testbed.market();
    await automate(market, '/silent', silent.url);
    expect((await market.post()).data?.delivery).toBe('delivered');
    await waitFor(() => silent.requests.length > 0, { message: 'the receiver is being told' });
    for (let n = 0; n < 5; n++) {
      const { data, ms } = await market.post();
      expect(data?.delivery).toBe('delivered');
      // An automation has 10 s to answer; the supplier does not wait for it.
      expect(ms).toBeLessThan(5_000);
    }
    expect(market.sentTo('only')).toHaveLength(6);
    await silent.stop();
  });
});
