/** How a campaign answers pings, as a person sets it up: checked, and every setting with its default. */
import { fromMicros } from '../../fields/money.js';
import {
  layOver,
  problemsOf,
  readParts,
  refuseProblems,
  settled,
  type Problem,
} from '../../lib/schema/zodIssues.js';
import { DEFAULT_PING_SETTINGS, type Margin, type PingSettings } from '../rules/pingSettings.js';
import {
  MarginSchema,
  PingSettingsSchema,
  type MarginInput,
  type PingSettingsInput,
} from './pingSchema.js';

/**
 * Complete settings from what was given, over `current`.
 * @throws {AppError} `validation_failed` naming every setting that is not valid
 */
export function checkPingSettings(
  input: PingSettingsInput,
  current: PingSettings = DEFAULT_PING_SETTINGS,
): PingSettings {
  const keys = Object.keys(PingSettingsSchema.shape);
  const laid = layOver(input, pingSettingsView(current), keys);
  const read = readParts(PingSettingsSchema, laid, (hint) => `is not a setting of ping.${hint}`);
  const { min_bid: least = null, max_bid: most = null } = read.values;
  if (least !== null && most !== null && most < least) {
    const rule = `must not be below min_bid, which is ${fromMicros(least)}`;
    read.problems.push({ path: ['max_bid'], code: 'out_of_range', rule });
  }
  return settled<typeof PingSettingsSchema>('ping', {
    ...read,
    problems: read.problems.map(toldOfMargin),
  });
}

/**
 * The margin of a buyer of a campaign.
 * @throws {AppError} `validation_failed` when it is not just one of percent and fixed, or out of range
 */
export function checkMargin(input: MarginInput): Margin {
  const read = MarginSchema.safeParse(input, { reportInput: true });
  if (read.success) return read.data;
  refuseProblems('', problemsOf(read.error, ['margin']).map(toldOfMargin));
  throw read.error;
}

/** A problem in a part of a margin is reported for the whole, because it is one of two. */
const toldOfMargin = (problem: Problem): Problem =>
  problem.path[0] === 'margin'
    ? { path: ['margin'], code: 'out_of_range', rule: problem.rule }
    : problem;

/** The margin with its amount in currency, as people write it. */
const marginView = (margin: Margin): { percent: number } | { fixed: number } =>
  'percent' in margin ? { percent: margin.percent } : { fixed: fromMicros(margin.fixed) };

/** All settings with amounts in currency; absent ones are shown with the defaults that apply. */
export const pingSettingsView = (settings: PingSettings = DEFAULT_PING_SETTINGS) => ({
  ...settings,
  margin: marginView(settings.margin),
  min_bid: settings.min_bid === null ? null : fromMicros(settings.min_bid),
  max_bid: settings.max_bid === null ? null : fromMicros(settings.max_bid),
});
