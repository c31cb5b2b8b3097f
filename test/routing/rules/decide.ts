/**
 * The decision about a lead in a given context: the buyers offered it, their order, and why each other buyer is not. A
 * pure function: the same input gives the same decision, byte for byte.
 */
import { emptyCapState, type CapState } from '../../../src/routing/rules/caps.js';
import { grant } from './capModel.js';
import { commit } from './capModel.js';
import { capUse, limitsOf, type Offer } from '../../../src/routing/rules/capUse.js';
import { CAP_SCOPES, type CapScope } from '../../../src/account/rules/capLimits.js';
import {
  distribute,
  endingOf,
  type Facts,
  type Walk,
  type WalkEnd,
} from '../../../src/routing/rules/distribute.js';
import { judgeDuplicate, type Original } from '../../../src/leads/rules/duplicates.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { TrailEntry } from '../../../src/leads/rules/trail.js';
import type { LeadStatus } from '../../../src/leads/rules/leadStatus.js';
import type { FilterFailure } from '../../../src/lib/filterFailure.js';
import { applyLocks } from '../../../src/leads/rules/locks.js';
import type { BuyerTerms, Plan, SupplierTerms } from '../../../src/account/rules/plan.js';
import type { Micros } from '../../../src/fields/money.js';
import { priceLead, termsPrice, type LeadMoney } from '../../../src/account/rules/pricing.js';
import { screenLead, type ScreenedLead } from '../../../src/routing/rules/screen.js';
import type { SuppressionHit } from '../../../src/account/rules/suppressionKeys.js';
import { afterTurn, NO_TURNS, type Turns } from '../../../src/routing/rules/turns.js';
import { windowKeys } from '../../../src/fields/windowKeys.js';
import { getOwn } from '../../../src/lib/getOwn.js';

/** The context of a lead. Absent parts do not prevent a sale. */
export interface DecisionContext {
  /** The clock. */
  now: Date;
  /** Matches of the lead on suppression lists. */
  hits?: readonly SuppressionHit[];
  /** The earlier lead that claims the same person. */
  original?: Original | null;
  turns?: Turns;
  /** Until when the breaker of a buyer is open, by buyer. */
  openUntil?: Readonly<Record<string, Date>>;
  /** The counters of each buyer, by buyer; those of the supplier and the campaign. */
  counters?: {
    buyers?: Readonly<Record<string, CapState>>;
    supplier?: CapState;
    campaign?: CapState;
  };
  /** Bids, by buyer: they replace the price of the link. */
  bids?: Readonly<Record<string, Micros>>;
}

export interface Decision {
  /** ACCEPTED: offered to at least one buyer. PENDING: it waits for one. Otherwise the status that would be stored. */
  status: LeadStatus;
  reason?: string;
  filter_errors: FilterFailure[];
  /** Best first: the money of each sale if every buyer that is asked accepts the lead. */
  offers: (LeadMoney & { buyer_id: string })[];
  /** The buyer whose queue would get it. */
  waits_for?: string;
  /** Every other buyer of the plan, with the values that were compared. */
  passed_over: PassedOver[];
  /** Each step with the values it used. */
  trail: TrailEntry[];
}

/**
 * Why a buyer is not offered the lead: the reason on the trail that names it, a cap of the supplier or the campaign,
 * or, if nothing speaks against it: outranked (the lead has all its sales before), behind (it waits for a better
 * one), not_reached (it ended before any buyer was checked).
 */
export interface PassedOver {
  buyer_id: string;
  reason: string;
  detail: Record<string, unknown>;
}

/**
 * Decides as if each buyer that is asked accepts the lead. Its draws come from the seed of the lead.
 * @throws {Error} when the plan has no such supplier
 */
export function decide(
  lead: ScreenedLead & Pick<Lead, 'supplier_id' | 'ping'>,
  plan: Plan,
  context: DecisionContext,
): Decision {
  const priced = applyLocks(withBids(plan, context.bids ?? {}), lead);
  const supplier = getOwn(priced.suppliers, lead.supplier_id);
  if (!supplier) throw new Error(`Plan ${plan._id} has no supplier ${lead.supplier_id}`);
  const { now, hits = [], original = null } = context;
  const screened = screenLead({ lead, plan: priced, now, hits });
  const trail = [...screened.trail];
  if (screened.kind === 'rejected') {
    const { reason, filter_errors } = screened;
    return ended({ status: 'REJECTED', reason, filter_errors }, priced, trail);
  }
  let { candidates } = screened;
  if (original && !lead.is_test) {
    const judged = judgeDuplicate(priced.dedupe, original, candidates, now);
    trail.push(judged.entry);
    if (judged.kind === 'ended') {
      return ended({ status: judged.status, filter_errors: [] }, priced, trail);
    }
    ({ candidates } = judged);
  }
  const walk: Walk = {
    plan: priced,
    supplier,
    isTest: lead.is_test,
    trail,
    candidates: [...candidates],
    passed: [],
    sold: 0,
  };
  const offers: BuyerTerms[] = [];
  const end = distribute(walk, factsOf(context, lead.is_test, priced.time_zone, offers));
  return conclude(walk, end, offers, supplier);
}

