/**
 * Turns, as far as they are promised: whoever has waited longest is next, and no turn is taken by two leads. That
 * all have equally many is not promised: a run that dies loses its turns, and a buyer that rests keeps its own.
 */
import { groupBy } from '../../../src/domain/groupBy.js';
import type { Lead } from '../../../src/domain/lead.js';
import type { Violation } from '../evidence.js';
import type { Property } from './facts.js';

export const turns: Property = ({ evidence }) => {
  const all = evidence.record.leads.filter(({ is_test }) => !is_test).flatMap(turnsOf);
  return [...all.flatMap(outOfOrder), ...takenTwice(all)];
};

/** What a lead's trail says of a turn. */
interface Turn {
  lead: Lead;
  buyerId: string;
  /** When each of the equally good buyers had had its latest turn, counted in turns. */
  last: Readonly<Record<string, unknown>>;
}

const turnsOf = (lead: Lead): Turn[] =>
  lead.trail.flatMap(({ step, result, buyer_id, detail }): Turn[] => {
    if (step !== 'routing' || result !== 'turn') return [];
    const last = typeof detail?.last === 'object' ? (detail.last as Turn['last']) : {};
    return [{ lead, buyerId: buyer_id ?? '', last }];
  });

const latestOf = ({ last }: Turn, buyerId: string): number => {
  const value = last[buyerId];
  return typeof value === 'number' ? value : -1;
};

function outOfOrder(turn: Turn): Violation[] {
  const { lead, buyerId, last } = turn;
  const own = latestOf(turn, buyerId);
  const before = Object.keys(last).find((other) => latestOf(turn, other) < own);
  if (own >= 0 && before === undefined) return [];
  const why =
    before === undefined
      ? 'which is not among those that the turn was between'
      : `although buyer ${before} had waited longer`;
  const what = `lead ${lead._id} was the turn of buyer ${buyerId}, ${why} (${JSON.stringify(last)})`;
  return [{ total: 'false answers', rule: 'turn_out_of_order', what, lead_id: lead._id }];
}

/** With its turn a buyer goes to the end: two leads can never meet it with the same latest turn. */
function takenTwice(all: readonly Turn[]): Violation[] {
  const same = groupBy(
    all,
    (turn) => `${turn.lead.campaign_id} ${turn.buyerId} ${latestOf(turn, turn.buyerId)}`,
  );
  return [...same.values()].flatMap((own): Violation[] => {
    const ids = [...new Set(own.map(({ lead }) => lead._id))];
    const [first] = own;
    if (!first || ids.length < 2) return [];
    const { buyerId } = first;
    const what = `leads ${ids.join(' and ')} took the same turn of buyer ${buyerId}: its latest had been ${latestOf(first, buyerId)}`;
    return [{ total: 'doubled', rule: 'turn_taken_twice', what, lead_id: first.lead._id }];
  });
}
