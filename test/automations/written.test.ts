import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { buildOutboxEvent } from '../../src/leads/store/soldLeads.js';
import { LEAD_EVENTS, NO_SUBSCRIPTIONS } from '../../src/events/rules/events.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import { after, aLead, before, NOW } from '../support/storedRows.js';
import { startTestbed, type Testbed } from '../support/testbed.js';
import { createEventFlow, type EventFlow } from './eventFlow.js';

const RUN = 'run-1';

describe('events are written with the change of a lead', () => {
  let bed: Testbed;
  let flow: EventFlow;
  beforeAll(async () => {
    bed = await startTestbed({ role: null });
    flow = createEventFlow(bed);
  });
  afterAll(() => bed.stop());
  beforeEach(() => flow.reset());

  const stored = async (lead: Partial<Lead> = {}): Promise<string> => {
    const made = aLead({ run: RUN, lease_until: after(3_000), takes: 1, ...lead });
    await bed.collections.leads.insertOne(made);
    return made._id;
  };
  const told = async (id: string) => {
    const { untold = [] } = await bed.lead(id);
    return untold.map(({ n, type }) => [n, type]);
  };
  const aSale = (leadId: string, attempt = 1, maxSells = 1) => ({
    leadId,
    maxSells,
    profit: 6,
    trail: [],
    sale: { buyer_id: `$buyer-${attempt}`, attempt, price: 10, cost: 4, at: NOW },
  });
  const unmatched = (leadId: string) => ({ leadId, status: 'UNMATCHED' as const, trail: [] });

  it('in order, with the state of the lead at that moment', async () => {
    await flow.subscribe([...LEAD_EVENTS]);
    const id = await stored();
    await flow.leads.sell([aSale(id)], NOW);
    const zero = { outcome: null, buyer_id: null, price: 0, revenue: 0, cost: 0 };
    const { untold, event_seq } = await bed.lead(id);
    expect(event_seq).toBe(2);
    expect(untold).toEqual([
      { n: 1, type: 'lead.created', at: NOW, data: { status: 'NEW', ...zero } },
      {
        n: 2,
        type: 'lead.accepted',
        at: NOW,
        data: {
          status: 'ACCEPTED',
          outcome: null,
          buyer_id: '$buyer-1',
          price: 10,
          revenue: 10,
          cost: 4,
        },
      },
    ]);
  });

  it.each(['UNMATCHED', 'REJECTED', 'DUPLICATE', 'EXPIRED'] as const)(
    'for a lead that ends as %s',
    async (status) => {
      await flow.subscribe([...LEAD_EVENTS]);
      const id = await stored();
      await flow.leads.decide(RUN, [{ leadId: id, status, trail: [] }], NOW);
      expect(await told(id)).toEqual([
        [1, 'lead.created'],
        [2, `lead.${status.toLowerCase()}`],
      ]);
    },
  );

  it('as expired, when a promised decision ended unsold', async () => {
    await flow.subscribe([...LEAD_EVENTS]);
    const id = await stored({ status: 'PENDING', pending_at: before(1), changes: 1 });
    await flow.leads.decide(RUN, [unmatched(id)], NOW);
    expect(await told(id)).toEqual([[1, 'lead.expired']]);
    expect((await bed.lead(id)).untold?.[0]?.data.status).toBe('EXPIRED');
  });

  it('once, however often the change is repeated', async () => {
    await flow.subscribe([...LEAD_EVENTS]);
    const id = await stored();
    await Promise.all(Array.from({ length: 10 }, () => flow.leads.sell([aSale(id)], NOW)));
    await flow.leads.decide(RUN, [unmatched(id)], NOW);
    await flow.leads.park(RUN, [{ leadId: id, trail: [] }], NOW);
    expect(await told(id)).toEqual([
      [1, 'lead.created'],
      [2, 'lead.accepted'],
    ]);
  });

  it('a lead is created once, whatever its first change is, and accepted once, however often it is sold', async () => {
    await flow.subscribe([...LEAD_EVENTS]);
    const id = await stored();
    await flow.leads.promise([id], NOW);
    expect(await told(id)).toEqual([[1, 'lead.created']]);
    await flow.leads.park(RUN, [{ leadId: id, trail: [] }], NOW);
    await flow.leads.sell([aSale(id, 1, 2)], NOW);
    await flow.leads.sell([aSale(id, 2, 2)], NOW);
    expect(await told(id)).toEqual([
      [1, 'lead.created'],
      [2, 'lead.accepted'],
    ]);
    expect(await bed.lead(id)).toMatchObject({ status: 'ACCEPTED', price: 20, event_seq: 2 });
  });

  it('without lead.created for a lead that is older than the subscription', async () => {
    const id = await stored();
    await flow.leads.promise([id], NOW);
    await flow.subscribe(['lead.created']);
    await flow.leads.park(RUN, [{ leadId: id, trail: [] }], NOW);
    expect(await bed.lead(id)).not.toHaveProperty('untold');
  });

  it('only those that its own organization subscribes to', async () => {
    await flow.subscribe(['lead.accepted']);
    await flow.subscribe(['lead.created', 'lead.unmatched'], 'other');
    const [mine, theirs] = [await stored(), await stored({ org_id: 'other' })];
    await flow.leads.sell([aSale(mine)], NOW);
    await flow.leads.decide(RUN, [unmatched(theirs)], NOW);
    expect(await told(mine)).toEqual([[1, 'lead.accepted']]);
    expect(await told(theirs)).toEqual([
      [1, 'lead.created'],
      [2, 'lead.unmatched'],
    ]);
  });

  it('and none at all without subscriptions', async () => {
    await flow.subscribe(['buyer.paused', 'lead.outcome']);
    const [sold, ended] = [await stored(), await stored()];
    await flow.leads.sell([aSale(sold)], NOW);
    await flow.leads.decide(RUN, [unmatched(ended)], NOW);
    for (const id of [sold, ended]) {
      expect(await bed.lead(id)).not.toHaveProperty('untold');
      expect(await bed.lead(id)).not.toHaveProperty('event_seq');
    }
  });

  describe('of a change that is computed outside the database', () => {
    const data = { status: 'converted', outcome: 'converted', buyer_id: 'b' } as const;
    const event = {
      type: 'lead.outcome',
      at: NOW,
      data: { ...data, price: 1, revenue: 1, cost: 0 },
    } as const;
    const wants = new Map([['lead.outcome', ['org']]] as const);

    it('numbered after those before it', () => {
      expect(buildOutboxEvent(aLead({ event_seq: 4 }), wants, event)).toEqual({ n: 5, ...event });
      expect(buildOutboxEvent(aLead(), wants, event)?.n).toBe(1);
    });

    it('not for a test lead, another organization, or without a subscription', () => {
      expect(buildOutboxEvent(aLead({ is_test: true }), wants, event)).toBeNull();
      expect(buildOutboxEvent(aLead({ org_id: 'other' }), wants, event)).toBeNull();
      expect(buildOutboxEvent(aLead(), NO_SUBSCRIPTIONS, event)).toBeNull();
    });
  });
});
