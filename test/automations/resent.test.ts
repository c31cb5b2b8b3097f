import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { resendEvents } from '../../src/automations/resend.js';
import { YES, type FakeBuyer } from '../support/fakeBuyer.js';
import { startTestbed, type Testbed } from '../support/testbed.js';
import { waitFor } from '../support/waitFor.js';
import { createEventFlow, type EventFlow } from './eventFlow.js';

describe('an event that is sent again on request', () => {
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

  const resend = (order: Parameters<typeof resendEvents>[1]) =>
    resendEvents(
      {
        collections: bed.collections,
        orgId: 'org',
        clock: flow.deps.clock,
        wakeEndpoints: () => undefined,
      },
      order,
    );
  const SINCE = { automation_id: 'a', since: new Date(0).toISOString() };
  const orders = [{ event_id: 'evt_lead-0_1' }, SINCE];

  it.each(orders)('is not changed while it is being sent (%j)', async (order) => {
    await flow.automate();
    await flow.insertLeads(['lead-0'], 'lead.accepted');
    await flow.relay(['lead-0']);
    receiver.behave(() => ({ ...YES, delayMs: 500 }));
    const drained = flow.drain('a');
    await waitFor(() => receiver.requests.length === 1, {
      message: 'it is being sent',
      timeoutMs: 5_000,
      intervalMs: 5,
    });
    expect(await resend(order)).toMatchObject({ resent: 0, automation_ids: [] });
    await drained;
    expect(await bed.collections.eventDeliveries.findOne()).toMatchObject({
      state: 'delivered',
      attempts: 1,
    });
    expect(receiver.requests).toHaveLength(1);
  });

  it.each(orders)('is due at once when its sender has died (%j)', async (order) => {
    await flow.automate();
    await flow.insertLeads(['lead-0'], 'lead.accepted');
    await flow.relay(['lead-0']);
    const left = { run: 'dead', attempts: 1, due_at: flow.now() };
    await bed.collections.eventDeliveries.updateMany({}, { $set: left });
    expect(await resend(order)).toMatchObject({ resent: 1, automation_ids: ['a'] });
    const row = await bed.collections.eventDeliveries.findOne();
    expect(row).toMatchObject({ state: 'waiting', attempts: 1 });
    expect(row).not.toHaveProperty('run');
  });
});
