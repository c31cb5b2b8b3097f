/**
 * What a past lead would have done under another plan: the walk that decides and replays leads, with the facts of that
 * time as far as they are known. Pure.
 */
import { hasCaps, CAP_SCOPES, eachWindow, type CapScope } from '../../account/rules/capLimits.js';
import type { BuyerTerms, Plan } from '../../account/rules/plan.js';
import { priceLead, termsPrice } from '../../account/rules/pricing.js';
import type { SuppressionHit } from '../../account/rules/suppressionKeys.js';
import type { DeliveryVerdict } from '../../deliveries/rules/delivery.js';
import type { Micros } from '../../fields/money.js';
import { windowKeys } from '../../fields/windowKeys.js';
import { getOwn } from '../../lib/getOwn.js';
import { judgeDuplicate } from '../../leads/rules/duplicates.js';
import type { Lead } from '../../leads/rules/lead.js';
import { planOfLead } from '../../leads/rules/locks.js';
import { capUse, limitsOf, type Counted, type Offer } from '../rules/capUse.js';
import { emptyCapState, keysAt, NOTHING, rollWindows, type Counters } from '../rules/caps.js';
import { consequenceOf } from '../rules/consequence.js';
import { distribute, endingOf, type Facts, type Walk } from '../rules/distribute.js';
import { screenLead } from '../rules/screen.js';
import { afterTurn, NO_TURNS, type Turns } from '../rules/turns.js';
import { isAnswer, originalOf } from './replayFacts.js';
import type { StoredLead } from './replayLead.js';

export type PastLead = StoredLead & Pick<Lead, 'sales' | 'created_at' | 'status' | 'campaign_id'>;

export interface ForecastSale {
  buyer_id: string;
  price: Micros;
  cost: Micros;
}

/** Where a lead would have ended. REFUSED: its supplier would have received 403, and no lead been stored. */
export interface Forecast {
  status: 'ACCEPTED' | 'UNMATCHED' | 'REJECTED' | 'DUPLICATE' | 'PENDING' | 'EXPIRED' | 'REFUSED';
  reason: string | null;
  sales: ForecastSale[];
  /** Buyers that were not asked in fact: they are taken to accept the lead. */
  assumed: string[];
}

/** What the leads of a preview have used, one after the other: caps and turns. Begin with an empty one. */
export interface Used {
  counters: Map<string, Counters>;
  /** Null until the first turn: it begins with what the trail of the first lead knows. */
  turns: Turns | null;
}

export const nothingUsed = (): Used => ({ counters: new Map(), turns: null });

/**
 * @param plan of its campaign
 * @param used by the leads before it; what this lead uses is added
 */
export function previewLead(lead: PastLead, plan: Plan, used: Used): Forecast {
  const supplier = getOwn(plan.suppliers, lead.supplier_id);
  if (!supplier) return refused('supplier_not_linked');
  if (supplier.status === 'paused' && !lead.is_test) return refused('source_paused');
  const planned = planOfLead(plan, lead);
  const now = lead.trail[0]?.at ?? lead.created_at;
  const lists = lead.trail.find(({ step }) => step === 'suppression');
  const hits = (lists?.detail?.hits ?? []) as SuppressionHit[];
  const screened = screenLead({ lead, plan: planned, now, hits });
  if (screened.kind === 'rejected') return unsold('REJECTED', screened.reason);
  let { candidates } = screened;
  const original = originalOf(lead.trail.find(({ step }) => step === 'duplicates'));
  if (original) {
    const judged = judgeDuplicate(planned.dedupe, original, candidates, now);
    if (judged.kind === 'ended') return unsold(judged.status, judged.entry.reason ?? null);
    ({ candidates } = judged);
  }
  const walk: Walk = {
    plan: planned,
    supplier: getOwn(planned.suppliers, lead.supplier_id) ?? supplier,
    isTest: lead.is_test,
    candidates: [...candidates],
    passed: [],
    sold: 0,
    trail: [],
  };
  const past = new PastFacts(lead, walk, used, now);
  const end = distribute(walk, past);
  // Its last turn counts for the leads after it.
  if (used.turns) past.turns();
  const { sales, assumed } = past;
  if (sales.length > 0) return { status: 'ACCEPTED', reason: null, sales, assumed };
  if (end.kind === 'waiting') {
    // In fact it waited in vain, and nothing says that it would not have.
    const status = lead.status === 'EXPIRED' ? 'EXPIRED' : 'PENDING';
    return { status, reason: end.reason, sales, assumed };
  }
  const ending = endingOf(end.kind, 0);
  return { status: ending?.status ?? 'UNMATCHED', reason: ending?.reason ?? null, sales, assumed };
}

const refused = (reason: string): Forecast => unsold('REFUSED', reason);

