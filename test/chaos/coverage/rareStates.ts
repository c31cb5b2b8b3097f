/**
 * How often a run reached the states in which bugs hide. Counted afterwards from the evidence: a state
 * that stays 0 was not tested, even if the run has no violation.
 */
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import { NO_ANSWER_RECORDED } from '../../../src/deliveries/store/deliveries.js';
import { indexFacts, type Facts } from '../checker/facts.js';
import type { Evidence, Seen } from '../evidence/evidence.js';
import { STATES_AFTER } from './rareAfter.js';
import {
  acrossLoss,
  isResumed,
  isWaiting,
  leads,
  requests,
  rows,
  type Counter,
} from './rareCounters.js';
import { STATES_OF_KILLS } from './rareKills.js';
import { STATES_OF_MIDNIGHT } from './rareMidnight.js';
import { STATES_OF_SALES } from './rareSales.js';

/** How long a first run owns a lead; after it, no run acquires one for the first time, in milliseconds. */
const FIRST_TAKE_MS = 3_300;

/** Every state by name, in the order of a lead's path. */
export const RARE_STATES: Record<string, Counter> = {
  'told 503, and withdrawn': leads(({ status }) => status === 'WITHDRAWN'),
  'told 503, and sold when it was sent again': intentsWith('not_taken', 'delivered'),
  'told that nobody can tell now': answers('cannot_tell'),
  'told that nobody can tell, and given the answer later': intentsWith('cannot_tell', 'delivered'),
  'told pending': answers('pending'),
  'told pending, and sold': leads(
    ({ pending_at, status }) => !!pending_at && status === 'ACCEPTED',
  ),
  'told pending, and expired': leads(({ status }) => status === 'EXPIRED'),
  'replayed by its key': replayed(true),
  'replayed by its body': replayed(false),
  'a key taken over from a lead that was withdrawn': keysTakenOver,
  'sent again after a broken connection': ({ operations }) =>
    operations.filter(({ asked, told }) => asked.time > 1 && told?.outcome === 'ok').length,
  'duplicate of a lead that was undecided': duplicatesOfUndecided,
  'taken by a second run': leads(({ takes }) => takes > 1),
  'taken by a third run (rerun after rerun)': leads(({ takes }) => takes > 2),
  'resumed from its delivery rows': leads(({ trail }) => trail.some(isResumed)),
  'begun anew: its run died before it asked anybody': begunAnew,
  'its run died between the send and the record of it': leads(({ trail }) =>
    trail.some(({ reason }) => reason === NO_ANSWER_RECORDED),
  ),
  'a sale found in the rows by a later run': leads(({ trail }) =>
    trail.some((entry, index) => isResumed(entry) && trail[index + 1]?.result === 'ACCEPTED'),
  ),
  'a yes heard after its time': rows(
    ({ state, settled_at, answer_by }) =>
      state === 'accepted' && settled_at !== undefined && settled_at > answer_by,
  ),
  'answer lost after a yes': requests(
    ({ decision, ending }) => decision === 'accepted' && ending === 'cut',
  ),
  'a yes written out to a process that was killed': yesToTheDead,
  'asked again under the same key, and answered the same': requests(
    ({ decision }) => decision === 'replayed',
  ),
  'taken twice by a buyer that does not honour keys': takenTwice,
  'held for an answer that never came': rows(({ state }) => state === 'unknown'),
  'counted as sold without an answer': rows(
    ({ state, http_status }) => state === 'accepted' && http_status === undefined,
  ),
  'passed on without an answer': rows(({ state }) => state === 'abandoned'),
  'buyer passed by while its breaker was open': leads(({ trail }) =>
    trail.some(({ reason }) => reason === 'breaker_open'),
  ),
  parked: leads(({ trail }) => trail.some(isWaiting)),
  'parked, then sold to the same buyer': parkedThenSold(true),
  'parked, then sold to another buyer': parkedThenSold(false),
  'sent more than twice': rows(({ tries }) => tries > 2),
  ...STATES_OF_SALES,
  ...STATES_OF_MIDNIGHT,
  'two runs at once on one cap': runsSideBySide,
  ...STATES_OF_KILLS,
  "Temporal's store lost while the lead was parked": acrossLoss(isWaiting),
  ...STATES_AFTER,
};

