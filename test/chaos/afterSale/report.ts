/** The report on the time after the sale. */
import { acknowledgedAt, saidOf } from '../checker/said.js';
import { deliveryOf, isTaken } from '../checker/receiving.js';
import type { Evidence, Violation } from '../evidence/evidence.js';

export function describeAfter(evidence: Evidence, violations: readonly Violation[]): string[] {
  const said = saidOf(evidence);
  const count = (...rules: string[]): number =>
    violations.filter(({ rule }) => rules.includes(rule)).length;
  const { received, events } = evidence.after;
  const taken = received.filter(isTaken);
  const arrived = new Set(taken.map(deliveryOf)).size;
  const requests = said.reduce((sum, { words, altered }) => sum + words.length + altered.length, 0);
  const made = said.filter((one) => acknowledgedAt(one) !== null).length;
  const lost = count('acknowledged_outcome_missing', 'outcome_not_on_trail', 'outcome_state_off');
  const doubled = count('outcome_doubled', 'outcome_number_doubled', 'outcome_told_twice');
  const missing = count('event_missing', 'event_undelivered', 'event_not_received');
  return [
    `outcomes: ${said.length} said in ${requests} requests, ${made} acknowledged, ${lost} lost, ${doubled} doubled`,
    `events: ${events.length} told, ${arrived} received in ${received.length} requests, ${missing} missing, ${count('event_out_of_order')} out of order`,
    `received twice (allowed): ${taken.length - arrived}`,
  ];
}
