import {
  automationHeadersPlace,
  automationSecretPlace,
} from '../../src/account/rules/sealedPlaces.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isSigned, signMessage } from '../../src/platform/security/signatures.js';
import { dying } from '../reports/rolled.js';
import { YES, type FakeBuyer } from '../support/fakeBuyer.js';
import { startTestbed, type Testbed } from '../support/testbed.js';
import { SECRET } from './anAutomation.js';
import { createEventFlow, ids, storesOf, type EventFlow } from './eventFlow.js';

const DAY = 86_400_000;
const DOWN = { status: 503 };

describe('an automation receives events', () => {
  let bed: Testbed;
  let flow: EventFlow;
  let receiver: FakeBuyer;
  beforeAll(async () => {
    bed = await startTestbed({ role: null });
    flow = createEventFlow(bed);
    receiver = bed.buyers;
  });
  afterAll(() => bed.stop());
  beforeEach(() => flow.reset());
  /** Ids of accepted events, in order, each once. */
  const taken: string[] = [];
  const take = (fails: (id: string) => boolean): void => {
    taken.length = 0;
    receiver.behave(({ body }) => {
      const id = String(body.id);
      if (fails(id)) return DOWN;
      if (!taken.includes(id)) taken.push(id);
      return YES;
    });
  };
  /** The events of each lead, in the order in which they came. */
  const expectInOrder = (leads: string[], each: number): void => {
    for (const lead of leads)
      expect(taken.filter((id) => id.startsWith(`evt_${lead}_`))).toEqual(
        Array.from({ length: each }, (_, n) => `evt_${lead}_${n + 1}`),
      );
  };
  const states = async () => {
    const rows = await bed.collections.eventDeliveries.find().sort({ _id: 1 }).toArray();
    return rows.map(({ state }) => state);
  };
  const drainAll = async (): Promise<void> => {
    for (let calls = 0; calls < 200; calls++) {
      if ((await flow.drain('a')).nextInMs === null) return;
      await flow.endWaits();
    }
    throw new Error('the drain never ends');
  };

  it('again after its cooldown, including those recorded meanwhile', async () => {
    await flow.automate();
    await flow.insertLeads(['lead-0'], 'lead.accepted');
    await flow.relay(['lead-0']);
    const later = (ms: number) => new Date(Number(flow.now()) + ms);
    await bed.collections.eventDeliveries.updateMany({}, { $set: { due_at: later(DAY) } });
    const rest = { awake: false, awake_at: later(0), failures: 5, pauses: 1, retry_at: null };
    await bed.collections.destinations.updateOne(
      { _id: 'a' },
      { $set: { org_id: 'org', ...rest, open_until: later(5_000) } },
      { upsert: true },
    );
    expect(await flow.drain('a')).toMatchObject({ nextInMs: 5_000, resting: true, sent: 0 });
  });

  it('with an envelope, signed in both ways, and with the whole lead as its organization sees it', async () => {
    await flow.automate({
      target: {
        url: `${receiver.url}/hook`,
        headers: bed.keyring.seal('{"X-Own":"mine"}', automationHeadersPlace('a')),
      },
      previous_secret: {
        secret: bed.keyring.seal('before', automationSecretPlace('a')),
        until: new Date(Number(flow.now()) + DAY),
      },
    });
    const lead = { fields: { first_name: 'Zoë' }, extra: { gclid: 'g' }, is_test: true };
    await flow.insertLeads(['lead-0'], 'lead.accepted', 1, lead);
    await flow.relay(['lead-0']);
    expect(await flow.drain('a')).toEqual({ waiting: 0, nextInMs: null, resting: false, sent: 1 });
    const [request] = receiver.requests;
    if (!request) throw new Error('nothing has arrived');
    const { headers, rawBody, body } = request;
    expect(body).toEqual({
      id: 'evt_lead-0_1',
      type: 'lead.accepted',
      created_at: flow.now().toISOString(),
      data: {
        lead_id: 'lead-0',
        campaign_id: 'campaign',
        supplier_id: 'supplier',
        is_test: true,
        status: 'ACCEPTED',
        outcome: null,
        buyer_id: null,
        price: 0,
        revenue: 0,
        cost: 0,
        profit: 0,
        duplicate_of: null,
        fields: { first_name: 'Zoë' },
        extra: { gclid: 'g' },
        created_at: expect.any(String),
      },
    });
    expect(isSigned(SECRET, rawBody, String(headers['x-leaddistro-signature']))).toBe(true);
    const timestamp = Math.floor(Number(flow.now()) / 1_000);
    expect(headers).toMatchObject({
      'webhook-id': 'evt_lead-0_1',
      'webhook-timestamp': String(timestamp),
      'x-own': 'mine',
      'webhook-signature': signMessage([SECRET, 'before'], {
        id: 'evt_lead-0_1',
        timestamp,
        body: rawBody,
      }),
    });
  });

  it('not from a drain that was stopped for longer than its wave after it acquired them', async () => {
    await flow.automate();
    take(() => false);
    await flow.insertLeads(ids(3), 'lead.accepted');
    await flow.relay(ids(3));
    const { eventDeliveries, clock } = flow.deps;
    let stopped = 0;
    const acquire: typeof eventDeliveries.acquire = async (...rows) => {
      const acquired = await eventDeliveries.acquire(...rows);
      stopped += 20_000;
      return acquired;
    };
    await flow.drain('a', {
      ...flow.deps,
      clock: { ...clock, monotonic: () => clock.monotonic() + stopped },
      eventDeliveries: { ...eventDeliveries, acquire },
    });
    expect(receiver.requests).toHaveLength(0);
    expect(await states()).toEqual(['waiting', 'waiting', 'waiting']);
    await drainAll();
    expectInOrder(ids(3), 1);
  });

  it('of each lead in order, each once, while it fails at random', async () => {
    await flow.automate();
    let seed = 7;
    const draw = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    take(() => draw() < 0.3);
    await flow.insertLeads(ids(20), 'lead.accepted', 5);
    await flow.relay(ids(20));
    await drainAll();
    expectInOrder(ids(20), 5);
    expect(new Set(await states())).toEqual(new Set(['delivered']));
    expect(receiver.requests.length).toBeGreaterThan(100);
  });

  it('in order, all of them, after a long outage', async () => {
    await flow.automate();
    take(() => true);
    await flow.insertLeads(ids(30), 'lead.accepted', 2);
    await flow.relay(ids(30));
    const first = await flow.drain('a');
    // The automation enters a cooldown after a few: the others were not even tried.
    expect(first).toMatchObject({ waiting: 60, resting: true });
    expect(receiver.requests.length).toBeLessThanOrEqual(13);
    for (let hour = 0; hour < 5; hour++) {
      flow.pass(3_600_000);
      const before = receiver.requests.length;
      expect(await flow.drain('a')).toMatchObject({ resting: true });
      // After the cooldown, one event shows whether it has recovered.
      expect(receiver.requests.length).toBe(before + 1);
    }
    expect(await bed.collections.automations.findOne({ _id: 'a' })).toHaveProperty('failing_since');
    take(() => false);
    flow.pass(3_600_000);
    // Tried events wait no longer than the others.
    expect(await flow.drain('a')).toMatchObject({ nextInMs: null, sent: 60 });
    expectInOrder(ids(30), 2);
    expect(await bed.collections.automations.findOne({ _id: 'a' })).not.toHaveProperty(
      'failing_since',
    );
    const { events } = bed.collections;
    expect(await events.countDocuments({ type: { $in: ['buyer.paused', 'buyer.resumed'] } })).toBe(
      0,
    );
  });

  it('of a lead in order, while an earlier one waits for its next attempt', async () => {
    await flow.automate();
    take((id) => id === 'evt_lead-0_1');
    await flow.insertLeads(ids(2), 'lead.accepted', 2);
    await flow.relay(ids(2));
    await flow.drain('a');
    expect(taken).toEqual(['evt_lead-1_1', 'evt_lead-1_2']);
    expect(await states()).toEqual(['waiting', 'waiting', 'delivered', 'delivered']);
  });

  it('once by two concurrent drains', async () => {
    await flow.automate();
    receiver.behave(() => ({ ...YES, delayMs: 10 }));
    await flow.insertLeads(ids(40), 'lead.accepted', 2);
    await flow.relay(ids(40));
    const drains = await Promise.all([flow.drain('a'), flow.drain('a')]);
    expect(drains[0].sent + drains[1].sent).toBe(80);
    await drainAll();
    expect(receiver.requests).toHaveLength(80);
    expect(new Set(receiver.requests.map(({ body }) => body.id)).size).toBe(80);
  });

  it.each(['before', 'midway', 'after'] as const)(
    'in order, all of them, wherever the sending process dies (%s a call)',
    async (how) => {
      await flow.automate();
      take(() => false);
      let call = 1;
      for (let isOver = false; !isOver; call++) {
        await flow.insertLeads([`lead-${call}`], 'lead.accepted', 3);
        await flow.relay([`lead-${call}`]);
        const process = dying(bed.collections, call, how);
        const { collections } = process;
        const deps = { ...flow.deps, ...storesOf(collections), collections };
        await flow.drain('a', deps).catch((error: unknown) => {
          if (!process.isDead()) throw error;
        });
        isOver = !process.isDead();
        // Its lease has ended when its process can no longer be sending.
        flow.pass(30_000);
        await drainAll();
        expectInOrder([`lead-${call}`], 3);
      }
      expect(new Set(await states())).toEqual(new Set(['delivered']));
      expect(call).toBeGreaterThan(8);
    },
  );
});
