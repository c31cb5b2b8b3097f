/** How a campaign answers pings, as a person sets it up: checked, and every setting with its default. */
import { DEFAULT_PING_SETTINGS, type Margin, type PingSettings } from '../rules/pingSettings.js';
import type { Micros } from '../../fields/money.js';
import { fromMicros, toMicros } from '../../fields/money.js';
import { settingReader, type SettingReader } from '../buyers/delivery/reader.js';
import { invalidValue } from '../values.js';

/** One of the two. */
export interface MarginInput {
  /** 0 to 100, at most four decimals. */
  percent?: number | null | undefined;
  /** In currency, at most four decimals. */
  fixed?: number | null | undefined;
}

type Optional<T> = { [K in keyof T]?: T[K] | null | undefined };

/** Amounts in currency. Null takes a setting back to its default. */
export interface PingSettingsInput extends Optional<
  Omit<PingSettings, 'margin' | 'min_bid' | 'max_bid'>
> {
  margin?: MarginInput | null | undefined;
  min_bid?: number | null | undefined;
  max_bid?: number | null | undefined;
}

const DECIMALS_MOST = 4;
/** In milliseconds. */
const DEADLINE_LEAST = 100;
const DEADLINE_MOST = 3_000;

/**
 * Complete settings from what was given, over `current`.
 * @throws {AppError} `validation_failed` naming every setting that is not valid
 */
export function checkPingSettings(
  input: PingSettingsInput,
  current: PingSettings = DEFAULT_PING_SETTINGS,
): PingSettings {
  const usual = DEFAULT_PING_SETTINGS;
  const read = settingReader('ping', input, pingSettingsView(current));
  const settings: PingSettings = {
    margin: readMargin(read, 'margin') ?? usual.margin,
    min_bid: readAmount(read, 'min_bid'),
    max_bid: readAmount(read, 'max_bid'),
    bid_decimals: read.integer('bid_decimals', usual.bid_decimals, 0, DECIMALS_MOST),
    reveal_buyers: read.flag('reveal_buyers', usual.reveal_buyers),
    deadline_ms: read.integer('deadline_ms', usual.deadline_ms, DEADLINE_LEAST, DEADLINE_MOST),
    check_duplicates: read.flag('check_duplicates', usual.check_duplicates),
    on_difference: read.choice('on_difference', usual.on_difference, ['REFUSE', 'WARN']),
  };
  const { min_bid: least, max_bid: most } = settings;
  if (least !== null && most !== null && most < least) {
    const amount = fromMicros(least);
    read.problem('max_bid', 'out_of_range', `must not be below min_bid, which is ${amount}.`);
  }
  read.finish();
  return settings;
}

/**
 * The margin of a buyer of a campaign.
 * @throws {AppError} `validation_failed` when it is not just one of percent and fixed, or out of range
 */
export function checkMargin(input: MarginInput): Margin {
  const found = marginOf(input);
  if (typeof found !== 'string') return found;
  throw invalidValue('margin', 'out_of_range', `margin ${found}`);
}

/** The margin with its amount in currency, as people write it. */
export const marginView = (margin: Margin): { percent: number } | { fixed: number } =>
  'percent' in margin ? { percent: margin.percent } : { fixed: fromMicros(margin.fixed) };

/** All settings with amounts in currency; absent ones are those that serve anyhow. */
export const pingSettingsView = (settings: PingSettings = DEFAULT_PING_SETTINGS) => ({
  ...settings,
  margin: marginView(settings.margin),
  min_bid: settings.min_bid === null ? null : fromMicros(settings.min_bid),
  max_bid: settings.max_bid === null ? null : fromMicros(settings.max_bid),
});

function readMargin(read: SettingReader, key: string): Margin | null {
  const given = read.given(key);
  if (given === undefined) return null;
  const found = typeof given === 'object' ? marginOf(given as MarginInput) : MARGIN_RULE;
  if (typeof found !== 'string') return found;
  read.problem(key, 'out_of_range', found);
  return null;
}

const MARGIN_RULE = 'must be { "percent": 15 } or { "fixed": 2.5 }, one of the two.';
const PERCENT_STEPS = 10_000;

/** The margin, or what is wrong with it. */
function marginOf({ percent, fixed }: MarginInput): Margin | string {
  if ((percent == null) === (fixed == null)) return MARGIN_RULE;
  if (percent != null) {
    const isExact = Math.round(percent * PERCENT_STEPS) / PERCENT_STEPS === percent;
    const isPercent = percent >= 0 && percent <= 100 && isExact;
    return isPercent
      ? { percent }
      : `percent must be a number, 0 to 100, with at most 4 decimals; ${percent} is not.`;
  }
  const amount = amountOf(fixed);
  return amount === null
    ? `fixed ${AMOUNT_RULE} ${String(fixed)} is not such an amount.`
    : { fixed: amount };
}

const AMOUNT_RULE = 'must be 0 or more with at most 4 decimals, such as 12.5.';

function readAmount(read: SettingReader, key: string): Micros | null {
  const given = read.given(key);
  if (given === undefined) return null;
  const amount = amountOf(given);
  if (amount === null) read.problem(key, 'out_of_range', AMOUNT_RULE);
  return amount;
}

/** Null: no amount of money. */
function amountOf(value: unknown): Micros | null {
  if (typeof value !== 'number' || value < 0) return null;
  try {
    return toMicros(value);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
