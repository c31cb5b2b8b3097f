/**
 * Decides a stored lead again. Its trail has everything that was not in its plan (clock, counters, turns, breakers,
 * answers), so the same walk with the same facts must write the same trail, byte for byte.
 */
import { goneOn, withoutKey } from '../rules/consequence.js';
import {
  distribute,
  endingOf,
  applyAnswer,
  offerTo,
  waitingEntry,
  type Facts,
  type Walk,
  type WalkEnd,
} from '../rules/distribute.js';
import { judgeDuplicate } from '../../leads/rules/duplicates.js';
import type { Lead } from '../../leads/rules/lead.js';
import { receivedEntry, type TrailEntry } from '../../leads/rules/trail.js';
import type { LeadStatus } from '../../leads/rules/leadStatus.js';
import { pingEntries, planOfLead } from '../../leads/rules/locks.js';
import type { Plan } from '../../account/rules/plan.js';
import type { SuppressionHit } from '../../account/rules/suppressionKeys.js';
import {
  Interrupted,
  isAnswer,
  ReplayMismatch,
  originalOf,
  resumptionOf,
  storedFacts,
  type Resumption,
} from './replayFacts.js';
import { screenLead } from '../rules/screen.js';
import { candidatesAgain, hitsOfBuyers } from '../rules/suppression.js';
import { planNow } from '../rules/termsNow.js';
import { getOwn } from '../../lib/getOwn.js';

export type StoredLead = Pick<
  Lead,
  | 'fields'
  | 'is_test'
  | 'seed'
  | 'supplier_id'
  | 'plan_version'
  | 'route_to'
  | 'pending_at'
  | 'ping'
  | 'origin'
  | 'resale'
  | 'trail'
>;

export type Replayed =
  | { kind: 'equal'; entries: number }
  /** The first entry that differs; undefined where one of the trails has ended. */
  | {
      kind: 'differs';
      index: number;
      stored: TrailEntry | undefined;
      again: TrailEntry | undefined;
    };

/** The versions of its plan that decided and delivered a lead. */
export const versionsOf = ({ plan_version, trail }: StoredLead): number[] => [
  ...new Set([
    plan_version,
    ...trail.map((entry) => resumptionOf(entry)?.termsVersion ?? screenedBy(entry) ?? plan_version),
  ]),
];

/**
 * @param planOf a version of the lead's plan; undefined when it is not stored
 * @throws {Error} when the plan of the lead, or its supplier in it, is missing
 */
export function replayLead(
  stored: StoredLead,
  planOf: (version: number) => Plan | undefined,
): Replayed {
  // Outcomes after its sale are not decisions of this service.
  const lead = { ...stored, trail: stored.trail.filter(({ step }) => step !== 'outcome') };
  const locked = (version: number): Plan | undefined => {
    const found = planOf(version);
    return found && planOfLead(found, lead);
  };
  const plan = locked(lead.plan_version);
  const supplier = getOwn(plan?.suppliers, lead.supplier_id);
  if (!plan || !supplier)
    throw new Error(`Plan version ${lead.plan_version} or its supplier is missing`);
  const walk: Walk = {
    plan,
    supplier,
    isTest: lead.is_test,
    candidates: [],
    passed: [],
    sold: 0,
    trail: [],
  };
  const course: ReplayState = { lead, walk, planOf: locked, facts: storedFacts(lead.trail, walk) };
  try {
    follow(course);
  } catch (error) {
    if (!(error instanceof ReplayMismatch)) throw error;
  }
  return compare(lead.trail, walk.trail);
}

interface ReplayState {
  lead: StoredLead;
  walk: Walk;
  facts: Facts;
  planOf: (version: number) => Plan | undefined;
}

const nextOf = ({ lead, walk }: ReplayState): TrailEntry | undefined =>
  lead.trail[walk.trail.length];

function follow(course: ReplayState): void {
  const { walk, facts, lead } = course;
  walk.trail.push(receivedEntry(lead.plan_version, facts.now(), lead.resale));
  if (lead.ping) walk.trail.push(...pingEntries(lead.ping, facts.now()));
  let end = isScreened(nextOf(course)) ? untilInterrupted(() => begin(course)) : null;
  for (let next = nextOf(course); next && !isOver(end, course); next = nextOf(course)) {
    const resumed = resumptionOf(next);
    if (resumed) end = untilInterrupted(() => resume(resumed, next, course));
    // An operator's command, or the end of the lead's age limit: not decided by a plan.
    else walk.trail.push(next.step === 'closing' ? closing(course, 'EXPIRED', next) : next);
    if (next.step === 'closing') return;
  }
}

/** Null also where a later run continues. */
function untilInterrupted(walk: () => WalkEnd | null): WalkEnd | null {
  try {
    return walk();
  } catch (error) {
    if (error instanceof Interrupted) return null;
    throw error;
  }
}

const isScreened = (entry: TrailEntry | undefined): boolean =>
  entry?.step === 'filters' || entry?.step === 'origin';

/** The version whose terms screened the lead, where it was screened again before it was offered to a buyer. */
const screenedBy = (entry: TrailEntry | undefined): number | undefined =>
  entry?.step === 'filters' && entry.detail?.plan_version !== undefined
    ? Number(entry.detail.plan_version)
    : undefined;

