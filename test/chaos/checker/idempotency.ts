/** One key is one lead and one answer; another body under it is refused. */
import type { AnswerClass, Violation } from '../evidence/evidence.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { lagWithin, wereStruck } from './around.js';
import type { Facts, Operation, Property } from './facts.js';

/** Answers that are kept under a key: 2xx, and refusals by filters (contract 3.2). */
const KEPT: readonly AnswerClass[] = ['delivered', 'pending', 'unmatched', 'duplicate', 'rejected'];
/** Answers that are always allowed: the request was not accepted. */
const NOT_TAKEN: readonly AnswerClass[] = ['limited', 'not_taken'];

export const idempotency: Property = (facts) => [...keyed(facts), ...duplicatesOfThemselves(facts)];

function keyed({ operations }: Facts): Violation[] {
  const perKey = Map.groupBy(
    operations.filter(({ asked }) => asked.idempotency_key !== null),
    ({ asked }) => `${asked.supplier_id} ${asked.idempotency_key ?? ''}`,
  );
  return [...perKey.values()].flatMap((own) => {
    const same = own.filter(({ asked }) => asked.altered !== true);
    const altered = own.filter(({ asked }) => asked.altered === true);
    return [
      ...oneAnswer(same),
      ...altered.flatMap((operation) => refused(operation, same)),
      ...same.flatMap((operation) => refusedWrongly(operation, altered)),
    ];
  });
}

const isOk = ({ told }: Operation): boolean => told?.outcome === 'ok';
const answerOf = ({ told }: Operation): AnswerClass | null => told?.answer ?? null;
const isKept = (operation: Operation): boolean => {
  const answer = answerOf(operation);
  return isOk(operation) && answer !== null && KEPT.includes(answer);
};

/** Whether the first was answered before the second was sent. */
const wasBefore = (first: Operation, second: Operation): boolean =>
  first.told !== null && first.told.at <= second.asked.at;

function oneAnswer(same: readonly Operation[]): Violation[] {
  const kept = same.filter(isKept);
  const [first] = kept.toSorted((a, b) => (a.told?.at ?? 0) - (b.told?.at ?? 0));
  if (!first) return [];
  return same.flatMap((other): Violation[] => {
    if (other === first || other.told === null || !isOk(other)) return [];
    if (isKept(other)) {
      if (other.told.lead_id !== first.told?.lead_id) return [differs('two_leads', first, other)];
      if (answerOf(other) !== answerOf(first)) return [differs('answer_changed', first, other)];
      return [];
    }
    const answer = answerOf(other);
    if (answer === null || NOT_TAKEN.includes(answer)) return [];
    return wasBefore(first, other) ? [differs('answer_changed', first, other)] : [];
  });
}

function differs(
  rule: 'two_leads' | 'answer_changed',
  first: Operation,
  other: Operation,
): Violation {
  const names = { two_leads: 'key_names_two_leads', answer_changed: 'answer_changed' };
  const lead_id = first.told?.lead_id ?? other.told?.lead_id;
  return {
    total: 'false answers',
    rule: names[rule],
    what: `the key ${first.asked.idempotency_key ?? ''} was answered ${inWords(first)}, and then ${inWords(other)}`,
    intent: first.asked.intent,
    ...(lead_id == null ? {} : { lead_id }),
  };
}

const inWords = ({ asked, told }: Operation): string =>
  `${told?.answer ?? 'nothing'} with lead ${told?.lead_id ?? 'none'} in operation ${asked.op}`;

/** Only where an answer is stored already: after a definitive refusal the key is free for another body. */
function refused(altered: Operation, same: readonly Operation[]): Violation[] {
  const answer = answerOf(altered);
  if (!isOk(altered) || answer === null) return [];
  if (answer === 'key_reused' || NOT_TAKEN.includes(answer)) return [];
  const kept = same.find((operation) => isKept(operation) && wasBefore(operation, altered));
  if (!kept) return [];
  const what = `operation ${altered.asked.op} came with another body under a used key and was answered ${inWords(altered)}; the first was ${inWords(kept)}`;
  const { intent } = altered.asked;
  return [{ total: 'false answers', rule: 'altered_body_taken', what, intent }];
}

