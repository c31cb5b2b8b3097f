/** Which of a filter's rules a sample lead is made to pass, and values that may do it. */
import { dayAfter } from './days.js';
import { dayBefore } from './filterOperators.js';
import type { ZipArea } from './zips.js';
import type { FilterContext, FilterGroup, FilterNode, FilterRule } from './filterRules.js';
import type { Scalar } from './values.js';
import { samplesOfPattern } from './patternSample.js';

/** Every rule of an `all` group; of an `any` group those of its first part, which is enough. */
export function rulesToPass(group: FilterGroup | null): FilterRule[] {
  return group === null ? [] : rulesOf(group);
}

function rulesOf(node: FilterNode): FilterRule[] {
  if ('all' in node) return node.all.flatMap(rulesOf);
  if ('any' in node) return node.any.slice(0, 1).flatMap(rulesOf);
  return [node];
}

/** What a buyer requires of a lead, as rules. */
export function rulesOfBuyer({
  states,
  zips,
  filters,
}: {
  /** Two-letter codes; empty is every state. */
  states: string[];
  zips: ZipArea | null;
  filters: FilterGroup | null;
}): FilterRule[] {
  const area = zips === null ? [] : Array.isArray(zips) ? zips : zips.zips;
  return [
    ...(states.length > 0
      ? [{ id: 'states', field: 'state', operator: 'IN' as const, value: states }]
      : []),
    ...(area.length > 0
      ? [{ id: 'zips', field: 'zip_code', operator: 'IN LIST' as const, value: area }]
      : []),
    ...rulesToPass(filters),
  ];
}

/** Maximum values of a long list that are tried. */
const TRIED = 20;

/** Values that the rule may hold for; none for rules that only shut values out. */
export function valuesFor(rule: FilterRule, context: FilterContext): Scalar[] {
  const { operator, value } = rule;
  if (value === undefined) return [];
  if (operator === 'WITHIN RADIUS')
    return typeof value === 'object' && !Array.isArray(value) ? value.zips.slice(0, TRIED) : [];
  if (Array.isArray(value))
    return operator === 'IN' || operator === 'IN LIST' ? value.slice(0, TRIED) : [];
  if (typeof value === 'object') return [];
  switch (operator) {
    case '==':
    case 'CONTAINS':
    case '>=':
    case '<=':
      return [value];
    case '>':
      return typeof value === 'number' ? [value + 1, value + 0.5] : dayBeside(value, 1);
    case '<':
      return typeof value === 'number' ? [value - 1, value - 0.5] : dayBeside(value, -1);
    case '>= N days ago':
      return typeof value === 'number' ? [dayBefore(Math.max(0, value - 1), context)] : [];
    case '<= N days ago':
      return typeof value === 'number' ? [dayBefore(value + 1, context)] : [];
    case 'MATCHES':
      return samplesOfPattern(String(value));
    case 'IN':
    case 'IN LIST':
    case '!=':
    case 'NOT IN':
    case 'DOES NOT CONTAIN':
    case 'IS EMPTY':
    case 'IS NOT EMPTY':
      return [];
  }
}

function dayBeside(value: Scalar, days: number): string[] {
  const day = String(value).slice(0, 10);
  return isNaN(Date.parse(`${day}T00:00:00Z`)) ? [] : [dayAfter(day, days)];
}