const unsold = (status: Forecast['status'], reason: string | null): Forecast => ({
  status,
  reason,
  sales: [],
  assumed: [],
});

/** Facts of the time of the lead: its trail, its sales, and what the leads before it have used. */
class PastFacts implements Facts {
  readonly sales: ForecastSale[] = [];
  readonly assumed: string[] = [];
  #turnsSeen = 0;

  constructor(
    private readonly lead: PastLead,
    private readonly walk: Walk,
    private readonly used: Used,
    private readonly at: Date,
  ) {}

  now(): Date {
    return this.at;
  }

  turns(): Turns {
    const { used, walk } = this;
    used.turns ??= this.#storedTurns();
    const taken = walk.trail.filter(({ result }) => result === 'turn');
    for (const { buyer_id } of taken.slice(this.#turnsSeen))
      if (buyer_id !== undefined) used.turns = afterTurn(used.turns, buyer_id);
    this.#turnsSeen = taken.length;
    return used.turns;
  }

  openUntil(buyerId: string): Date | null {
    const entry = this.lead.trail.find(
      (one) => one.buyer_id === buyerId && one.reason === 'breaker_open',
    );
    return (entry?.detail?.until as Date | undefined) ?? null;
  }

  counters(scope: CapScope, offer: Offer): Counters | null {
    if (this.lead.is_test || !hasCaps(limitsOf(scope, offer))) return null;
    return this.#storedCounters(scope, offer) ?? this.#usedCounters(scope, offer);
  }

  answer(offer: Offer) {
    const { terms } = offer;
    const { result, reason } = this.#answerOf(terms);
    if (consequenceOf(result, terms, false) === 'sold') this.#sell(offer);
    return { result, reason, entry: null };
  }

  #answerOf({ buyer_id }: BuyerTerms): Pick<DeliveryVerdict, 'result' | 'reason'> {
    const { sales, trail } = this.lead;
    if (sales.some((sale) => sale.buyer_id === buyer_id)) return { result: 'accepted', reason: '' };
    const last = trail.findLast((entry) => isAnswer(entry) && entry.buyer_id === buyer_id);
    if (last)
      return { result: last.result as DeliveryVerdict['result'], reason: last.reason ?? '' };
    this.assumed.push(buyer_id);
    return { result: 'accepted', reason: 'assumed' };
  }

  #sell(offer: Offer): void {
    const { terms, supplier, isTest, further } = offer;
    const named = terms.delivery.method === 'WEBHOOK' && terms.delivery.response?.price_path;
    const sale = this.lead.sales.find(({ buyer_id }) => buyer_id === terms.buyer_id);
    // A price that the buyer named in its answer was not the link's.
    const price = named && sale ? sale.price : terms.price;
    const money = priceLead({
      ...termsPrice({ ...terms, price }),
      supplier,
      is_test: isTest,
      further,
    });
    this.sales.push({ buyer_id: terms.buyer_id, price: money.price, cost: money.cost });
    if (isTest) return;
    for (const scope of CAP_SCOPES) this.#count(scope, offer);
  }

  #count(scope: CapScope, offer: Offer): void {
    const { amount, leads } = capUse(scope, offer);
    const now = this.#usedCounters(scope, offer);
    const added = eachWindow((window) => ({
      ...now[window],
      count: now[window].count + leads,
      amount: now[window].amount + amount,
    }));
    this.used.counters.set(idOf(scope, offer), added);
  }

  #usedCounters(scope: CapScope, offer: Offer): Counters {
    const keys = windowKeys(this.at, offer.plan.time_zone);
    return rollWindows(this.used.counters.get(idOf(scope, offer)) ?? emptyCapState(), keys);
  }

  /** What was counted when this very cap was full: then more than the leads of the preview had used it. */
  #storedCounters(scope: CapScope, { terms, plan }: Offer): Counters | null {
    const entry = this.lead.trail.find(
      ({ step, reason, buyer_id }) =>
        step === 'caps' &&
        reason === `${scope}_cap` &&
        (buyer_id ?? terms.buyer_id) === terms.buyer_id,
    );
    if (!entry?.detail?.windows) return null;
    const counted = entry.detail.windows as Counted;
    const keys = keysAt(windowKeys(this.at, plan.time_zone));
    return eachWindow((window) => ({ ...NOTHING, key: keys[window], ...counted[window] }));
  }

  #storedTurns(): Turns {
    const turn = this.lead.trail.find(({ result }) => result === 'turn');
    if (!turn) return NO_TURNS;
    const last = turn.detail?.last as Record<string, number>;
    return { seq: Math.max(0, ...Object.values(last)), last };
  }
}

const idOf = (scope: CapScope, { terms, supplier }: Offer): string => {
  const owner = { buyer: terms.buyer_id, supplier: supplier.supplier_id, campaign: '' };
  return `${scope}:${owner[scope]}`;
};
