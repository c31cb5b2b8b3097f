/** How much a supplier or a buyer may send a second: what is published, and what is enforced. */
import { z } from 'zod';
import { definedOnly } from '../lib/defined.js';
import { wholeNumber } from '../lib/schema/settings.js';
import type { RateLimit } from '../platform/rateLimits/store/rateDoc.js';
import { setting } from './settings/settingsTable.js';
import { checkValue } from './values.js';

const PER_SECOND_MAX = 100_000;
const BURST_SECONDS_MAX = 3_600;

/** @param sent what is counted, as descriptions begin with it */
function rate(name: 'rate_limit' | 'ping_rate_limit', sent: string, defaults: RateLimit) {
  const number = (key: keyof RateLimit, max: number, what: string) =>
    wholeNumber(1, max).meta({
      description: `${what}; default ${defaults[key]}`,
      examples: [defaults[key]],
    });
  const schema = z.strictObject({
    per_second: number('per_second', PER_SECOND_MAX, `${sent} per second`),
    burst_per_second: number('burst_per_second', PER_SECOND_MAX, `${sent} per second in a burst`),
    burst_seconds: number(
      'burst_seconds',
      BURST_SECONDS_MAX,
      'How long a burst may last, in seconds',
    ),
  });
  return { name, label: `${sent} per second`, defaults, schema };
}

/** One kind of limit: the setting that has it, its defaults, and its schema. */
export type Rate = ReturnType<typeof rate>;

/** Of a supplier's leads (contract 3.4). */
export const LEAD_RATE = rate('rate_limit', 'Leads', {
  per_second: 100,
  burst_per_second: 200,
  burst_seconds: 10,
});

/** Of a supplier's pings: higher than that of leads (contract 5.6). */
export const PING_RATE = rate('ping_rate_limit', 'Pings', {
  per_second: 500,
  burst_per_second: 1_000,
  burst_seconds: 10,
});

/** Of a buyer's postbacks (contract 7.4). */
export const POSTBACK_RATE = rate('rate_limit', 'Postbacks', {
  per_second: 100,
  burst_per_second: 100,
  burst_seconds: 1,
});

/**
 * The whole limit from what was given, over `current`.
 * @throws {AppError} `validation_failed` naming the first number that is out of range
 */
export function checkRateLimit(
  { name, defaults }: Rate,
  given: Partial<RateLimit>,
  current = defaults,
): RateLimit {
  const limit = { ...current, ...definedOnly(given) };
  const number = (key: keyof RateLimit, min: number, max: number) =>
    checkValue(`${name}.${key}`, wholeNumber(min, max), limit[key]);
  const per_second = number('per_second', 1, PER_SECOND_MAX);
  return {
    per_second,
    burst_per_second: number('burst_per_second', per_second, PER_SECOND_MAX),
    burst_seconds: number('burst_seconds', 1, BURST_SECONDS_MAX),
  };
}

/** The limit as a setting: some of its numbers may be given. */
export const rateSetting = (rate: Rate, about: string) =>
  setting(
    z.codec(
      rate.schema.partial().meta({ examples: [{ per_second: rate.defaults.per_second }] }),
      z.custom<RateLimit>(),
      {
        decode: (given) => checkRateLimit(rate, given),
        encode: (limit) => limit,
      },
    ),
    { default: rate.defaults, label: rate.label, about, view: rate.schema, inParts: true },
  );
