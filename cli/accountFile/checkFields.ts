/** Fields that are removed must not be used by filters that stay. */
import { checkFilterInput } from '../../src/account/campaigns/targeting.js';
import type { FieldRule } from '../../src/fields/fieldRule.js';
import { AppError } from '../../src/lib/errors.js';
import { fieldsOf } from './normalize.js';
import type { Comparison, StoredCampaign, Terms, WrittenCampaign } from './model.js';

/**
 * The fields of a campaign while its filters are changed: new ones, and those that are still to be removed.
 * @returns null where none is removed
 */
export function fieldsBetween(
  before: readonly FieldRule[],
  wanted: readonly FieldRule[],
): FieldRule[] | null {
  const names = new Set(wanted.map(({ name }) => name));
  const going = before.filter(({ name }) => !names.has(name));
  return going.length === 0 ? null : [...wanted, ...going];
}

/** Reports in advance what the server would refuse halfway. */
export function checkFieldsLeft(
  written: WrittenCampaign,
  wanted: Terms,
  stored: StoredCampaign,
  { complain }: Comparison,
): void {
  if (wanted.fields === undefined) return;
  const [before, after] = [fieldsOf(stored.terms), fieldsOf(wanted)];
  const between = fieldsBetween(before, after) ?? after;
  const at = [...written.path, 'fields'];
  const all = [{ name: '', terms: stored.terms }, ...stored.buyers];
  for (const { name, terms } of all) {
    const whose = name === '' ? 'the filters of the campaign' : `the filters of buyer "${name}"`;
    const now = problemOf(terms.filters, between);
    const file = name === '' ? written : written.buyers.find((one) => one.name === name);
    const isKept = file?.terms.filters === undefined;
    const then = isKept ? problemOf(terms.filters, after) : null;
    if (now !== null)
      complain(
        at,
        `: ${whose}, as they are now, do not fit them; change the filters first. ${now}`,
      );
    else if (then !== null)
      complain(at, `: ${whose}, which stay unchanged, do not fit them. ${then}`);
  }
}

function problemOf(filters: unknown, rules: readonly FieldRule[]): string | null {
  try {
    checkFilterInput(filters ?? null, rules);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