/** Origin, filters, lists and duplicates, and the walk after them; null when one of them ended the lead. */
function begin(course: ReplayState): WalkEnd | null {
  const { lead, walk, facts, planOf } = course;
  const { plan, trail } = walk;
  const termsVersion = screenedBy(nextOf(course));
  const now = facts.now();
  const suppression = lead.trail.find(({ step }) => step === 'suppression');
  const latest = termsVersion === undefined ? plan : planOf(termsVersion);
  if (!latest) throw new ReplayMismatch();
  const asked = latest === plan ? plan : planNow(plan, latest);
  const hits = (suppression?.detail?.hits ?? []) as SuppressionHit[];
  const screened = screenLead({ lead, plan: asked, now, hits, termsVersion });
  trail.push(...screened.trail);
  if (screened.kind === 'rejected') {
    trail.push(closing(course, 'REJECTED', { reason: screened.reason }));
    return null;
  }
  walk.candidates = [...screened.candidates];
  const original = originalOf(nextOf(course));
  if (original) {
    const judged = judgeDuplicate(plan.dedupe, original, walk.candidates, facts.now());
    trail.push(judged.entry);
    if (judged.kind === 'ended') {
      trail.push(closing(course, judged.status, {}));
      return null;
    }
    walk.candidates = judged.candidates;
  }
  return distribute(walk, facts);
}

/** A later run resumes the lead from its delivery rows, or a drain from its queue. */
function resume(resumed: Resumption, entry: TrailEntry, course: ReplayState): WalkEnd | null {
  const { lead, walk, facts, planOf } = course;
  const { plan } = walk;
  const { at, buyer_id, state, tried, missed, sold, termsVersion, notAgain, barred } = resumed;
  walk.trail.push(entry);
  copyCommands(course);
  const latest = termsVersion === undefined ? plan : planOf(termsVersion);
  if (!latest) throw new ReplayMismatch();
  const current = latest === plan ? plan : planNow(plan, latest);
  const found = current.buyers.find((buyer) => buyer.buyer_id === buyer_id);
  if (!found) throw new ReplayMismatch();
  // Earlier releases let a list of the organization or the campaign pass for a lead that had waited.
  const hits = barred ? resumed.hits : hitsOfBuyers(current, resumed.hits);
  const again = candidatesAgain(current, lead, hits, at);
  walk.candidates = again.filter((terms) => !tried.includes(terms.buyer_id));
  walk.passed = missed.flatMap(({ buyer_id: id, reason }) =>
    again.filter((terms) => terms.buyer_id === id).map((terms) => ({ terms, reason })),
  );
  walk.sold = sold;
  const terms = state === 'abandoned' ? goneOn(found) : notAgain ? withoutKey(found) : found;
  if (state === 'expired') {
    walk.trail.push(closing(course, 'EXPIRED', { buyer_id, reason: 'max_age' }));
    return null;
  }
  if (state === 'parked' && !isAnswer(nextOf(course))) {
    walk.trail.push(waitingEntry(terms, resumed.said, facts.now()));
    return { kind: 'waiting', terms, reason: resumed.said };
  }
  const end = applyAnswer(walk, offerTo(walk, terms), facts, state === 'parked');
  return end ?? distribute(walk, facts);
}

/** Copies an operator's commands on the lead, which precede their result. */
function copyCommands(course: ReplayState): void {
  for (let next = nextOf(course); isCommand(next); next = nextOf(course)) {
    course.walk.trail.push(next);
  }
}

const isCommand = (entry: TrailEntry | undefined): entry is TrailEntry =>
  entry?.step === 'delivery' && !isAnswer(entry) && resumptionOf(entry) === null;

/** True when no entry can follow; adds the closing entry of an unsold lead. */
function isOver(end: WalkEnd | null, course: ReplayState): boolean {
  if (!end || end.kind === 'waiting') return false;
  const ending = endingOf(end.kind, course.walk.sold);
  if (ending) course.walk.trail.push(closing(course, ending.status, { reason: ending.reason }));
  return true;
}

/** A sold lead is accepted, whatever ended its further sales; a promise ends in ACCEPTED or EXPIRED (contract 2.4). */
function closing(
  { lead, walk, facts }: ReplayState,
  status: LeadStatus,
  { buyer_id, reason }: Pick<TrailEntry, 'buyer_id' | 'reason'>,
): TrailEntry {
  const promised = lead.pending_at ? 'EXPIRED' : status;
  return {
    at: facts.now(),
    step: 'closing',
    result: walk.sold > 0 ? 'ACCEPTED' : promised,
    buyer_id,
    reason,
  };
}

function compare(stored: readonly TrailEntry[], again: readonly TrailEntry[]): Replayed {
  const index = Array.from({ length: Math.max(stored.length, again.length) }).findIndex(
    (_, n) => JSON.stringify(stored[n]) !== JSON.stringify(again[n]),
  );
  if (index < 0) return { kind: 'equal', entries: stored.length };
  return { kind: 'differs', index, stored: stored[index], again: again[index] };
}
