import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { relayOutbox } from '../../src/automations/repair/relayOutbox.js';
import { publishEvents } from '../../src/automations/publishEvents.js';
import { createEventStore } from '../../src/deliveries/store/destinationEvents.js';
import { dying } from '../reports/rolled.js';
import { NOW } from '../support/storedRows.js';
import { startTestbed, type Testbed } from '../support/testbed.js';
import { anAutomation } from './anAutomation.js';
import { createEventFlow, ids, type EventFlow } from './eventFlow.js';

/** Names are unique in an organization. */
const named = (overrides: Parameters<typeof anAutomation>[0] & { _id: string }) =>
  anAutomation({ name: overrides._id, ...overrides });

describe('the pending events of leads are published', () => {
  let bed: Testbed;
  let flow: EventFlow;
  beforeAll(async () => {
    bed = await startTestbed({ role: null });
    flow = createEventFlow(bed);
  });
  afterAll(() => bed.stop());
  beforeEach(() => flow.reset());

  /** Every event of these leads is stored once, each automation has one delivery of each, and none is pending. */
  const expectTold = async (leadIds: string[], each: number, automations: string[]) => {
    const { leads, events, eventDeliveries } = bed.collections;
    expect(await leads.countDocuments({ untold: { $exists: true } })).toBe(0);
    const wanted = leadIds.flatMap((id) =>
      Array.from({ length: each }, (_, n) => `evt_${id}_${n + 1}`),
    );
    const stored = await events.find().toArray();
    expect(stored.map(({ _id }) => _id).toSorted()).toEqual(wanted.toSorted());
    const rows = await eventDeliveries.find().toArray();
    expect(rows.map(({ _id }) => _id).toSorted()).toEqual(
      automations.flatMap((id) => wanted.map((event) => `${id}:${event}`)).toSorted(),
    );
  };

  it('to every automation with their trigger, in six commands, however many leads', async () => {
    const two = [named({ _id: 'a' }), named({ _id: 'b' })];
    await bed.collections.automations.insertMany(two);
    await flow.insertLeads(ids(100), 'lead.accepted', 2);
    let commands = 0;
    const counting = new Proxy(bed.collections, {
      get(of, name) {
        commands += 1;
        return Reflect.get(of, name) as unknown;
      },
    });
    expect(await flow.relay(ids(100), { ...flow.deps, collections: counting })).toBe(200);
    // Each command gets its collection once.
    expect(commands).toBeLessThanOrEqual(6);
    await expectTold(ids(100), 2, ['a', 'b']);
    expect(flow.woken.toSorted()).toEqual(['a', 'b']);
  });

  it('once, by many concurrent and repeated calls', async () => {
    await bed.collections.automations.insertOne(anAutomation({ _id: 'a' }));
    await flow.insertLeads(ids(50), 'lead.accepted', 3);
    await Promise.all(Array.from({ length: 5 }, () => flow.relay(ids(50))));
    expect(await flow.relay(ids(50))).toBe(0);
    await expectTold(ids(50), 3, ['a']);
  });

  it.each(['before', 'midway', 'after'] as const)(
    'once, wherever the relaying process dies (%s a call)',
    async (how) => {
      await bed.collections.automations.insertOne(anAutomation({ _id: 'a' }));
      let call = 1;
      for (let isOver = false; !isOver; call++) {
        await flow.insertLeads([`lead-${call}-a`, `lead-${call}-b`], 'lead.accepted', 2);
        flow.pass(10_001);
        const process = dying(bed.collections, call, how);
        await relayOutbox({ ...flow.deps, collections: process.collections }).catch(
          (error: unknown) => {
            if (!process.isDead()) throw error;
          },
        );
        isOver = !process.isDead();
        const left = await bed.collections.leads.find({ untold: { $exists: true } }).toArray();
        expect(await relayOutbox(flow.deps)).toBe(left.length * 2);
      }
      const all = Array.from({ length: call - 1 }, (_, n) => n + 1);
      await expectTold(
        all.flatMap((n) => [`lead-${n}-a`, `lead-${n}-b`]),
        2,
        ['a'],
      );
      expect(call).toBeGreaterThan(5);
    },
  );

  it('and events added meanwhile are not lost', async () => {
    await bed.collections.automations.insertOne(anAutomation({ _id: 'a' }));
    await flow.insertLeads(['lead-0'], 'lead.accepted');
    const { leads } = bed.collections;
    const [found] = await leads.find().toArray();
    const first = found?.untold?.[0];
    if (!first) throw new Error('the lead has nothing to tell');
    const slow = bed.collections.events.insertMany.bind(bed.collections.events);
    const events = new Proxy(bed.collections.events, {
      get: (of, name) =>
        name === 'insertMany'
          ? async (...args: Parameters<typeof slow>) => {
              await leads.updateOne(
                { _id: 'lead-0' },
                { $push: { untold: { ...first, n: 2 } }, $set: { event_seq: 2 } },
              );
              return slow(...args);
            }
          : (Reflect.get(of, name) as unknown),
    });
    await flow.relay(['lead-0'], { ...flow.deps, collections: { ...bed.collections, events } });
    expect((await leads.findOne({ _id: 'lead-0' }))?.untold).toHaveLength(2);
    await flow.relay(['lead-0']);
    await expectTold(['lead-0'], 2, ['a']);
  });

  it('only when trigger, campaign and conditions match, and the automation is active', async () => {
    const california = {
      all: [{ id: 'f', field: 'state', operator: '==' as const, value: 'CA' }],
    };
    await bed.collections.automations.insertMany([
      named({ _id: 'fits', campaign_id: 'campaign', conditions: california }),
      named({ _id: 'other-trigger', trigger: 'lead.created' }),
      named({ _id: 'other-campaign', campaign_id: 'another' }),
      named({ _id: 'other-org', org_id: 'another' }),
      named({ _id: 'paused', status: 'paused' }),
    ]);
    await flow.insertLeads(['ca'], 'lead.accepted', 1, { fields: { state: 'CA' } });
    await flow.insertLeads(['ny'], 'lead.accepted', 1, { fields: { state: 'NY' } });
    await flow.relay(['ca', 'ny']);
    const rows = await bed.collections.eventDeliveries.find().toArray();
    expect(rows.map(({ _id }) => _id)).toEqual(['fits:evt_ca_1']);
    expect(rows[0]).toMatchObject({ lead_id: 'ca', ord: 1, state: 'waiting', attempts: 0 });
  });

  it('only when the field of the lead meets the condition, whatever the event calls the same', async () => {
    const won = { all: [{ id: 'f', field: 'status', operator: '==' as const, value: 'won' }] };
    const accepted = { all: [{ ...won.all[0], value: 'ACCEPTED' } as (typeof won.all)[0]] };
    await bed.collections.automations.insertMany([
      named({ _id: 'by-lead', conditions: won }),
      named({ _id: 'by-event', conditions: accepted }),
    ]);
    await flow.insertLeads(['won'], 'lead.accepted', 1, { fields: { status: 'won' } });
    await flow.insertLeads(['none'], 'lead.accepted', 1, { fields: {} });
    await flow.relay(['won', 'none']);
    const rows = await bed.collections.eventDeliveries.find().toArray();
    expect(rows.map(({ _id }) => _id)).toEqual(['by-lead:evt_won_1']);
  });

  it('by reconcile after 10 s, and not before', async () => {
    await flow.insertLeads(['lead-0'], 'lead.accepted');
    flow.pass(9_000);
    expect(await relayOutbox(flow.deps)).toBe(0);
    flow.pass(1_001);
    expect(await relayOutbox(flow.deps)).toBe(1);
    expect(await bed.collections.events.countDocuments()).toBe(1);
  });

  it('together with the events of buyers', async () => {
    await bed.collections.automations.insertOne(
      anAutomation({ _id: 'a', trigger: 'buyer.paused' }),
    );
    const data = { buyer_id: 'buyer', until: null, failures: 5, reason: 'http_503' };
    const event = { _id: 'evt_buyer_1', org_id: 'org', type: 'buyer.paused' as const };
    await bed.collections.destinations.insertOne({
      _id: 'buyer',
      org_id: 'org',
      awake: false,
      awake_at: NOW,
      failures: 5,
      pauses: 1,
      open_until: null,
      retry_at: null,
      events: [{ ...event, created_at: NOW, data }],
    });
    const { events, destinations } = bed.collections;
    const store = createEventStore(events, destinations, (some) => publishEvents(some, flow.deps));
    expect(await store.flush('buyer')).toBe(1);
    expect(await bed.collections.eventDeliveries.find().toArray()).toMatchObject([
      { _id: 'a:evt_buyer_1', lead_id: null, ord: 0 },
    ]);
    expect(flow.woken).toEqual(['a']);
  });
});
