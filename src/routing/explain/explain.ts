/**
 * A lead's decision in sentences: its status, each step, and the result with each buyer. Made from the
 * trail and the plan that decided it, and from nothing else.
 */
import { explainBuyer, notLinked } from './explainBuyers.js';
import type { BuyerExplanation, BuyerVerdict } from './explainBuyers.js';
import { said } from './explainReasons.js';
import { stepText } from './explainSteps.js';
import { counted, listed, money, nameOf, resultKey, when, type Subject } from './explainWords.js';
import type { TrailEntry } from '../../leads/rules/trail.js';
import type { LeadStatus } from '../../leads/rules/leadStatus.js';
import type { BuyerTerms } from '../../account/rules/plan.js';

export type { Subject } from './explainWords.js';

export interface Explanation {
  /** A few sentences. */
  summary: string;
  /** Each entry of the trail with its sentence, in their order. */
  steps: { entry: TrailEntry; text: string }[];
  /** Every buyer of the plan: those that have the lead first. */
  buyers: BuyerExplanation[];
}

/**
 * @param only restricts the answer to this buyer: steps and buyers are then about it and the lead as a whole, and the
 * summary begins with it
 */
export function explainLead(subject: Subject, only?: AskedBuyer): Explanation {
  const { lead, plan } = subject;
  const all = plan.buyers.map((terms) => explainBuyer(terms, subject));
  const one =
    only && (all.find(({ buyer_id }) => buyer_id === only.buyer_id) ?? notLinked(only, subject));
  const summary = one
    ? [one.text, ENDINGS[lead.status](subject)]
    : [...summaryOf(subject), ...whyNotOthers(all)];
  const entries = lead.trail.filter(
    ({ buyer_id }) => !only || buyer_id === undefined || buyer_id === only.buyer_id,
  );
  return {
    summary: [...summary, ...caveats(subject)].join(' '),
    steps: entries.map((entry) => ({ entry, text: stepText(entry, subject).text })),
    buyers: one ? [one] : all.toSorted(byVerdict),
  };
}

export type AskedBuyer = Pick<BuyerTerms, 'buyer_id' | 'name'>;

const byVerdict = (a: BuyerExplanation, b: BuyerExplanation): number =>
  RANKS.indexOf(a.verdict) - RANKS.indexOf(b.verdict);

const RANKS: readonly BuyerVerdict[] = [
  ...(['sold', 'waiting', 'unanswered', 'undecided'] as const),
  ...(['refused', 'unavailable', 'passed_over', 'not_asked'] as const),
];

const summaryOf = (subject: Subject): string[] => [
  ENDINGS[subject.lead.status](subject),
  ...whyEnded(subject),
  ...(subject.lead.sales.length > 0 ? whyTheseBuyers(subject) : []),
];

/** Its status, in one sentence. */
const ENDINGS: Record<LeadStatus, (subject: Subject) => string> = {
  NEW: ({ lead }) =>
    lead.run
      ? 'The lead is being decided at this moment.'
      : 'The lead is not decided yet: no worker has started it.',
  PENDING: (subject) => {
    const waits = subject.lead.trail.findLast(({ result }) => result === 'waiting');
    if (!waits) return 'The lead is not decided yet; its supplier was promised a decision.';
    const why = said(waits.reason);
    const since = `since ${when(waits.at, subject)}${why === '' ? '' : `: ${why}`}`;
    return `The lead is not decided yet: it waits for ${nameOf(waits.buyer_id, subject)} ${since}.`;
  },
  SELLING: (subject) => `${sold(subject)} It is on its way to further buyers.`,
  ACCEPTED: sold,
  UNMATCHED: () => 'No buyer has the lead.',
  DUPLICATE: ({ lead }) =>
    `The lead is a duplicate of ${lead.duplicate_of ? `lead ${lead.duplicate_of}` : 'an earlier lead'}.`,
  REJECTED: () => 'The lead was refused.',
  EXPIRED: () => 'The lead expired: a later decision was promised, and no buyer accepted it.',
  WITHDRAWN: () =>
    'The lead was withdrawn: no worker started it in time, so its supplier received 503 and nothing is owed.',
};

function sold(subject: Subject): string {
  const { sales, price, cost, profit } = subject.lead;
  const buyers = sales.map(
    (one) => `${nameOf(one.buyer_id, subject)} for ${money(one.price, subject)}`,
  );
  const sums = `it brings ${money(price, subject)}, costs ${money(cost, subject)} and leaves ${money(profit, subject)}`;
  return `The lead was sold to ${listed(buyers)}: ${sums}.`;
}

const DECISIVE: readonly string[] = [
  'origin suspected',
  'filters failed',
  'suppression matched',
  'duplicates duplicate',
];

/** The step that ended it, where that was not a sale. */
function whyEnded(subject: Subject): string[] {
  const { trail, sales } = subject.lead;
  if (sales.length > 0) return [];
  const decisive = trail.find((entry) => DECISIVE.includes(resultKey(entry)));
  const last = trail.findLast(({ step, result }) => step === 'closing' && result !== 'waiting');
  const entry = decisive ?? last;
  return entry ? [stepText(entry, subject).text] : [];
}

/** The first buyer's place in the order, and the buyers that were asked before it. */
function whyTheseBuyers(subject: Subject): string[] {
  const { trail, sales } = subject.lead;
  const [first] = sales;
  const ranked = trail.find(({ step, result }) => step === 'routing' && result === 'ranked');
  const until = trail.findIndex(
    ({ result, buyer_id }) => result === 'accepted' && buyer_id === first?.buyer_id,
  );
  const before = trail
    .slice(0, Math.max(0, until))
    .filter((entry) => UNSUCCESSFUL.includes(resultKey(entry)));
  const names = [...new Set(before.map(({ buyer_id }) => nameOf(buyer_id, subject)))];
  const asked = names.length > 0 ? [`Asked before, without a sale: ${listed(names)}.`] : [];
  return [...(ranked ? [stepText(ranked, subject).text] : []), ...asked];
}

const UNSUCCESSFUL = ['delivery rejected', 'delivery not_taken', 'delivery unknown'];

const OTHERS: Partial<Record<BuyerVerdict, string>> = {
  unanswered: 'gave no answer',
  refused: 'refused it',
  unavailable: 'could not receive it',
  passed_over: 'not eligible, or had a full cap',
  not_asked: 'not asked',
};

/** How many of the other buyers there were of each kind. */
function whyNotOthers(buyers: readonly BuyerExplanation[]): string[] {
  const kinds = Object.entries(OTHERS).flatMap(([verdict, words]) => {
    const count = buyers.filter((one) => one.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  return kinds.length === 0 ? [] : [`Of ${counted(buyers.length, 'buyer')}: ${listed(kinds)}.`];
}

function caveats({ lead }: Subject): string[] {
  return [
    ...(lead.is_test ? ['It is a test lead: it has no cost and no revenue.'] : []),
    ...(lead.trail_dropped === undefined
      ? []
      : [`Its trail is very long: it omits ${counted(lead.trail_dropped, 'step')} in the middle.`]),
  ];
}
