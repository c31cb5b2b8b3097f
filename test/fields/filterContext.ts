import { evaluateFilters as evaluate } from '../../src/fields/filters.js';
import type { FilterGroup, FilterNode, FilterRule, Operator } from '../../src/fields/filters.js';
import type { Fields } from '../../src/fields/values.js';

/** Saturday 07:00 in New York; in UTC it is noon. */
export const context = { now: new Date('2026-11-21T12:00:00Z'), timeZone: 'America/New_York' };

export const evaluateFilters = (group: FilterGroup | null, fields: Fields) =>
  evaluate(group, fields, context);

export const aRule = (
  field: string,
  operator: Operator,
  value?: FilterRule['value'],
): FilterRule => ({
  id: `${field} ${operator}`,
  field,
  operator,
  ...(value === undefined ? {} : { value }),
});

export const passes = (node: FilterNode, fields: Fields): boolean =>
  evaluateFilters({ all: [node] }, fields).length === 0;
