/** Why a buyer was left out of a lead's distribution, in words. */
import type { Unavailability } from '../rules/nextBuyer.js';
import type { SkipReason } from '../rules/eligibility.js';
import { messageOf } from '../../fields/filterMessages.js';
import { getOwn } from '../../lib/getOwn.js';
import type { FilterGroup, FilterNode, FilterRule } from '../../fields/filters.js';
import type { TrailEntry } from '../../leads/rules/trail.js';
import type { Scalar } from '../../fields/values.js';
import type { BuyerTerms } from '../../account/rules/plan.js';
import { counted, detailOf, listed, money, nameOf, shown, textsOf, when } from './explainWords.js';
import type { Detail, Subject } from './explainWords.js';

export type LeftOutReason = SkipReason | Unavailability['reason'];

/** Each clause gives the reason; its subject is the buyer. */
const CLAUSES: Record<
  LeftOutReason,
  (seen: { detail: Detail; at: Date; terms: BuyerTerms | undefined; subject: Subject }) => string
> = {
  not_original: ({ detail, subject }) =>
    `the lead repeats one that ${nameOf(shown(detail.route_to), subject)} has, and may go there only`,
  had_it: () => 'it already bought or refused the data of the lead in an earlier sale',
  no_bid: () => 'it did not bid on the ping of the lead',
  not_picked: ({ detail, subject }) =>
    `the supplier picked ${nameOf(shown(detail.pick), subject)} among the bidders`,
  bids_live: () => 'it bids on pings, and nobody pinged for this lead, which is sold again',
  below_margin: ({ detail, subject }) =>
    `its price of ${money(Number(detail.price), subject)} does not cover the margin`,
  below_min_bid: ({ detail, subject }) =>
    `its price makes a bid of ${money(Number(detail.bid), subject)}, and bids begin at ${money(Number(detail.min_bid), subject)}`,
  paused: () => 'it, or its link to the campaign, was paused',
  test_mode_only: () => 'it is in test mode and gets only test leads',
  live_only: () => 'the lead is a test, and this buyer is not in test mode',
  state_missing: ({ detail }) =>
    `the lead has no state, and it accepts only leads of ${listed(textsOf(detail.served), 'or')}`,
  state_not_served: ({ detail }) =>
    `the lead is from ${shown(detail.state)}, and it accepts only leads of ${listed(textsOf(detail.served), 'or')}`,
  zip_missing: ({ detail }) =>
    `the lead has no zip code, and it accepts only leads of ${areaOf(detail)}`,
  zip_not_served: ({ detail }) =>
    `the lead's zip code is ${shown(detail.zip_code)}${whereIs(detail)}, and it accepts only leads of ` +
    areaOf(detail),
  filtered: ({ detail, terms, at, subject }) =>
    `its filters refuse the lead: ${failuresText(detail, terms?.filters ?? null, at, subject)}`,
  closed: ({ detail, subject }) => {
    const opens = when(detail.opens_at ?? detail.until, subject);
    const clock = shown(detail.local_time);
    const since = clock === '' ? '' : ` (it was ${clock})`;
    return `it was closed${since}${opens === '' ? ' and never opens' : `, and opens at ${opens}`}`;
  },
  no_weight: () => 'its weight is 0, so it has no share of the leads',
  suppressed: ({ detail }) => `the ${shown(detail.field)} is on a suppression list of this buyer`,
  breaker_open: ({ detail, subject }) =>
    `it was in a cooldown after failed deliveries, until ${when(detail.until, subject)}`,
};

export const LEFT_OUT_REASONS = Object.keys(CLAUSES) as LeftOutReason[];

/** Undefined for a reason that is not one of these. */
export function leftOutClause(entry: TrailEntry, subject: Subject): string | undefined {
  const { reason = '', at, buyer_id } = entry;
  const terms = subject.plan.buyers.find((buyer) => buyer.buyer_id === buyer_id);
  return getOwn(CLAUSES, reason)?.({ detail: detailOf(entry), at, terms, subject });
}

const areaOf = ({ served_zips, served_miles, served_centres }: Detail): string =>
  served_zips === undefined
    ? `zip codes within ${shown(served_miles)} miles of ${counted(Number(served_centres), 'zip code')}`
    : counted(Number(served_zips), 'zip code');

function whereIs({ unknown_zip, miles }: Detail): string {
  if (unknown_zip === true) return ' (which is unknown)';
  return miles === undefined ? '' : ` (${shown(miles)} miles away)`;
}

interface Failure {
  filter_id?: unknown;
  field?: unknown;
  operator?: unknown;
  actual?: unknown;
}

/** Each rule that failed, with its requirement and the lead's value. */
export function failuresText(
  { failures }: Detail,
  filters: FilterGroup | null,
  now: Date,
  { plan }: Pick<Subject, 'plan'>,
): string {
  const failed: Failure[] = Array.isArray(failures) ? (failures as Failure[]) : [];
  const context = { now, timeZone: plan.time_zone };
  const texts = failed.map(({ filter_id, field, operator, actual }) => {
    const rule = filters ? ruleOf(filters, filter_id) : undefined;
    const has = actual === undefined ? 'the lead has none' : `it is ${shown(actual)}`;
    return rule
      ? `${messageOf(rule, actual as Scalar | undefined, context)} (${has})`
      : `${shown(field)} fails the rule ${shown(operator)} (${has})`;
  });
  return listed(texts);
}

function ruleOf(node: FilterNode, id: unknown): FilterRule | undefined {
  if (!('all' in node || 'any' in node)) return node.id === id ? node : undefined;
  for (const child of 'all' in node ? node.all : node.any) {
    const found = ruleOf(child, id);
    if (found) return found;
  }
  return undefined;
}
