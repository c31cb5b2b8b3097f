import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { chooseEvents, isFirst, selectLeastTried } from '../../src/automations/chains.js';
import type { EventDeliveryDoc } from '../../src/automations/store/automationDocs.js';
import { NOW } from '../support/storedRows.js';

const aDelivery = (lead: string | null, ord: number): EventDeliveryDoc => ({
  _id: `a:${lead ?? 'none'}:${ord}`,
  org_id: 'org',
  automation_id: 'a',
  event_id: 'e',
  type: 'lead.outcome',
  lead_id: lead,
  ord,
  state: 'waiting',
  attempts: 0,
  due_at: NOW,
  give_up_at: NOW,
  created_at: NOW,
});

/** Waiting deliveries, due or not; their ords rise, with gaps left by other automations. */
const waiting = fc.uniqueArray(
  fc.record({
    lead: fc.constantFrom('x', 'y', 'z'),
    ord: fc.integer({ min: 1, max: 9 }),
    due: fc.boolean(),
  }),
  { selector: ({ lead, ord }) => `${lead}${ord}`, maxLength: 20 },
);

describe('of the deliveries that are due', () => {
  it('the first ones of each lead are sent, and those directly behind them', () => {
    fc.assert(
      fc.property(waiting, (all) => {
        const sorted = all.toSorted((a, b) => a.ord - b.ord);
        const due = all.filter((one) => one.due).map(({ lead, ord }) => aDelivery(lead, ord));
        const asked = new Set(due.filter((row) => !isFirst(row)).map(({ lead_id }) => lead_id));
        const places = sorted
          .map(({ lead, ord }) => aDelivery(lead, ord))
          .filter(({ lead_id }) => asked.has(lead_id));
        const { chains } = chooseEvents(due, places);
        for (const lead of ['x', 'y', 'z']) {
          const own = sorted.filter((one) => one.lead === lead);
          const until = own.findIndex((one) => !one.due);
          const free = until === -1 ? own : own.slice(0, until);
          const chain = chains.find(([first]) => first?.lead_id === lead) ?? [];
          expect(chain.map(({ ord }) => ord)).toEqual(free.map(({ ord }) => ord));
        }
      }),
    );
  });

  it('events without a lead do not wait', () => {
    const rows = [1, 2, 3].map((n) => ({ ...aDelivery(null, 0), _id: `a:${n}` }));
    expect(chooseEvents(rows, []).chains).toEqual(rows.map((row) => [row]));
  });

  it('those with the fewest attempts go first, then those due the longest', () => {
    const tried = (id: string, attempts: number) => [
      { ...aDelivery(null, 0), _id: id, attempts },
      { ...aDelivery(null, 0), _id: `${id} again`, attempts: 0 },
    ];
    const chains = [tried('a', 3), tried('b', 0), tried('c', 1), tried('d', 0)];
    expect(selectLeastTried(chains).map(([first]) => first?._id)).toEqual(['b', 'd', 'c', 'a']);
  });

  it('those behind an event of their lead that is not due are delayed until after it', () => {
    const at = new Date(Number(NOW) + 60_000);
    const [first, second, third] = [1, 2, 3].map((ord) => aDelivery('x', ord));
    const free = [1, 2].map((ord) => aDelivery('y', ord));
    if (!first || !second || !third) throw new Error('three are made');
    const due = [second, third, ...free];
    const waiting = [{ ...first, due_at: at }, second, third, ...free];
    const due_at = new Date(Number(at) + 1);
    expect(chooseEvents(due, waiting).later).toEqual([
      { _id: second._id, due_at },
      { _id: third._id, due_at },
    ]);
    // A run is sending the first one now and ends in a moment.
    const sending = { ...first, due_at: at, run: 'r' };
    expect(chooseEvents(due, [sending, second, third, ...free]).later).toEqual([]);
  });
});
