/** The checker: finds every violation in the evidence. Pure; 100,000 operations take seconds. */
import type { Evidence, Violation } from '../evidence/evidence.js';
import { answers } from './answers.js';
import { caps } from './caps.js';
import { counters } from './counters.js';
import { duplicates } from './duplicates.js';
import { enough } from './enough.js';
import { events } from './events.js';
import { indexFacts, type Property } from './facts.js';
import { hours } from './hours.js';
import { idempotency } from './idempotency.js';
import { lost } from './lost.js';
import { money } from './money.js';
import { outcomes } from './outcomes.js';
import { phantom } from './phantom.js';
import { refusals } from './refusals.js';
import { repeats } from './repeats.js';
import { receiving } from './receiving.js';
import { room } from './room.js';
import { sending } from './sending.js';
import { soldLeads } from './soldLeads.js';
import { soldTwice } from './soldTwice.js';
import { testModes } from './testModes.js';
import { turns } from './turns.js';
import { undecided } from './undecided.js';
import { windows } from './windows.js';

const PROPERTIES: readonly Property[] = [
  lost,
  soldTwice,
  caps,
  windows,
  room,
  hours,
  testModes,
  money,
  answers,
  refusals,
  idempotency,
  duplicates,
  repeats,
  turns,
  phantom,
  sending,
  counters,
  undecided,
  outcomes,
  soldLeads,
  events,
  receiving,
  enough,
];

/**
 * Judges a run. What is unknown (an operation without an answer, a request whose answer was cut) may
 * or may not have happened: only what is wrong in both cases is a violation.
 */
export function check(evidence: Evidence): Violation[] {
  const facts = indexFacts(evidence);
  return PROPERTIES.flatMap((property) => property(facts));
}
