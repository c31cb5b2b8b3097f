/** Which lead of a buyer a postback means (contract 7.2). */
import { chunks } from '../../lib/chunks.js';
import { isWrittenAsId } from '../../lib/ids.js';
import { FIELD_TYPES } from '../../fields/fieldTypes.js';
import { findNearest } from '../../lib/nearest.js';
import type { MeantLead } from '../rules/outcomeBody.js';
import { matchKeys } from '../rules/outcomeMatch.js';
import type { FieldRule } from '../../fields/fieldRule.js';
import { AppError, type FieldErrorCode } from '../../lib/errors.js';
import type { AccountCache } from '../../account/access/accountCache.js';
import type { BuyerLeads, CandidateLead } from '../../leads/store/buyerLeads.js';
import type { DeliveryStore } from '../../deliveries/store/deliveries.js';
import { isUnknown } from '../../deliveries/rules/attempts.js';
import { CLAIMING_STATUSES } from '../../leads/rules/leadStatus.js';
import type { DeliveryDoc } from '../../deliveries/store/deliveryDoc.js';

export interface MatchDeps {
  leads: Pick<BuyerLeads, 'byKey' | 'byKeyOf'>;
  deliveries: Pick<DeliveryStore, 'ofLeads'>;
  accountCache: Pick<AccountCache, 'plan'>;
}

/** The buyer that sends the postback, and its organization. */
interface Buyer {
  org_id: string;
  buyer_id: string;
}

export interface MatchedLead {
  lead_id: string;
  campaign_id: string;
}

/** Leads with one value that are read before the buyer narrows the search: nearly always one or two. */
const CANDIDATES_MAX = 200;
/** Leads with one value that are searched for the buyer's; where there are more, the value identifies none. */
const SEARCHED_MAX = 2_000;

/** The lead id in a postback; undefined where it has none, or one that no lead can have. */
export function leadIdOf(meant: MeantLead): string | undefined {
  const id = 'lead_id' in meant ? meant.lead_id.toLowerCase() : '';
  return isWrittenAsId(id) ? id : undefined;
}

/**
 * A lead is the buyer's when it was sold to it, or sent to it and never answered.
 * @param named the organization's lead of the id that the postback names, if it names one and the lead exists
 * @throws {AppError} `not_found`; `ambiguous` for more than one lead; `validation_failed` for a field that the campaign
 * does not have, or a value that such a field cannot have
 */
export async function matchLead(
  buyer: Buyer,
  meant: MeantLead,
  named: CandidateLead | null,
  deps: MatchDeps,
): Promise<MatchedLead> {
  const { matches, isCut } = await ('lead_id' in meant
    ? byId(buyer, meant, named, deps)
    : byField(buyer, meant, deps));
  const [only] = matches;
  const what = 'lead_id' in meant ? 'lead_id' : meant.field;
  if (isCut || matches.length > 1) throw ambiguous(what, isCut ? null : matches.length);
  if (only) return { lead_id: only._id, campaign_id: only.campaign_id };
  throw new AppError('not_found', `You do not have a lead with this ${what}.`);
}

interface Found {
  matches: CandidateLead[];
  /** There are more candidates than were read. */
  isCut: boolean;
}
const NONE: Found = { matches: [], isCut: false };

async function byId(
  buyer: Buyer,
  { campaign_id }: { campaign_id?: string },
  lead: CandidateLead | null,
  deps: MatchDeps,
): Promise<Found> {
  if (!lead) return NONE;
  if (campaign_id !== undefined && campaign_id.toLowerCase() !== lead.campaign_id) return NONE;
  return { matches: await filterByBuyer(buyer, [lead], deps), isCut: false };
}

type MeantByField = Extract<MeantLead, { field: string }>;

async function byField(buyer: Buyer, meant: MeantByField, deps: MatchDeps): Promise<Found> {
  const campaignId = meant.campaign_id.toLowerCase();
  const current = isWrittenAsId(campaignId)
    ? await deps.accountCache.plan(buyer.org_id, campaignId)
    : null;
  if (!current) return NONE;
  const keys = readMatchKeys(meant, current.plan.fields);
  const value = { org_id: buyer.org_id, campaign_id: campaignId, keys };
  const candidates = await deps.leads.byKey(value, CANDIDATES_MAX + 1);
  if (candidates.length <= CANDIDATES_MAX)
    return { matches: await filterByBuyer(buyer, candidates, deps), isCut: false };
  const { leads, isCut } = await deps.leads.byKeyOf(buyer.buyer_id, value, SEARCHED_MAX);
  return { matches: isCut ? [] : await filterByBuyer(buyer, leads, deps), isCut };
}

function readMatchKeys(
  { field, value, named }: MeantByField,
  rules: readonly FieldRule[],
): string[] {
  const rule = rules.find(({ name }) => name === field);
  if (!rule) {
    const names = rules.map(({ name }) => name);
    const near = named.field === 'match_field' ? findNearest(field, names) : undefined;
    const hint = near === undefined ? '' : `. Did you mean ${near}?`;
    const message = `${named.field}: the campaign has no field ${field.slice(0, 64)}${hint}`;
    throw wrong(named.field, 'not_allowed', message);
  }
  const keys = matchKeys(rule, value);
  if (keys.length > 0) return keys;
  const message = `${named.value} must be ${FIELD_TYPES[rule.type].expected}`;
  throw wrong(named.value, 'invalid_format', message);
}

async function filterByBuyer(
  buyer: Buyer,
  candidates: readonly CandidateLead[],
  { deliveries }: MatchDeps,
): Promise<CandidateLead[]> {
  const isSold = ({ sales }: CandidateLead) =>
    sales.some(({ buyer_id }) => buyer_id === buyer.buyer_id);
  const matches = candidates.filter(isSold);
  const others = candidates.filter((lead) => !isSold(lead));
  for (const some of chunks(others, CANDIDATES_MAX)) {
    const having = await buyersHoldingLead(some, deliveries);
    matches.push(...some.filter(({ _id }) => having.get(_id)?.has(buyer.buyer_id)));
  }
  return matches;
}

const ambiguous = (what: string, count: number | null): AppError =>
  new AppError(
    'ambiguous',
    (count === null
      ? `More than ${SEARCHED_MAX} leads of this campaign have this ${what}.`
      : `${count} of your leads in this campaign have this ${what}.`) +
      ' Send the lead_id of the one you mean instead.',
  );

const wrong = (field: string, code: FieldErrorCode, message: string): AppError =>
  new AppError('validation_failed', message, { field_errors: [{ field, code, message }] });

/** The buyers that have each lead, by the ids of the leads. */
export async function buyersHoldingLead(
  leads: readonly CandidateLead[],
  deliveries: Pick<DeliveryStore, 'ofLeads'>,
): Promise<Map<string, Set<string>>> {
  // A lead that was not sold is held by no buyer.
  const open = leads.filter(({ status }) => CLAIMING_STATUSES.some((one) => one === status));
  const rows = await deliveries.ofLeads(open.map(({ _id }) => _id));
  return new Map(
    leads.map(({ _id, sales }) => {
      const sent = (rows.get(_id) ?? []).filter(isHeldByBuyer);
      return [_id, new Set([...sales, ...sent].map(({ buyer_id }) => buyer_id))];
    }),
  );
}

/** A delivery that was never answered stays with its buyer while it is sent again. */
const isHeldByBuyer = (row: DeliveryDoc): boolean =>
  row.state === 'accepted' ||
  isUnknown(row) ||
  (row.state === 'sending' && row.unanswered === true);
