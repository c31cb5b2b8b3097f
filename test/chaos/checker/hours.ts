/** No lead is sent to a buyer outside its hours, whether it arrived then or had waited. */
import type { Fault, Instant, Span, Violation } from '../evidence/evidence.js';
import type { Facts, Property } from './facts.js';

/**
 * A buyer is open when it is chosen. Then its reservations are taken (three updates, 3 s each at most), and within a
 * second of its row the request is written; in milliseconds. Before its first hour it cannot have been chosen.
 */
export const CHOSEN_WITHIN_MS = 10_000;

export const hours: Property = ({ requests, leads, buyerLink, faults }: Facts) => {
  const pauses = pausesOf(faults);
  return requests.flatMap(({ at, request, buyer_id, lead_id }): Violation[] => {
    const lead = leads.get(lead_id);
    const open = lead && buyerLink(lead.campaign_id, buyer_id)?.hours;
    if (!open) return [];
    const late = closedFor(open, at);
    if (late === 0 || late - pausedIn(pauses, at - late, at) <= CHOSEN_WITHIN_MS) return [];
    const since = late === Infinity ? 'had not opened yet' : `had been closed for ${late} ms`;
    const what = `request ${request} for lead ${lead_id} reached buyer ${buyer_id}, which ${since}`;
    return [{ total: 'over cap', rule: 'sent_while_closed', what, lead_id }];
  });
};

/** How long ago the latest opening ended; 0 within hours, Infinity before the first. */
function closedFor(open: readonly Span[], at: Instant): number {
  if (open.some(({ from, to }) => from <= at && at < to)) return 0;
  const ends = open.map(({ to }) => to).filter((to) => to <= at);
  return ends.length === 0 ? Infinity : at - Math.max(...ends);
}

/** A process, or the whole machine, was paused between the choice and the request. */
const PAUSES: readonly string[] = ['stop', 'lag'];

export const pausesOf = (faults: readonly Fault[]): Fault[] =>
  faults.filter(({ type }) => PAUSES.includes(type));

/** How long a process stood still in that time, in milliseconds. */
export const pausedIn = (pauses: readonly Fault[], from: Instant, to: Instant): number =>
  pauses.reduce((sum, { at, ended = Infinity }) => {
    return sum + Math.max(0, Math.min(ended, to) - Math.max(at, from));
  }, 0);
