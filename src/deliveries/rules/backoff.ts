/** When to try again, all in milliseconds. */

const FIRST_RETRY_MS = 1_000;
const RETRY_MAX_MS = 300_000;
const EVENT_RETRY_MAX_MS = 3_600_000;
/** An open breaker lets a probe through after 5 s, and after each failed probe twice as late, up to 60 s. */
export const FIRST_PROBE_MS = 5_000;
export const PROBE_MAX_MS = 60_000;
const JITTER = 0.2;
const RETRY_AFTER_MAX_MS = 3_600_000;

const doubling = (first: number, longest: number, failures: number): number =>
  Math.min(longest, first * 2 ** Math.min(Math.max(failures, 1) - 1, 30));

const jittered = (ms: number, random: number): number =>
  Math.round(ms * (1 - JITTER + 2 * JITTER * random));

/**
 * The cooldown of a destination after this many failures in a row (1 or more): 1, 2, 4 s … to 5 min, plus or
 * minus 20 % (contract 6.6).
 * @param random from 0 to below 1; the same number gives the same wait
 */
export const backoffMs = (failures: number, random: number): number =>
  jittered(doubling(FIRST_RETRY_MS, RETRY_MAX_MS, failures), random);

/** How long an event waits after this many failed attempts (1 or more): the same, but doubling to an hour. */
export const eventBackoffMs = (attempts: number, random: number): number =>
  jittered(doubling(FIRST_RETRY_MS, EVENT_RETRY_MAX_MS, attempts), random);

const SECONDS = /^[0-9]+$/;
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const TIME = '[0-9]{2}:[0-9]{2}:[0-9]{2}';
/** The three forms of a date that a recipient must read (RFC 9110, 5.6.7). */
const HTTP_DATES = [
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} ${MONTH} [0-9]{4} ${TIME} GMT`,
  `(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, [0-9]{2}-${MONTH}-[0-9]{2} ${TIME} GMT`,
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} [ 0-9][0-9] ${TIME} [0-9]{4}`,
].map((form) => new RegExp(`^${form}$`));

/**
 * The wait that a `Retry-After` header asks for: seconds, or a date. Null when there is none or it
 * cannot be parsed; at most an hour.
 */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (text.length > 40) return null;
  if (SECONDS.test(text)) return Math.min(Number(text) * 1_000, RETRY_AFTER_MAX_MS);
  const isDate = HTTP_DATES.some((form) => form.test(text));
  // Only the third form names no zone; it is GMT too.
  const at = isDate ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN;
  if (Number.isNaN(at)) return null;
  return Math.min(Math.max(at - now.getTime(), 0), RETRY_AFTER_MAX_MS);
}
