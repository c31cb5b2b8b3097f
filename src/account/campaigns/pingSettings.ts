/** How a campaign answers pings, as a person sets it up: checked, and every setting with its default. */
import type { z } from 'zod';
import { fromMicros } from '../../fields/money.js';
import { shownBy } from '../../lib/schema/wireOf.js';
import { layOver, readParts, settled, type Problem } from '../../lib/schema/zodIssues.js';
import { DEFAULT_PING_SETTINGS, type PingSettings } from '../rules/pingSettings.js';
import {
  MarginSchema,
  type MarginView,
  PingSettingsSchema,
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
    problems: read.problems.map(asMarginProblem),
  });
}

/** A problem in a part of a margin is reported for the whole, because it is one of two. */
const asMarginProblem = (problem: Problem): Problem =>
  problem.path[0] === 'margin'
    ? { path: ['margin'], code: 'out_of_range', rule: problem.rule }
    : problem;

/** All settings with amounts in currency; absent ones are shown with the defaults that apply. */
export const pingSettingsView = (settings: PingSettings = DEFAULT_PING_SETTINGS) => ({
  ...settings,
  margin: shownBy(MarginSchema, settings.margin) as z.output<typeof MarginView>,
  min_bid: settings.min_bid === null ? null : fromMicros(settings.min_bid),
  max_bid: settings.max_bid === null ? null : fromMicros(settings.max_bid),
});
