import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { updateAutomation } from '../../src/automations/automations.js';
import { wakeLostAutomations } from '../../src/automations/repair/automations.js';
import { YES, type FakeBuyer } from '../support/fakeBuyer.js';
import { startTestbed, type Testbed } from '../support/testbed.js';
import { anAutomation } from './anAutomation.js';
import { createEventFlow, ids, type EventFlow } from './eventFlow.js';

const DAY = 86_400_000;
const DOWN = { status: 503 };

describe('undelivered events are dead-lettered', () => {
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
  const states = async () => {
    const rows = await bed.collections.eventDeliveries.find().sort({ _id: 1 }).toArray();
    return rows.map(({ state }) => state);
  };
  it('after three days: the delivery is parked, and later ones continue', async () => {
    await flow.automate();
    receiver.behave(({ body }) => (body.id === 'evt_lead-0_1' ? DOWN : YES));
    await flow.insertLeads(ids(1), 'lead.accepted', 2);
    await flow.relay(ids(1));
    let tries = 0;
    for (let hour = 0; hour < 73; hour++) {
      flow.pass(3_600_000);
      await flow.endWaits();
      // The automation itself is healthy: other events arrive.
      await flow.insertLeads([`other-${hour}`], 'lead.accepted');
      await flow.relay([`other-${hour}`]);
      await bed.collections.destinations.updateMany({}, { $set: { failures: 0 } });
      await flow.drain('a');
      tries += 1;
      if ((await states())[0] === 'parked') break;
    }
    expect(tries).toBe(72);
    const rows = bed.collections.eventDeliveries;
    expect(await rows.findOne({ _id: 'a:evt_lead-0_1' })).toMatchObject({
      state: 'parked',
      http_status: 503,
      reason: 'answered 503',
    });
    expect(await flow.drain('a')).toMatchObject({ nextInMs: null });
    expect(receiver.requests.at(-1)?.body.id).toBe('evt_lead-0_2');
    expect(await bed.collections.automations.findOne()).toMatchObject({ status: 'active' });
  });

  it('and an automation that accepts nothing for three days is disabled, with an event', async () => {
    await flow.automate();
    await bed.collections.automations.insertOne(
      anAutomation({
        name: 'Other',
        _id: 'watch',
        trigger: 'automation.disabled',
        url: `${receiver.url}/watch`,
      }),
    );
    receiver.behave(({ path }) => (path === '/hook' ? DOWN : YES));
    await flow.insertLeads(ids(8), 'lead.accepted');
    await flow.relay(ids(8));
    await flow.drain('a');
    flow.pass(3 * DAY);
    await flow.endWaits();
    expect(await flow.drain('a')).toMatchObject({ waiting: 0, nextInMs: null });
    const automation = await bed.collections.automations.findOne({ _id: 'a' });
    expect(automation).toMatchObject({
      status: 'disabled',
      disabled_reason: 'nothing has arrived for 3 days: answered 503',
    });
    expect(automation).not.toHaveProperty('untold');
    expect(new Set((await states()).slice(0, 8))).toEqual(new Set(['parked']));
    expect(flow.woken).toContain('watch');
    await flow.drain('watch');
    expect(receiver.requests.at(-1)?.body).toMatchObject({
      type: 'automation.disabled',
      data: { automation_id: 'a', name: 'Told' },
    });
  });

  it('at once, when the target no longer exists', async () => {
    await flow.automate();
    receiver.behave(() => ({ status: 410 }));
    await flow.insertLeads(ids(30), 'lead.accepted');
    await flow.relay(ids(30));
    await flow.drain('a');
    expect(receiver.requests.length).toBeLessThanOrEqual(8);
    expect(await bed.collections.automations.findOne()).toMatchObject({
      status: 'disabled',
      disabled_reason: 'answered 410: the address accepts no more events',
    });
    expect(new Set(await states())).toEqual(new Set(['parked']));
  });

  it('but not those for a paused automation, which are sent once it is active again', async () => {
    await flow.automate();
    await flow.insertLeads(ids(2), 'lead.accepted');
    await flow.relay(ids(2));
    const { automations } = bed.collections;
    await automations.updateOne({ _id: 'a' }, { $set: { status: 'paused' } });
    expect(await flow.drain('a')).toMatchObject({ nextInMs: null, sent: 0 });
    expect(receiver.requests).toEqual([]);
    await automations.updateOne({ _id: 'a' }, { $set: { status: 'active' } });
    expect(await flow.drain('a')).toMatchObject({ sent: 2 });
  });

  it('but not at the first failure after a long pause: they are tried for three days from then on', async () => {
    await flow.automate();
    await flow.insertLeads(ids(1), 'lead.accepted');
    await flow.relay(ids(1));
    receiver.behave(() => DOWN);
    await flow.drain('a');
    const change = (status: 'active' | 'paused') => {
      const { collections, keyring } = bed;
      const may = { policy: { allowPrivate: true }, mayReadLeads: true };
      const context = { collections, orgId: 'org', keyring, clock: flow.deps.clock, ...may };
      return updateAutomation(context, 'a', { status });
    };
    await change('paused');
    flow.pass(4 * DAY);
    await change('active');
    await flow.endWaits();
    await flow.drain('a');
    expect(await states()).toEqual(['waiting']);
    const rows = bed.collections.eventDeliveries;
    expect(await rows.findOne()).toMatchObject({ reason: 'answered 503', attempts: 2 });
    // Made active once more, which it is: its time goes on.
    flow.pass(2 * DAY);
    await change('active');
    flow.pass(DAY);
    await flow.endWaits();
    await flow.drain('a');
    expect(await states()).toEqual(['parked']);
    expect(await bed.collections.automations.findOne()).toMatchObject({ status: 'active' });
  });

  describe('by reconcile', () => {
    const repairing = () => ({ ...flow.deps, starter: { renew: () => Promise.resolve(false) } });

    it('not those of a lost drain, which is woken after a minute', async () => {
      await flow.automate();
      await flow.insertLeads(ids(1), 'lead.accepted');
      await flow.relay(ids(1));
      flow.woken.length = 0;
      expect(await wakeLostAutomations(repairing())).toBe(0);
      flow.pass(60_001);
      expect(await wakeLostAutomations(repairing())).toBe(1);
      expect(flow.woken).toEqual(['a']);
      expect((await bed.collections.destinations.findOne({ _id: 'a' }))?.awake).not.toBe(true);
    });

    it('those left by a process that died while it disabled an automation', async () => {
      await flow.automate();
      await flow.insertLeads(ids(1), 'lead.accepted');
      await flow.relay(ids(1));
      await flow.deps.automations.disable('a', 'gone', flow.now());
      flow.pass(60_001);
      expect(await wakeLostAutomations(repairing())).toBe(1);
      expect(await wakeLostAutomations(repairing())).toBe(0);
      expect(await states()).toEqual(['parked']);
      expect(await bed.collections.events.countDocuments({ type: 'automation.disabled' })).toBe(1);
    });
  });
});
