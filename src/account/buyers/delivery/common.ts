/** What every way of delivery has. */
import type { CommonDelivery } from '../../rules/deliverySettings.js';
import type { SettingReader } from './reader.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LONGEST_AGE_MS = 30 * DAY_MS;

export const COMMON_KEYS = [
  'timeout_ms',
  'honours_idempotency_key',
  'on_unknown',
  'hold_max_age_ms',
  'max_age_ms',
  'max_concurrent',
  'max_per_second',
] as const satisfies readonly (keyof CommonDelivery)[];

/**
 * @param timeoutMs how long one delivery may take by default
 * @param honoursKey whether what was never answered is sent again by default
 */
export function readCommon(
  read: SettingReader,
  timeoutMs: number,
  { honoursKey = false }: { honoursKey?: boolean } = {},
): CommonDelivery {
  return {
    timeout_ms: read.integer('timeout_ms', timeoutMs, 100, 30_000),
    honours_idempotency_key: read.flag('honours_idempotency_key', honoursKey),
    on_unknown: read.choice('on_unknown', 'hold', ['hold', 'assume_accepted', 'fail_over']),
    hold_max_age_ms: read.integer('hold_max_age_ms', DAY_MS, 1_000, LONGEST_AGE_MS),
    max_age_ms: read.integer('max_age_ms', DAY_MS, 1_000, LONGEST_AGE_MS),
    max_concurrent: read.integer('max_concurrent', 10, 1, 1_000),
    max_per_second: readRate(read),
  };
}

function readRate(read: SettingReader): number | null {
  const value = read.given('max_per_second');
  if (value === undefined) return null;
  if (typeof value === 'number' && value >= 0.01 && value <= 1_000) return value;
  read.problem('max_per_second', 'out_of_range', 'must be a number, 0.01 to 1000.');
  return null;
}
