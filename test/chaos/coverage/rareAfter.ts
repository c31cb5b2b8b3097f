/** Rare states of the time after the sale. */
import type { Facts } from '../checker/facts.js';
import { deliveryOf, isTaken } from '../checker/receiving.js';
import { acknowledgedAt, saidOf, type Said, type Word } from '../checker/said.js';
import type { Counter } from './rareCounters.js';

export const STATES_AFTER: Record<string, Counter> = {
  'an outcome told 503, and recorded when it was sent again': outcomes(
    (one) => acknowledgedAt(one) !== null && one.words.some(was('not_taken')),
  ),
  'an outcome that nobody could tell of, and that was recorded': outcomes(
    (one) => one.docs.length > 0 && one.words.some(was('cannot_tell')),
  ),
  'an outcome without an answer, and recorded': outcomes(
    (one) => one.docs.length > 0 && one.words.some(({ told }) => told?.answer === null),
  ),
  'an outcome given its first answer again': outcomes(({ words }) =>
    words.some(({ told }) => told?.replayed),
  ),
  'an outcome refused, as its key came with another body': outcomes(({ altered }) =>
    altered.some(was('conflict')),
  ),
  'an outcome of a lead that was on its way to another buyer': ({ evidence, leads }) =>
    evidence.after.outcomes.filter(({ lead_id, received_at }) =>
      leads.get(lead_id)?.sales.some(({ at }) => at > received_at),
    ).length,
  'an event sent again': ({ evidence }) =>
    evidence.after.eventDeliveries.filter(({ attempts }) => attempts > 1).length,
  'an event received again after its answer was lost': receivedAgain,
};

function outcomes(is: (said: Said) => boolean | undefined): Counter {
  return ({ evidence }) => saidOf(evidence).filter(is).length;
}

const was =
  (answer: string) =>
  ({ told }: Word): boolean =>
    told?.answer === answer;

function receivedAgain({ evidence }: Facts): number {
  const taken = evidence.after.received.filter(isTaken);
  return taken.length - new Set(taken.map(deliveryOf)).size;
}
