/**
 * Turns, as far as they are promised: the buyer that has waited longest is next, and no two leads take the same turn.
 * Equal numbers are not promised: a run that dies loses its turns, and an unavailable buyer keeps its own.
 */
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { TrailEntry } from '../../../src/leads/rules/trail.js';
import type { Violation } from '../evidence/evidence.js';
import type { Property } from './facts.js';

export const turns: Property = ({ evidence }) => {
  const all = evidence.record.leads.filter(({ is_test }) => !is_test).flatMap(turnsOf);
  return [...all.flatMap(outOfOrder), ...takenTwice(all)];
};

/** What a lead's trail says of a turn that was taken. */
interface Turn {
  lead: Lead;
  buyerId: string;
  /** When each of the candidates had its latest turn, counted in turns. */
  last: Readonly<Record<string, unknown>>;
}

/** The trail also names unavailable buyers: the entries that follow skip them, and they keep their turns. */
const turnsOf = (lead: Lead): Turn[] =>
  lead.trail.flatMap(({ step, result, buyer_id, detail }, at): Turn[] => {
    if (step !== 'routing' || result !== 'turn' || buyer_id === undefined) return [];
    const seen = typeof detail?.last === 'object' ? (detail.last as Turn['last']) : {};
    const resting = restingAfter(lead.trail, at);
    const last = Object.entries(seen).filter(([buyer]) => !resting.has(buyer));
    return [{ lead, buyerId: buyer_id, last: Object.fromEntries(last) }];
  });

function restingAfter(trail: readonly TrailEntry[], at: number): ReadonlySet<string | undefined> {
  const rest = trail.slice(at + 1);
  const end = rest.findIndex(({ step, result }) => step !== 'routing' || result !== 'skipped');
  return new Set(rest.slice(0, end < 0 ? undefined : end).map(({ buyer_id }) => buyer_id));
}

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

/** With its turn a buyer goes to the end: two leads can never find it with the same latest turn. */
function takenTwice(all: readonly Turn[]): Violation[] {
  const same = Map.groupBy(
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
