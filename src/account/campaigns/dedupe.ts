/** By which fields a campaign finds duplicates. */
import { isDeepStrictEqual } from 'node:util';
import type { CampaignDoc } from '../store/campaignDoc.js';
import type { DedupeSettings } from '../rules/plan.js';
import type { FieldRule } from '../../fields/fieldRule.js';
import { definedOnly } from '../../lib/defined.js';
import { didYouMean } from '../../lib/nearest.js';
import { mergeFields } from '../plans/compilePlan.js';
import { checkValue, invalidValue } from '../values.js';
import { DedupeWindowDays } from '../settings/campaignSettings.js';

/**
 * The settings after a change. A field that no lead has would never match: duplicates would be sold. Names that are
 * stored already are kept.
 * @throws {AppError} `validation_failed` for an unknown field, and days that are none
 */
export function checkDedupe(
  given: Partial<DedupeSettings>,
  stored: DedupeSettings,
  fields: readonly FieldRule[],
): DedupeSettings {
  const known = namesOf(fields);
  const unknown = given.fields?.find((one) => !known.includes(one) && !stored.fields.includes(one));
  if (unknown !== undefined) {
    const rule = `dedupe.fields names ${JSON.stringify(unknown.slice(0, 80))}, which is neither a system field nor in the campaign's mapping`;
    throw invalidValue('dedupe.fields', 'not_allowed', `${rule}.${didYouMean(unknown, known)}`);
  }
  const dedupe = { ...stored, ...definedOnly(given) };
  return {
    ...dedupe,
    window_days: checkValue('dedupe.window_days', DedupeWindowDays, dedupe.window_days),
  };
}

/**
 * Marks a change after which duplicates are found that were none before: leads from before it hold no claims for it, or
 * none any more, and are looked up by their values (`src/leads/rules/dedupe.ts`).
 */
export const dedupeSince = (
  before: DedupeSettings,
  after: DedupeSettings,
  now: Date,
): Pick<CampaignDoc, 'dedupe_since'> => (findsMore(before, after) ? { dedupe_since: now } : {});

function findsMore(before: DedupeSettings, after: DedupeSettings): boolean {
  if (after.window_days > before.window_days) return true;
  const isOther = after.match !== before.match || !isDeepStrictEqual(after.fields, before.fields);
  return isOther && after.fields.length > 0;
}

/**
 * A field by which duplicates are found cannot be removed.
 * @throws {AppError} `validation_failed` naming the field
 */
export function keepDedupeFields(
  { dedupe, fields }: Pick<CampaignDoc, 'dedupe' | 'fields'>,
  mapping: readonly FieldRule[],
): void {
  const [before, after] = [namesOf(fields), namesOf(mapping)];
  const used = dedupe.fields.find((name) => before.includes(name) && !after.includes(name));
  if (used === undefined) return;
  const rule = `fields must keep ${used}, by which duplicates are found; change dedupe.fields first.`;
  throw invalidValue('fields', 'not_allowed', rule);
}

const namesOf = (fields: readonly FieldRule[]): string[] =>
  mergeFields(fields).map(({ name }) => name);
