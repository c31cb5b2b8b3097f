/** Why a buyer does not have a lead, in a few words that contain no data of the person, and what would mend it. */
import { windowOf } from '../rules/whyWaiting.js';
import { resetOf } from '../rules/capUsage.js';
import { CAP_WINDOWS, type LimitKey } from '../../account/rules/capLimits.js';
import { getOwn } from '../../lib/getOwn.js';
import type { TrailEntry } from '../../leads/rules/trail.js';
import type { BuyerExplanation } from './explainBuyers.js';
import { detailOf, resultKey, shown, type Subject } from './explainWords.js';

/** What a person can change so that such a lead is sold. */
export const MENDS = [
  ...(['retry', 'resolve', 'raise_cap', 'raise_supplier_cap', 'raise_campaign_cap'] as const),
  ...(['resume', 'end_test_mode', 'edit_filters', 'edit_area', 'edit_schedule'] as const),
  ...(['edit_price', 'edit_weight', 'add_buyer', 'edit_campaign_filters'] as const),
] as const;
export type Mend = (typeof MENDS)[number];

/** The predicate of one buyer and of several, such as "was paused" and "were paused". */
export interface ShortReason {
  one: string;
  many: string;
  mend?: Mend;
  /** When the reason ends, and the state until then: "full". */
  until?: { at: Date; state: string };
}

const was = (what: string, mend?: Mend): ShortReason => ({
  one: `was ${what}`,
  many: `were ${what}`,
  mend,
});
const did = (what: string, mend?: Mend): ShortReason => ({ one: what, many: what, mend });

const PASSED_OVER: Readonly<Record<string, ShortReason>> = {
  paused: was('paused', 'resume'),
  test_mode_only: was('in test mode', 'end_test_mode'),
  live_only: was('not in test mode'),
  state_missing: did('needed a state, and the lead has none'),
  state_not_served: did('did not want its state', 'edit_area'),
  zip_missing: did('needed a zip code, and the lead has none'),
  zip_not_served: did('did not want its zip code', 'edit_area'),
  filtered: did('had filters that refuse it', 'edit_filters'),
  closed: was('closed', 'edit_schedule'),
  no_weight: did('had a weight of 0', 'edit_weight'),
  suppressed: did('had the person on a suppression list'),
  breaker_open: was('in a cooldown after failed deliveries', 'retry'),
  not_original: did('did not have the earlier lead of this person'),
  had_it: did('had it before'),
  no_bid: did('did not bid on its ping'),
  not_picked: was('not the bidder that the supplier picked'),
  bids_live: did('bid on pings alone, and nobody pinged for it'),
  below_margin: did('paid less than the margin needs', 'edit_price'),
  below_min_bid: did('paid less than the lowest bid', 'edit_price'),
};

const BY_VERDICT: Readonly<Record<BuyerExplanation['verdict'], ShortReason>> = {
  sold: did('bought it'),
  waiting: did('may still get it', 'retry'),
  refused: did('refused it'),
  unavailable: did('could not receive it'),
  unanswered: did('gave no answer', 'resolve'),
  passed_over: was('not eligible'),
  not_asked: was('not asked'),
  undecided: was('not asked yet'),
  not_linked: was('not in the campaign then'),
};

/** @param at when the buyer was passed over */
export function shortReason(buyer: BuyerExplanation, at: Date, subject: Subject): ShortReason {
  const { verdict, reason, detail } = buyer;
  if (verdict !== 'passed_over' || reason === null) return BY_VERDICT[verdict];
  const limit = shown(detail?.limit);
  if (limit !== '') return capReason(limit, 'raise_cap', at, subject);
  const known = getOwn(PASSED_OVER, reason);
  if (!known) return BY_VERDICT.passed_over;
  const opens = detail?.opens_at ?? detail?.until;
  const until =
    opens instanceof Date
      ? { at: opens, state: reason === 'breaker_open' ? 'in a cooldown' : 'closed' }
      : undefined;
  return { ...known, until };
}

/** Of a full cap, whoever has it. */
function capReason(limit: string, mend: Mend, at: Date, { plan }: Subject): ShortReason {
  const known = CAP_WINDOWS.some(({ cap, budget }) => cap === limit || budget === limit);
  const reset = known ? resetOf(windowOf(limit as LimitKey), at, plan.time_zone) : null;
  const until = reset ? { at: reset, state: 'full' } : undefined;
  const words = limit.replace('_', ' ');
  const isBudget = limit.endsWith('_budget');
  return {
    one: isBudget ? `had spent its ${words}` : `was at its ${words}`,
    many: isBudget ? `had spent their ${words}` : `were at their ${words}`,
    mend,
    until,
  };
}

/** The last entry about this buyer that says why it was passed over. */
export const passedOverAt = (buyerId: string, { lead }: Subject): Date =>
  lead.trail.findLast(
    (entry) =>
      entry.buyer_id === buyerId && ['caps full', 'routing skipped'].includes(resultKey(entry)),
  )?.at ?? lead.created_at;

/** A step that ended the lead for every buyer at once. */
export function decisiveReason(subject: Subject): DecisiveReason | null {
  const { trail } = subject.lead;
  for (const [key, text] of DECISIVE) {
    const entry = trail.find((one) => resultKey(one) === key && one.buyer_id === undefined);
    if (entry) return text(entry, subject);
  }
  return null;
}

interface DecisiveReason {
  /** A clause about the lead. */
  text: string;
  short?: ShortReason;
  /** The limit that was full. */
  limit?: string;
}

type Decisive = (entry: TrailEntry, subject: Subject) => DecisiveReason;

const DECISIVE: readonly (readonly [string, Decisive])[] = [
  ['origin suspected', () => ({ text: 'its page suspects a bot' })],
  [
    'filters failed',
    (entry) => ({
      text: `the filters of the campaign refuse it${fieldsOf(entry)}`,
      short: { one: '', many: '', mend: 'edit_campaign_filters' },
    }),
  ],
  ['suppression matched', () => ({ text: 'the person is on a suppression list' })],
  ['duplicates duplicate', () => ({ text: 'it repeats an earlier lead' })],
  [
    'caps full',
    (entry, subject) => {
      const isSupplier = entry.reason === 'supplier_cap';
      const mend = isSupplier ? 'raise_supplier_cap' : 'raise_campaign_cap';
      const limit = shown(detailOf(entry).limit);
      const short = capReason(limit, mend, entry.at, subject);
      return { text: `the ${isSupplier ? 'supplier' : 'campaign'} ${short.one}`, short, limit };
    },
  ],
];

/** The names of the fields that its filters refuse; their values are the person's. */
function fieldsOf(entry: TrailEntry): string {
  const { failures } = detailOf(entry);
  const failed = Array.isArray(failures) ? (failures as { field?: unknown }[]) : [];
  const names = [...new Set(failed.map(({ field }) => shown(field)))].filter(Boolean);
  return names.length === 0 ? '' : ` for its ${names.slice(0, 3).join(', ')}`;
}