const withBids = (plan: Plan, bids: Readonly<Record<string, Micros>>): Plan => ({
  ...plan,
  buyers: plan.buyers.map((terms) => ({
    ...terms,
    price: getOwn(bids, terms.buyer_id) ?? terms.price,
  })),
});

/** The context, advanced by each offer: it takes its turn and its reservations. */
function factsOf(
  context: DecisionContext,
  isTest: boolean,
  timeZone: string,
  offers: BuyerTerms[],
): Facts {
  const { now, openUntil = {}, counters = {} } = context;
  const keys = windowKeys(now, timeZone);
  const states = new Map<string, CapState>();
  let turns = context.turns ?? NO_TURNS;
  const idOf = (scope: CapScope, { terms }: Offer): string =>
    scope === 'buyer' ? `buyer ${terms.buyer_id}` : scope;
  const stored = (scope: CapScope, { terms }: Offer): CapState | undefined =>
    scope === 'buyer' ? getOwn(counters.buyers, terms.buyer_id) : counters[scope];
  const stateOf = (scope: CapScope, offer: Offer): CapState => {
    const state = states.get(idOf(scope, offer)) ?? stored(scope, offer) ?? emptyCapState();
    // An empty request opens only the windows of the day.
    return grant(state, {}, keys, []).state;
  };
  const count = (scope: CapScope, offer: Offer): void => {
    const hold = { hold_id: `offer ${offers.length}`, fence: 0 };
    const asked = { ...hold, ...capUse(scope, offer) };
    const { state } = grant(stateOf(scope, offer), limitsOf(scope, offer), keys, [asked]);
    states.set(idOf(scope, offer), commit(state, [hold]));
  };
  return {
    now: () => now,
    turns: () => turns,
    openUntil: (buyerId) => getOwn(openUntil, buyerId) ?? null,
    counters: stateOf,
    answer(offer) {
      if (!isTest) {
        CAP_SCOPES.forEach((scope) => count(scope, offer));
        turns = afterTurn(turns, offer.terms.buyer_id);
      }
      offers.push(offer.terms);
      return { result: 'accepted', reason: 'assumed', entry: null };
    },
  };
}

function conclude(
  walk: Walk,
  end: WalkEnd,
  offers: readonly BuyerTerms[],
  supplier: SupplierTerms,
): Decision {
  const { plan, isTest, trail } = walk;
  const names = offers.map(({ buyer_id }) => buyer_id);
  const ending = endingOf(end.kind, walk.sold);
  return {
    status: offers.length > 0 ? 'ACCEPTED' : (ending?.status ?? 'PENDING'),
    ...(ending ? { reason: ending.reason } : {}),
    filter_errors: [],
    offers: offers.map((terms, n) => ({
      buyer_id: terms.buyer_id,
      ...priceLead({ ...termsPrice(terms), supplier, is_test: isTest, further: n > 0 }),
    })),
    ...(end.kind === 'waiting' ? { waits_for: end.terms.buyer_id } : {}),
    passed_over: passedOver(plan, trail, names, leftBy(end, names)),
    trail,
  };
}

type Why = Omit<PassedOver, 'buyer_id'>;

/** The reason for buyers that nothing speaks against. */
const leftBy = (end: WalkEnd, offered: readonly string[]): Why =>
  end.kind === 'waiting'
    ? { reason: 'behind', detail: { buyer_id: end.terms.buyer_id } }
    : { reason: 'outranked', detail: { by: offered } };

function ended(
  end: Pick<Decision, 'status' | 'reason' | 'filter_errors'>,
  plan: Plan,
  trail: TrailEntry[],
): Decision {
  const last = trail.at(-1);
  const why = { reason: 'not_reached', detail: { step: last?.step, result: last?.result } };
  return { ...end, offers: [], passed_over: passedOver(plan, trail, [], why), trail };
}

/** The trail's last entry on each buyer without an offer; an entry on the whole lead applies to all others. */
function passedOver(
  plan: Plan,
  trail: readonly TrailEntry[],
  offered: readonly string[],
  otherwise: Why,
): PassedOver[] {
  const others = plan.buyers.filter(({ buyer_id }) => !offered.includes(buyer_id));
  const general = trail.findLast(isGeneralCap);
  const routed = trail.find(isRouted);
  return others.map(({ buyer_id }): PassedOver => {
    const own = trail.findLast((entry) => entry.buyer_id === buyer_id && isAgainst(entry));
    if (own) return { buyer_id, ...whyOf(own) };
    if (routed && routed.buyer_id !== buyer_id) {
      return { buyer_id, reason: 'not_original', detail: { route_to: routed.buyer_id } };
    }
    return { buyer_id, ...(general ? whyOf(general) : otherwise) };
  });
}

const whyOf = ({ reason, result, detail = {} }: TrailEntry): Why => ({
  reason: reason ?? result,
  detail,
});
const isFull = ({ step, result }: TrailEntry): boolean => step === 'caps' && result === 'full';
const isGeneralCap = (entry: TrailEntry): boolean => isFull(entry) && entry.buyer_id === undefined;
const isRouted = ({ step, result }: TrailEntry): boolean =>
  step === 'duplicates' && result === 'routed';
const isAgainst = (entry: TrailEntry): boolean =>
  isFull(entry) || (entry.step === 'routing' && entry.result === 'skipped');