export const rareStates = (evidence: Evidence): Seen[] => statesOf(indexFacts(evidence));

export function statesOf(facts: Facts): Seen[] {
  return Object.entries(RARE_STATES).map(([state, count]) => ({
    kind: 'seen',
    state,
    count: count(facts),
  }));
}

function answers(told: string): Counter {
  return ({ operations }) => operations.filter((one) => one.told?.answer === told).length;
}

function replayed(byKey: boolean): Counter {
  return ({ operations }) =>
    operations.filter(
      ({ asked, told }) => told?.replayed && (asked.idempotency_key !== null) === byKey,
    ).length;
}

function intentsWith(first: string, later: string): Counter {
  return ({ operations, operationsOfIntent }) =>
    operations.filter(
      ({ asked, told }) =>
        told?.answer === later &&
        operationsOfIntent(asked.intent).some((other) => other.told?.answer === first),
    ).length;
}

function keysTakenOver({ leads: all }: Facts): number {
  const withdrawn = new Set<string>();
  const others = new Set<string>();
  for (const { status, idempotency_id: key } of all.values()) {
    if (key !== undefined) (status === 'WITHDRAWN' ? withdrawn : others).add(key);
  }
  return [...withdrawn].filter((key) => others.has(key)).length;
}

function duplicatesOfUndecided({ leads: all }: Facts): number {
  return [...all.values()].filter(({ status, decided_at, duplicate_of }) => {
    const holder = all.get(duplicate_of ?? '');
    if (status !== 'DUPLICATE' || !decided_at || !holder) return false;
    return !holder.decided_at || holder.decided_at > decided_at;
  }).length;
}

/** Its first row was opened later than any first run could have opened it. */
function begunAnew({ leads: all, rowsOf }: Facts): number {
  return [...all.values()].filter(({ _id, takes, created_at }) => {
    const [first] = rowsOf(_id);
    return takes > 1 && first && Number(first.created_at) - Number(created_at) > FIRST_TAKE_MS;
  }).length;
}

/** The buyer had answered, and the run that sent the request left no result. */
function yesToTheDead({ requests: all, leads: known }: Facts): number {
  return all.filter(({ decision, ending, lead_id, buyer_id }) => {
    if (decision !== 'accepted' || ending !== 'answered') return false;
    const trail = known.get(lead_id)?.trail ?? [];
    return trail.some(
      (entry) => entry.buyer_id === buyer_id && entry.reason === NO_ANSWER_RECORDED,
    );
  }).length;
}

function takenTwice({ requests: all, leads: known, buyerLink }: Facts): number {
  const seen = new Set<string>();
  return all.filter(({ decision, lead_id, buyer_id }) => {
    const link = buyerLink(known.get(lead_id)?.campaign_id ?? '', buyer_id);
    if (decision !== 'accepted' || link?.honours_idempotency_key !== false) return false;
    const again = seen.has(`${lead_id}:${buyer_id}`);
    seen.add(`${lead_id}:${buyer_id}`);
    return again;
  }).length;
}

function parkedThenSold(same: boolean): Counter {
  return leads(({ trail, status, buyer_id }) => {
    const parked = trail.find(isWaiting);
    return status === 'ACCEPTED' && !!parked && (parked.buyer_id === buyer_id) === same;
  });
}

/** Rows of one limited buyer that another run opened while the previous one was still sending. */
function runsSideBySide({ evidence, buyerLink }: Facts): number {
  const latest = new Map<string, DeliveryDoc>();
  const inOrder = evidence.record.deliveries.toSorted(
    (a, b) => Number(a.created_at) - Number(b.created_at),
  );
  return inOrder.filter((row) => {
    const limits = buyerLink(row.campaign_id, row.buyer_id)?.caps ?? {};
    if (Object.keys(limits).length === 0) return false;
    const before = latest.get(row.buyer_id);
    latest.set(row.buyer_id, row);
    return before?.settled_at && before.run !== row.run && before.settled_at > row.created_at;
  }).length;
}
