/** Explains each buyer: the lead's final result with each buyer of its plan, from the trail. */
import { stepText } from './explainSteps.js';
import { counted, detailOf, listed, money, nameOf, resultKey, when } from './explainWords.js';
import type { Detail, Subject } from './explainWords.js';
import type { TrailEntry } from '../../leads/rules/trail.js';
import { isOpen } from '../../leads/rules/leadStatus.js';
import type { BuyerTerms } from '../../account/rules/plan.js';
import { getOwn } from '../../lib/getOwn.js';

/**
 * refused: it declined. unavailable: it could not be reached, or be waited for any longer. unanswered: it may have the
 * lead. passed_over: it could not get this lead, or had no room. not_asked: its turn never came. undecided: it may
 * still come. not_linked: it was no buyer of the campaign then.
 */
export const BUYER_VERDICTS = [
  'sold',
  'waiting',
  'refused',
  'unavailable',
  'unanswered',
  'passed_over',
  'not_asked',
  'undecided',
  'not_linked',
] as const;
export type BuyerVerdict = (typeof BUYER_VERDICTS)[number];

export interface BuyerExplanation {
  buyer_id: string;
  name: string;
  verdict: BuyerVerdict;
  /** A code of the trail, or one of `NOT_ASKED_REASONS`; null where the verdict is sufficient. */
  reason: string | null;
  /** The values that were compared. */
  detail: Detail | null;
  text: string;
}

type Found = Omit<BuyerExplanation, 'buyer_id' | 'name'>;

/** The lead's result with this buyer of its plan. */
export function explainBuyer({ buyer_id, name }: BuyerTerms, subject: Subject): BuyerExplanation {
  const found = saleTo(buyer_id, subject) ?? lastResultWith(buyer_id, subject);
  return { buyer_id, name, ...(found ?? notAsked(buyer_id, name, subject)) };
}

/** A buyer that the plan does not have. */
export const notLinked = (
  { buyer_id, name }: Pick<BuyerTerms, 'buyer_id' | 'name'>,
  { plan }: Subject,
): BuyerExplanation => ({
  buyer_id,
  name,
  verdict: 'not_linked',
  reason: null,
  detail: null,
  text: `${name} was not a buyer of the campaign in version ${plan.version}, which decides the lead.`,
});

function saleTo(buyerId: string, subject: Subject): Found | undefined {
  const sale = subject.lead.sales.find(({ buyer_id }) => buyer_id === buyerId);
  if (!sale) return undefined;
  const [price, cost] = [money(sale.price, subject), money(sale.cost, subject)];
  const text = `${nameOf(buyerId, subject)} bought it for ${price} at ${when(sale.at, subject)}; the supplier gets ${cost} for it.`;
  return { verdict: 'sold', reason: null, detail: null, text };
}

function lastResultWith(buyerId: string, subject: Subject): Found | undefined {
  const { trail } = subject.lead;
  const entry = trail.findLast((one) => one.buyer_id === buyerId && verdictOf(one, subject));
  const verdict = entry && verdictOf(entry, subject);
  if (!verdict) return undefined;
  const { text } = stepText(entry, subject);
  return { verdict, reason: entry.reason ?? null, detail: entry.detail ?? null, text };
}

const VERDICTS: Readonly<Record<string, BuyerVerdict>> = {
  'routing skipped': 'passed_over',
  'caps full': 'passed_over',
  'delivery accepted': 'unanswered',
  'delivery rejected': 'refused',
  'delivery not_taken': 'unavailable',
  'delivery unknown': 'unanswered',
  'closing waiting': 'unavailable',
  'closing EXPIRED': 'unavailable',
};

/** Undefined for an entry that does not state the lead's result with its buyer. */
function verdictOf(entry: TrailEntry, { lead }: Subject): BuyerVerdict | undefined {
  const waits = isOpen(lead.status) && entry === lead.trail.findLast(isWaiting);
  return waits ? 'waiting' : getOwn(VERDICTS, resultKey(entry));
}

const isWaiting = (entry: TrailEntry): boolean => resultKey(entry) === 'closing waiting';

