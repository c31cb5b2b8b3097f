/** Explains each buyer: the lead's final result with each buyer of its plan, from the trail. */
import { stepText } from './explainSteps.js';
import { counted, detailOf, listed, money, nameOf, when } from './explainWords.js';
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
  const found = saleTo(buyer_id, subject) ?? lastWordOn(buyer_id, subject);
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

function lastWordOn(buyerId: string, subject: Subject): Found | undefined {
  const { trail } = subject.lead;
  const entry = trail.findLast((one) => one.buyer_id === buyerId && verdictOf(one, subject));
  const verdict = entry && verdictOf(entry, subject);
  if (!verdict) return undefined;
  const { text } = stepText(entry, subject);
  return { verdict, reason: entry.reason ?? null, detail: entry.detail ?? null, text };
}

const ANSWERS: Readonly<Record<string, BuyerVerdict | undefined>> = {
  accepted: 'unanswered',
  rejected: 'refused',
  not_taken: 'unavailable',
  unknown: 'unanswered',
};

/** Undefined for an entry that does not state the lead's result with its buyer. */
function verdictOf(entry: TrailEntry, { lead }: Subject): BuyerVerdict | undefined {
  switch (entry.step) {
    case 'routing':
      return entry.result === 'skipped' ? 'passed_over' : undefined;
    case 'caps':
      return entry.result === 'full' ? 'passed_over' : undefined;
    case 'delivery':
      return getOwn(ANSWERS, entry.result);
    case 'closing':
      if (entry.result === 'EXPIRED') return 'unavailable';
      if (entry.result !== 'waiting') return undefined;
      return isOpen(lead.status) && entry === lead.trail.findLast(isWaiting)
        ? 'waiting'
        : 'unavailable';
    case 'received':
    case 'ping':
    case 'origin':
    case 'filters':
    case 'suppression':
    case 'duplicates':
    case 'outcome':
      return undefined;
  }
}

const isWaiting = ({ step, result }: TrailEntry): boolean =>
  step === 'closing' && result === 'waiting';

/** Why the turn of a buyer never came, where no entry of its own excludes it. */
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

const NOT_ASKED: Record<
  NotAskedReason,
  (why: { by: TrailEntry | undefined; name: string; subject: Subject }) => string
> = {
  suspected_bot: ({ name }) => `${name} was not asked: the page of the lead suspects a bot.`,
  filtered: ({ name }) => `${name} was not asked: the filters of the campaign refuse the lead.`,
  suppressed: ({ name }) => `${name} was not asked: the person is on a suppression list.`,
  duplicate: ({ name }) => `${name} was not asked: the lead repeats an earlier one.`,
  not_original: ({ name, by, subject }) =>
    `${name} was not asked: the lead repeats one that ${nameOf(by?.buyer_id, subject)} has, and may go there only.`,
  supplier_cap: ({ name }) => `${name} was not asked: a cap of the supplier was full.`,
  campaign_cap: ({ name }) => `${name} was not asked: a cap of the campaign was full.`,
  outranked: ({ name, subject }) => {
    const { sales } = subject.lead;
    const buyers = listed(sales.map(({ buyer_id }) => nameOf(buyer_id, subject)));
    return `${name} was not asked: ${buyers} bought the lead first, and it may have only ${counted(sales.length, 'sale')}.`;
  },
  behind: ({ name, by, subject }) =>
    `${name} was not asked: the lead was reserved for ${nameOf(by?.buyer_id, subject)}.`,
  withdrawn: ({ name }) =>
    `${name} was not asked: no worker started the lead in time, and its supplier received 503.`,
  undecided: ({ name }) => `${name} was not asked yet: the lead is not decided.`,
  ended: ({ name }) => `${name} was not asked: the lead ended before its turn.`,
};

export const NOT_ASKED_REASONS = Object.keys(NOT_ASKED) as NotAskedReason[];

function notAsked(buyerId: string, name: string, subject: Subject): Found {
  const { reason, by } = whyNotAsked(buyerId, subject);
  const verdict = reason === 'undecided' ? 'undecided' : 'not_asked';
  const detail = by ? detailOf(by) : null;
  return { verdict, reason, detail, text: NOT_ASKED[reason]({ name, by, subject }) };
}

/** The decisive entry, and its meaning for a buyer that it does not name. */
function whyNotAsked(
  buyerId: string,
  { lead, plan }: Subject,
): { reason: NotAskedReason; by?: TrailEntry } {
  const last = (step: TrailEntry['step'], result: string) =>
    lead.trail.findLast((entry) => entry.step === step && entry.result === result);
  const at = (reason: NotAskedReason, by: TrailEntry) => ({ reason, by });
  const suspected = last('origin', 'suspected');
  if (suspected) return at('suspected_bot', suspected);
  const filtered = last('filters', 'failed');
  if (filtered) return at('filtered', filtered);
  const suppressed = last('suppression', 'matched');
  if (suppressed) return at('suppressed', suppressed);
  const repeat = last('duplicates', 'duplicate');
  if (repeat) return at('duplicate', repeat);
  const original = last('duplicates', 'routed');
  if (original && original.buyer_id !== buyerId) return at('not_original', original);
  const full = lead.trail.findLast(isGeneralCap);
  if (full) return at(full.reason === 'supplier_cap' ? 'supplier_cap' : 'campaign_cap', full);
  if (lead.sales.length >= plan.max_sells) return { reason: 'outranked' };
  const waits = lead.trail.findLast(isWaiting);
  if (waits) return at('behind', waits);
  if (lead.status === 'WITHDRAWN') return { reason: 'withdrawn' };
  if (isOpen(lead.status)) return { reason: 'undecided' };
  const preferred = lead.trail.findLast((entry) => isPreferred(entry, plan.buyers));
  return preferred ? at('behind', preferred) : { reason: 'ended' };
}

const isGeneralCap = ({ step, result, buyer_id }: TrailEntry): boolean =>
  step === 'caps' && result === 'full' && buyer_id === undefined;

/** Its buyer could not accept the lead, and its leads wait for it. */
const isPreferred = (
  { step, result, buyer_id }: TrailEntry,
  buyers: readonly BuyerTerms[],
): boolean =>
  step === 'delivery' &&
  result === 'not_taken' &&
  buyers.some((one) => one.buyer_id === buyer_id && one.when_unavailable === 'WAIT');
