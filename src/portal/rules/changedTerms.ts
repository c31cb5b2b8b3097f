/** What a change request differs in. */
import { BUYER_LINK } from '../../account/settings/buyerLinkTerms.js';
import type { Setting } from '../../account/settings/settingsTable.js';
import { getOwn } from '../../lib/getOwn.js';
import { shownBy } from '../../lib/schema/wireOf.js';
import type { AskedTerms } from '../store/changeRequestDocs.js';

/** A term as it was and as it is wanted, as people write it: money in currency. */
export interface TermChange {
  name: string;
  before: unknown;
  after: unknown;
}

/** The terms of `wanted` that differ from what there is, with what they are now. */
export function differences(
  current: AskedTerms,
  wanted: AskedTerms,
): { before: AskedTerms; after: AskedTerms } {
  const names = (Object.keys(wanted) as (keyof AskedTerms)[]).filter(
    (name) => !isSame(current[name], wanted[name]),
  );
  const picked = (terms: AskedTerms): AskedTerms =>
    Object.fromEntries(names.map((name) => [name, terms[name] ?? null]));
  return { before: picked(current), after: picked(wanted) };
}

/** Whether each of these terms is so now. */
export const holdsNow = (terms: AskedTerms, current: AskedTerms): boolean =>
  (Object.keys(terms) as (keyof AskedTerms)[]).every((name) => isSame(terms[name], current[name]));

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(plain(one)) === JSON.stringify(plain(other));

/** Absent and null are the same; so is another order of keys. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value ?? null;
  const there = Object.entries(value as Record<string, unknown>)
    .filter(([, one]) => one != null)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(there.map(([key, one]): [string, unknown] => [key, plain(one)]));
}

/** Each changed term as people write it; caps and budgets one by one. */
export function termChanges(before: AskedTerms, after: AskedTerms): TermChange[] {
  const was = written(before);
  const wanted = written(after);
  const names = [...new Set([...was.keys(), ...wanted.keys()])];
  return names
    .map((name) => ({
      name,
      before: was.get(name) ?? null,
      after: wanted.get(name) ?? null,
    }))
    .filter((change) => !isSame(change.before, change.after));
}

function written(terms: AskedTerms): Map<string, unknown> {
  const each = Object.entries(terms).flatMap(([name, value]): [string, unknown][] => {
    const one = getOwn<Setting>(BUYER_LINK.settings, name);
    const shown = one && value !== null ? shownBy(one.schema, value) : value;
    return name === 'caps' ? Object.entries(shown ?? {}) : [[name, shown]];
  });
  return new Map(each);
}
