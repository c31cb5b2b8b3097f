/** Each acknowledged outcome is on record once, each refused one is not, and no other outcome is on record. */
import type { ChangeDoc } from '../../../src/outcomes/store/outcomeDocs.js';
import type { OutcomeAsked } from '../afterSale/evidence.js';
import type { Total, Violation } from '../evidence/evidence.js';
import type { Property } from './facts.js';
import { acknowledgedAt, isRefused, noteOf, saidOf, type Said, type Word } from './said.js';

export const outcomes: Property = ({ evidence }) => {
  const said = saidOf(evidence);
  const meant = new Map(said.map((one) => [one.key, one.meant]));
  return [
    ...said.flatMap((one) => [...recorded(one), ...answers(one)]),
    ...[...Map.groupBy(said, (one) => one.meant.lead_id).values()].flatMap(order),
    ...evidence.after.outcomes.flatMap((doc) => [...nobodySent(doc, meant), ...open(doc)]),
  ];
};

const found = (total: Total, rule: string, lead_id: string, what: string): Violation[] => [
  { total, rule, what, lead_id },
];

function recorded(said: Said): Violation[] {
  const { key, meant, docs } = said;
  const { lead_id } = meant;
  const [doc] = docs;
  const acknowledged = acknowledgedAt(said) !== null;
  if (docs.length > 1)
    return found('doubled', 'outcome_doubled', lead_id, `${key} is on record ${docs.length} times`);
  if (acknowledged && (doc?.state !== 'made' || doc.seq === undefined)) {
    const is = doc ? `is ${doc.state}, number ${doc.seq ?? 'none'}` : 'is not on record';
    const what = `${key} (${meant.outcome}) was acknowledged, and ${is}`;
    return found('lost', 'acknowledged_outcome_missing', lead_id, what);
  }
  if (doc && isRefused(said)) {
    const what = `${key} was refused each time, and is on record as ${doc.state}`;
    return found('false answers', 'outcome_refused_but_made', lead_id, what);
  }
  return [];
}

function answers({ key, meant, words, altered }: Said): Violation[] {
  const off = ({ asked }: Word, rule: string, what: string): Violation[] =>
    found('false answers', rule, meant.lead_id, `request ${asked.op} of ${key} ${what}`);
  const one = (word: Word): Violation[] => {
    const { answer, outcome, status, error } = word.told ?? {};
    if (answer === 'unexpected')
      return off(word, 'outcome_answer_unexpected', `was answered ${status}: ${error}`);
    if (answer === 'conflict' && !word.asked.altered)
      return off(word, 'outcome_key_refused', 'was refused as another body, and is the same');
    if (answer !== 'made') return [];
    if (word.asked.altered)
      return off(word, 'outcome_altered_taken', 'was taken, with another body than the first');
    if (outcome === meant.outcome) return [];
    return off(word, 'outcome_answer_false', `says ${outcome}, and not ${meant.outcome}`);
  };
  return [...words, ...altered].flatMap(one);
}

/** An outcome acknowledged before another one was sent has the lower number. */
function order(ofLead: readonly Said[]): Violation[] {
  return ofLead.flatMap((first) =>
    ofLead.flatMap((second) => {
      const [before, after] = [first.docs[0]?.seq, second.docs[0]?.seq];
      const at = acknowledgedAt(first);
      if (at === null || at >= second.meant.at) return [];
      if (before === undefined || after === undefined || before < after) return [];
      const what = `${first.key} was acknowledged before ${second.key} was said, and is number ${before} after ${after}`;
      return found('false answers', 'outcome_out_of_order', first.meant.lead_id, what);
    }),
  );
}

function nobodySent(doc: ChangeDoc, meant: ReadonlyMap<string, OutcomeAsked>): Violation[] {
  const { lead_id, buyer_id, ask } = doc;
  const asked = meant.get(noteOf(doc));
  const isAsked =
    asked?.lead_id === lead_id &&
    asked.buyer_id === buyer_id &&
    ask.kind === 'outcome' &&
    ask.outcome === asked.outcome &&
    (ask.conversion_revenue ?? null) === micros(asked.revenue) &&
    ask.lead_value === undefined;
  if (isAsked) return [];
  const what = `change ${doc._id} of lead ${lead_id} is what no buyer has said: ${JSON.stringify(ask)}`;
  return found('false answers', 'outcome_never_sent', lead_id, what);
}

const micros = (amount: number | null): number | null =>
  amount === null ? null : Math.round(amount * 1_000_000);

function open({ _id, lead_id, state, received_at }: ChangeDoc): Violation[] {
  if (state === 'made') return [];
  const what = `change ${_id} of lead ${lead_id}, received ${received_at.toISOString()}, is still open`;
  return found('undecided', 'outcome_still_open', lead_id, what);
}