/** The same body may be refused only where another body may have come first. */
function refusedWrongly(operation: Operation, altered: readonly Operation[]): Violation[] {
  if (answerOf(operation) !== 'key_reused') return [];
  const { asked, told } = operation;
  if (altered.some((other) => other.asked.at <= (told?.at ?? 0))) return [];
  const what = `operation ${asked.op} was answered key_reused, but no other body came with its key`;
  return [{ total: 'false answers', rule: 'key_refused_wrongly', what, intent: asked.intent }];
}

/** A decided lead that stays unanswered for this time is recognized when it is sent again, in milliseconds. */
const UNANSWERED_AFTER_MS = 5_000;
/** A broken connection is noticed, and on record, within this time. */
const NOTICED_WITHIN_MS = 500;
/** How the suppliers' history marks a connection that they closed: see `test/chaos/load/suppliers/sending.ts`. */
const BY_SUPPLIER = 'closed by the supplier';
/** Processes that record a broken connection. */
const NOTICING = ['intake', 'api', 'mongod'];

/**
 * Without a key, a lead that is sent again because its connection broke, or because the decided lead was not
 * answered, gets its first answer again: it is no duplicate of itself.
 */
function duplicatesOfThemselves(facts: Facts): Violation[] {
  return facts.operations.flatMap((again): Violation[] => {
    const { asked, told } = again;
    if (asked.idempotency_key !== null || !isOk(again) || told?.duplicate_of == null) return [];
    const first = facts.leads.get(told.duplicate_of);
    // A replayed answer names the same original as the first one.
    if (!first || told.lead_id === first._id) return [];
    if (!facts.leadsOfOperation(again).includes(first)) return [];
    const before = facts.operationsOfIntent(asked.intent).filter((one) => one !== again);
    if (before.some((one) => mayHaveBeenAnswered(one, first, again))) return [];
    if (!before.some((one) => isKnown(one, first, again, facts))) return [];
    const what = `operation ${asked.op} was answered ${told.answer ?? ''} with lead ${told.lead_id ?? 'none'}, a duplicate of ${first._id}, which is its own first sending: that one was never answered`;
    const { intent } = asked;
    return [
      { total: 'false answers', rule: 'duplicate_of_itself', what, intent, lead_id: first._id },
    ];
  });
}

/**
 * Whether the supplier disconnected when the lead could be answered: the answer, also that of a second sending, which
 * repeats the first one, may have been in transit. The service has then given it.
 */
function mayHaveBeenAnswered({ told }: Operation, lead: Lead, again: Operation): boolean {
  if (told?.outcome !== 'info' || told.at > again.asked.at) return false;
  return told.error?.includes(BY_SUPPLIER) === true && answerableAt(lead) <= told.at;
}

/** When the lead was decided or promised. */
const answerableAt = ({ decided_at, pending_at }: Lead): number =>
  Math.min(Number(decided_at ?? Infinity), Number(pending_at ?? Infinity));

/** Whether the service knows that the earlier sending, which made the lead, received no answer. */
function isKnown(earlier: Operation, lead: Lead, again: Operation, { faults }: Facts): boolean {
  const { asked, told } = earlier;
  if (told === null || told.outcome !== 'info' || told.at > again.asked.at) return false;
  const [createdAt, decidedAt] = [Number(lead.created_at), Number(lead.decided_at ?? Infinity)];
  if (createdAt < asked.at || createdAt > told.at) return false;
  const askedAt = again.asked.at - NOTICED_WITHIN_MS - lagWithin(faults, asked.at, again.asked.at);
  if (decidedAt + UNANSWERED_AFTER_MS < askedAt) return true;
  const brokeUnnoticed =
    told.answer !== null || wereStruck(faults, NOTICING, asked.at, again.asked.at);
  return !brokeUnnoticed && told.at < askedAt;
}