/** Why the turn of a buyer never came, where no entry names it. */
type NotAskedReason =
  | 'suspected_bot'
  | 'filtered'
  | 'suppressed'
  | 'duplicate'
  | 'not_original'
  | 'supplier_cap'
  | 'campaign_cap'
  | 'outranked'
  | 'behind'
  | 'withdrawn'
  | 'undecided'
  | 'ended';

type NotAskedText = (by: TrailEntry | undefined, subject: Subject) => string;

/** Each clause gives the reason why the buyer was not asked. */
const NOT_ASKED: Record<NotAskedReason, NotAskedText> = {
  suspected_bot: () => 'the page of the lead suspects a bot',
  filtered: () => 'the filters of the campaign refuse the lead',
  suppressed: () => 'the person is on a suppression list',
  duplicate: () => 'the lead repeats an earlier one',
  not_original: (by, subject) =>
    `the lead repeats one that ${nameOf(by?.buyer_id, subject)} has, and may go there only`,
  supplier_cap: () => 'a cap of the supplier was full',
  campaign_cap: () => 'a cap of the campaign was full',
  outranked: (_by, subject) => {
    const { sales } = subject.lead;
    const buyers = listed(sales.map(({ buyer_id }) => nameOf(buyer_id, subject)));
    return `${buyers} bought the lead first, and it may have only ${counted(sales.length, 'sale')}`;
  },
  behind: (by, subject) => `the lead was reserved for ${nameOf(by?.buyer_id, subject)}`,
  withdrawn: () => 'no worker started the lead in time, and its supplier received 503',
  undecided: () => 'the lead is not decided',
  ended: () => 'the lead ended before its turn',
};

export const NOT_ASKED_REASONS = Object.keys(NOT_ASKED) as NotAskedReason[];

function notAsked(buyerId: string, name: string, subject: Subject): Found {
  const { reason, by } = whyNotAsked(buyerId, subject);
  const detail = by ? detailOf(by) : null;
  const mayCome = reason === 'undecided';
  const text = `${name} was not asked${mayCome ? ' yet' : ''}: ${NOT_ASKED[reason](by, subject)}.`;
  return { verdict: mayCome ? reason : 'not_asked', reason, detail, text };
}

/** Entries that exclude every buyer they do not name, the first decisive one first. */
const EXCLUSIONS: readonly (readonly [string, NotAskedReason])[] = [
  ['origin suspected', 'suspected_bot'],
  ['filters failed', 'filtered'],
  ['suppression matched', 'suppressed'],
  ['duplicates duplicate', 'duplicate'],
  ['duplicates routed', 'not_original'],
];

/** The decisive entry, and its meaning for a buyer that it does not name. */
function whyNotAsked(
  buyerId: string,
  { lead, plan }: Subject,
): { reason: NotAskedReason; by?: TrailEntry } {
  for (const [key, reason] of EXCLUSIONS) {
    const by = lead.trail.findLast((one) => resultKey(one) === key && one.buyer_id !== buyerId);
    if (by) return { reason, by };
  }
  const full = lead.trail.findLast((one) => resultKey(one) === 'caps full' && !one.buyer_id);
  if (full)
    return { reason: full.reason === 'supplier_cap' ? 'supplier_cap' : 'campaign_cap', by: full };
  if (lead.sales.length >= plan.max_sells) return { reason: 'outranked' };
  const waits = lead.trail.findLast(isWaiting);
  if (waits) return { reason: 'behind', by: waits };
  if (lead.status === 'WITHDRAWN') return { reason: 'withdrawn' };
  if (isOpen(lead.status)) return { reason: 'undecided' };
  const preferred = lead.trail.findLast((entry) => isPreferred(entry, plan.buyers));
  return preferred ? { reason: 'behind', by: preferred } : { reason: 'ended' };
}

/** Its buyer could not accept the lead, and its leads wait for it. */
const isPreferred = (entry: TrailEntry, buyers: readonly BuyerTerms[]): boolean =>
  resultKey(entry) === 'delivery not_taken' &&
  buyers.some((one) => one.buyer_id === entry.buyer_id && one.when_unavailable === 'WAIT');
