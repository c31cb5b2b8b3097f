import { beforeEach, describe, expect, it } from '@jest/globals';
import { resendEvents } from '../../src/automations/resend.js';
import { YES } from '../support/fakeBuyer.js';
import { waitFor } from '../support/waitFor.js';
import { useEventBed, type EventBed } from './eventBed.js';

describe('an event that is sent again on request', () => {
  const fixture = useEventBed();
  let bed: EventBed;
  beforeEach(() => {
    bed = fixture.bed();
  });

  const resend = (order: Parameters<typeof resendEvents>[2]) =>
    resendEvents(
      { collections: bed.collections, clock: bed.deps.clock, wakeEndpoints: () => undefined },
      'org',
      order,
    );
  const SINCE = { automation_id: 'a', since: new Date(0).toISOString() };
  const orders = [{ event_id: 'evt_lead-0_1' }, SINCE];

  it.each(orders)('is not changed while it is being sent (%j)', async (order) => {
    await fixture.add();
    await bed.withNews(['lead-0'], 'lead.accepted');
    await bed.tell(['lead-0']);
    fixture.receiver().behave(() => ({ ...YES, delayMs: 500 }));
    const drained = bed.drain('a');
    await waitFor(() => fixture.receiver().requests.length === 1, {
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
    expect(fixture.receiver().requests).toHaveLength(1);
  });

  it.each(orders)('is due at once when its sender has died (%j)', async (order) => {
    await fixture.add();
    await bed.withNews(['lead-0'], 'lead.accepted');
    await bed.tell(['lead-0']);
    const left = { run: 'dead', attempts: 1, due_at: bed.now() };
    await bed.collections.eventDeliveries.updateMany({}, { $set: left });
    expect(await resend(order)).toMatchObject({ resent: 1, automation_ids: ['a'] });
    const row = await bed.collections.eventDeliveries.findOne();
    expect(row).toMatchObject({ state: 'waiting', attempts: 1 });
    expect(row).not.toHaveProperty('run');
  });
});
