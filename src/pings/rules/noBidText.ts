/** Why a buyer did not bid on a ping, or why its bid does not count, in a sentence. */
import { getOwn } from '../../lib/getOwn.js';

/** The values that were compared, with money in the account's currency. */
type Detail = Readonly<Record<string, unknown>>;
type Clause = (detail: Detail, currency: string) => string;

const CLAUSES: Readonly<Record<string, Clause>> = {
  late: () => 'It did not answer in time.',
  unreachable: () => 'It could not be reached.',
  malformed: () => 'Its answer could not be read.',
  no_bid_price: () => 'Its answer has no price.',
  negative_bid: () => 'Its price is negative.',
  absurd_bid: () => 'Its price is more than 1,000,000.',
  declined: () => 'It declined.',
  below_margin: () => 'Its price does not cover the margin.',
  below_min_bid: ({ bid, min_bid }, currency) =>
    `Its bid${amount(bid, currency)} is below the lowest bid${amount(min_bid, currency)}.`,
  not_original: () => 'The lead repeats one that another buyer has.',
  paused: () => 'It, or its link to the campaign, was paused.',
  test_mode_only: () => 'It gets only test leads.',
  live_only: () => 'The ping is a test, and the buyer is not in test mode.',
  state_missing: () => 'The ping has no state, and the buyer serves only some.',
  state_not_served: ({ served }) => `It does not serve this state${servedList(served)}.`,
  zip_missing: () => 'The ping has no ZIP code, and the buyer serves only some.',
  zip_not_served: () => 'It does not serve this ZIP code.',
  filtered: ({ failures }) => `Its filters refuse the ping${fieldsOf(failures)}.`,
  closed: () => 'It was outside its hours.',
  no_weight: () => 'Its weight is 0.',
  suppressed: () => 'The person is on a suppression list of this buyer.',
  breaker_open: () => 'It was in a cooldown after failed deliveries.',
  buyer_cap: (detail) => `A cap of the buyer was full${compared(detail)}.`,
  supplier_cap: (detail) => `A cap of the supplier was full${compared(detail)}.`,
  campaign_cap: (detail) => `A cap of the campaign was full${compared(detail)}.`,
  ping_cap: ({ daily_ping_cap }) =>
    `It had had its ${isNumber(daily_ping_cap) ? `${daily_ping_cap} ` : ''}pings of the day.`,
};

/** Reasons that have a sentence; further ones are `http_` and a status. */
export const NO_BID_REASONS = Object.keys(CLAUSES);

/** @param currency of the account */
export function noBidText(
  { reason, detail }: { reason: string; detail: Detail },
  currency: string,
): string {
  const clause = getOwn(CLAUSES, reason);
  if (clause) return clause(detail, currency);
  const status = /^http_(\d+)$/.exec(reason)?.[1];
  return status ? `It answered with HTTP ${status}.` : `It did not bid: ${reason}.`;
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
const amount = (value: unknown, currency: string): string =>
  isNumber(value) ? ` of ${value} ${currency}` : '';

const NAMED_MAX = 10;

function servedList(served: unknown): string {
  if (!Array.isArray(served) || served.length === 0) return '';
  const shown = served.slice(0, NAMED_MAX).map(String).join(', ');
  return `, only ${shown}${served.length > NAMED_MAX ? ' and others' : ''}`;
}

function fieldsOf(failures: unknown): string {
  const named = Array.isArray(failures) ? failures.map(fieldOf).filter((one) => one !== null) : [];
  return named.length === 0 ? '' : `: ${[...new Set(named)].slice(0, NAMED_MAX).join(', ')}`;
}

const fieldOf = (failure: unknown): string | null =>
  typeof failure === 'object' &&
  failure !== null &&
  'field' in failure &&
  typeof failure.field === 'string'
    ? failure.field
    : null;

function compared({ limit, allowed, counted }: Detail): string {
  if (typeof limit !== 'string' || !isNumber(allowed) || !isNumber(counted)) return '';
  const [window, kind = 'cap'] = limit.split('_');
  return `: ${counted} of ${allowed} (${window} ${kind})`;
}
