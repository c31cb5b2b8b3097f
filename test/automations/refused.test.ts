import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { YES, type FakeBuyer } from '../support/fakeBuyer.js';
import { startTestbed, type Testbed } from '../support/testbed.js';
import { createEventFlow, ids, type EventFlow } from './eventFlow.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('an automation that refuses some events', () => {
  let bed: Testbed;
  let flow: EventFlow;
  let receiver: FakeBuyer;
  let taken: Set<string>;
  beforeAll(async () => {
    bed = await startTestbed({ role: null });
    flow = createEventFlow(bed);
    receiver = bed.buyers;
  });
  afterAll(() => bed.stop());
  beforeEach(async () => {
    await flow.reset();
    await flow.automate();
    taken = new Set();
  });

  /** Events of leads whose name begins with `bad` get this status, the others are accepted. */
  const answerBad = (status: number): void =>
    receiver.behave(({ body }) => {
      const id = String(body.id);
      if (id.startsWith('evt_bad')) return { status };
      taken.add(id);
      return YES;
    });
  const named = (name: string, count: number): string[] =>
    ids(count).map((id) => id.replace('lead', name));
  const tell = async (leads: string[], events = 1): Promise<void> => {
    await flow.insertLeads(leads, 'lead.accepted', events);
    await flow.relay(leads);
  };
  const deliveryOf = (lead: string, n = 1) =>
    bed.collections.eventDeliveries.findOne({ _id: `a:evt_${lead}_${n}` });
  const destination = () => bed.collections.destinations.findOne({ _id: 'a' });

  it.each([400, 404, 422])(
    'gets the others within seconds, while it answers %i to a dozen',
    async (status) => {
      answerBad(status);
      await tell(named('bad', 12));
      await flow.drain('a');
      for (let hour = 0; hour < 12; hour++) {
        flow.pass(HOUR);
        const good = named(`good-${hour}`, 5);
        await tell(good);
        // A workflow sleeps about as long between two calls, 10 s at most in total.
        for (let calls = 0; calls < 3; calls++) {
          await flow.drain('a');
          flow.pass(3_000);
        }
        expect(good.filter((id) => !taken.has(`evt_${id}_1`))).toEqual([]);
      }
      expect((await destination())?.failures ?? 0).toBe(0);
      const bad = await deliveryOf('bad-0');
      expect(bad).toMatchObject({ state: 'waiting', http_status: status });
      expect(bad?.reason).toBe(`answered ${status}`);
      // Its own backoff, up to an hour, and no attempt in every round.
      expect(bad?.attempts).toBeGreaterThan(12);
      expect(bad?.attempts).toBeLessThan(30);
    },
  );

  it.each([408, 425, 429, 500, 503])(
    'enters a cooldown when it answers %i to a dozen',
    async (status) => {
      answerBad(status);
      await tell(named('bad', 12));
      expect(await flow.drain('a')).toMatchObject({ resting: true, waiting: 12 });
      expect((await destination())?.failures).toBeGreaterThanOrEqual(5);
    },
  );

  it('is probed with the event of the fewest attempts, so that one bad event does not block the others', async () => {
    answerBad(500);
    await tell(named('bad', 12));
    await flow.drain('a');
    for (let round = 1; round <= 5; round++) {
      flow.pass(5 * MINUTE);
      await tell(named(`good-${round}`, 40));
      await flow.drain('a');
      expect(taken.size).toBe(40 * round);
    }
  });

  it("gets a refused event again by the event's own backoff, also after it recovered from a failure", async () => {
    answerBad(400);
    await tell(['bad-0']);
    await flow.drain('a');
    const refused = await deliveryOf('bad-0');
    receiver.behave(() => ({ status: 503 }));
    await tell(named('good', 12));
    expect(await flow.drain('a')).toMatchObject({ resting: true });
    await bed.collections.destinations.updateMany(
      {},
      { $set: { open_until: null, retry_at: null } },
    );
    answerBad(400);
    await bed.collections.eventDeliveries.updateOne(
      { _id: 'a:evt_good-0_1' },
      { $set: { due_at: flow.now() } },
    );
    // One that is due is accepted: the automation has recovered, and all that had failed is sent at once.
    await flow.drain('a');
    expect(taken.size).toBe(12);
    expect(await deliveryOf('bad-0')).toEqual(refused);
  });

  it('ends a cooldown with a refusal, which shows that it is healthy', async () => {
    receiver.behave(() => ({ status: 503 }));
    await tell(named('good', 12));
    await flow.drain('a');
    expect((await destination())?.failures).toBeGreaterThanOrEqual(5);
    receiver.behave(() => ({ status: 400 }));
    flow.pass(5 * MINUTE);
    await flow.drain('a');
    expect(await destination()).toMatchObject({ failures: 0, open_until: null });
  });

  it('gets events behind more waiting events than one read returns', async () => {
    answerBad(400);
    await tell(named('bad', 120), 2);
    for (let calls = 0; calls < 3; calls++) await flow.drain('a');
    await tell(['good']);
    const left = await flow.drain('a');
    expect(taken).toEqual(new Set(['evt_good_1']));
    // Nothing is due before the first of the refused events.
    expect(left.nextInMs).toBe(1_000);
    const [first, second] = [await deliveryOf('bad-7'), await deliveryOf('bad-7', 2)];
    expect(second).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(Number(second?.due_at)).toBeGreaterThan(Number(first?.due_at));
  });

  it("gets a lead's later events right after the refused one is accepted or dead-lettered", async () => {
    answerBad(400);
    await tell(['bad-0', 'bad-1'], 3);
    for (let calls = 0; calls < 6; calls++) {
      await flow.drain('a');
      flow.pass(HOUR);
    }
    await flow.drain('a');
    const { eventDeliveries } = bed.collections;
    expect(await eventDeliveries.countDocuments({ due_at: { $lte: flow.now() } })).toBe(0);
    // An operator resends one, and the other is dead-lettered.
    await eventDeliveries.updateOne({ _id: 'a:evt_bad-0_1' }, { $set: { due_at: flow.now() } });
    await eventDeliveries.updateOne(
      { _id: 'a:evt_bad-1_1' },
      { $set: { due_at: flow.now(), give_up_at: flow.now() } },
    );
    receiver.behave(({ body }) => {
      const id = String(body.id);
      if (id === 'evt_bad-1_1') return { status: 400 };
      taken.add(id);
      return YES;
    });
    expect(await flow.drain('a')).toMatchObject({ waiting: 0, nextInMs: null });
    expect([...taken].filter((id) => id.startsWith('evt_bad-0'))).toEqual([
      'evt_bad-0_1',
      'evt_bad-0_2',
      'evt_bad-0_3',
    ]);
    expect([...taken].filter((id) => id.startsWith('evt_bad-1'))).toEqual([
      'evt_bad-1_2',
      'evt_bad-1_3',
    ]);
    expect(await deliveryOf('bad-1')).toMatchObject({ state: 'parked', reason: 'answered 400' });
  });
});
