/** Filters of a buyer's sales: as the buyer writes them, and as the search uses them. */
import type { z } from 'zod';
import { dayAfter, startOfDay } from '../../../fields/days.js';
import type { FieldRule } from '../../../fields/fieldRule.js';
import type { SaleFilter } from '../../../leads/store/salePages.js';
import { matchKeys } from '../../../outcomes/rules/outcomeMatch.js';
import type { PartnerContext } from '../call.js';
import { invalidField } from '../../actions/readInput.js';
import type { SalesFilter } from '../schemas/buyer.js';
import { readShownRules } from './campaigns.js';

export type WantedSales = z.output<z.ZodObject<typeof SalesFilter>>;

/** Maximum open return requests that a search reads, the newest. */
const REQUESTED_MAX = 500;

/**
 * Null: no sale can match.
 * @throws {AppError} `invalid_input` for days the wrong way round
 */
export async function readSaleFilter(
  wanted: WantedSales,
  context: PartnerContext,
): Promise<SaleFilter | null> {
  const { org_id, party_id } = context;
  const { campaign_id, status, outcome, is_test } = wanted;
  const search = wanted.search === undefined ? {} : await readSearch(wanted.search, context);
  if (!search) return null;
  const requested = status === 'return_requested' ? { ids: await requestedReturns(context) } : {};
  return {
    org_id,
    buyer_id: party_id,
    is_test,
    campaign_id,
    isReturned: status && status === 'returned',
    outcome: outcome === 'none' ? null : outcome,
    ...search,
    ...requested,
    ...spanOf(wanted, context),
  };
}

async function requestedReturns({
  collections,
  org_id,
  party_id,
}: PartnerContext): Promise<string[]> {
  const found = await collections.returns
    .find({ org_id, state: 'requested', buyer_id: party_id }, { projection: { lead_id: 1 } })
    .sort({ created_at: -1, _id: -1 })
    .limit(REQUESTED_MAX)
    .toArray();
  return found.map(({ lead_id }) => lead_id);
}

function spanOf({ from, to }: WantedSales, { org }: PartnerContext) {
  if (from !== undefined && to !== undefined && from > to)
    throw invalidField('from', 'out_of_range', `from must not be after to, ${to}.`);
  return {
    from: from ? startOfDay(from, org.time_zone) : undefined,
    before: to ? startOfDay(dayAfter(to), org.time_zone) : undefined,
  };
}

/** An id, or its beginning: long enough to match few leads. */
const ID_PREFIX = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/;

/** The fields by which a search finds people. */
const isSearched = ({ name, type }: FieldRule): boolean =>
  type === 'Phone' || type === 'Email' || NAMES.includes(name);
const NAMES: readonly string[] = ['first_name', 'last_name', 'full_name', 'name'];
const KEYS_MAX = 100;

/** Null: no shown field can have such a value. Hidden fields are not searched. */
async function readSearch(
  search: string,
  context: PartnerContext,
): Promise<Pick<SaleFilter, 'keys' | 'idPrefix'> | null> {
  const lower = search.toLowerCase();
  if (ID_PREFIX.test(lower)) return { idPrefix: lower };
  const rules = (await readShownRules(context)).filter(isSearched);
  const keys = [...new Set(rules.flatMap((rule) => keysFor(rule, search)))];
  return keys.length === 0 ? null : { keys: keys.slice(0, KEYS_MAX) };
}

/** A name as typed, in lower case, and in title case. */
function keysFor(rule: FieldRule, search: string): string[] {
  const spellings = NAMES.includes(rule.name)
    ? [search, search.toLowerCase(), titled(search), ...partsOf(rule.name, search)]
    : [search];
  return spellings.flatMap((text) => matchKeys(rule, text));
}

const titled = (text: string): string =>
  text.toLowerCase().replace(/(^|[\s'-])\p{L}/gu, (letter) => letter.toUpperCase());

/** The last word of a whole name: fewer people share it. */
function partsOf(field: string, search: string): string[] {
  const last = search.split(/\s+/).at(-1) ?? '';
  return field === 'last_name' && last !== search ? [last, titled(last)] : [];
}
