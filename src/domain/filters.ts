/** Filters: which leads a campaign or a buyer takes. */
import { readBoolean, readNumber } from './fieldTypes.js';
import { fieldOf } from './fields.js';
import type { Fields, FilterFailure, Scalar } from './lead.js';

export type Operator = '==' | '!=' | 'IN' | 'NOT IN' | 'IS EMPTY' | 'IS NOT EMPTY';

export interface FilterRule {
  id: string;
  field: string;
  operator: Operator;
  value?: string | number | boolean | (string | number | boolean)[];
  /** Said to the supplier instead of the made-up sentence. */
  reason?: string;
}

/** Rules joined by AND (`all`) or OR (`any`), to any depth. */
export type FilterGroup = { all: FilterNode[] } | { any: FilterNode[] };
export type FilterNode = FilterRule | FilterGroup;

/**
 * The rules that keep a lead out; none means that it passes. Of an `all` group every failing rule is named,
 * of an `any` group all of them when none holds. A group without rules keeps nobody out.
 */
export function evaluateFilters(group: FilterGroup | null, fields: Fields): FilterFailure[] {
  return group === null ? [] : evaluateNode(group, fields);
}

function evaluateNode(node: FilterNode, fields: Fields): FilterFailure[] {
  if ('all' in node) return node.all.flatMap((child) => evaluateNode(child, fields));
  if ('any' in node) {
    const results = node.any.map((child) => evaluateNode(child, fields));
    return results.some((failures) => failures.length === 0) ? [] : results.flat();
  }
  const actual = fieldOf(fields, node.field);
  return ruleHolds(node, actual) ? [] : [failureOf(node, actual)];
}

/** An absent field is true only for `!=`, `NOT IN` and `IS EMPTY` (extensions, "Filters"). */
function ruleHolds(rule: FilterRule, actual: Scalar | undefined): boolean {
  switch (rule.operator) {
    case '==':
    case 'IN':
      return actual !== undefined && isOneOf(actual, valuesOf(rule));
    case '!=':
    case 'NOT IN':
      return actual === undefined || !isOneOf(actual, valuesOf(rule));
    case 'IS EMPTY':
      return actual === undefined;
    case 'IS NOT EMPTY':
      return actual !== undefined;
  }
}

function valuesOf({ value }: FilterRule): Scalar[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

const isOneOf = (actual: Scalar, values: readonly Scalar[]): boolean =>
  values.some((value) => sameValue(actual, value));

/**
 * Whether two values are the same to a filter. Next to a boolean or a number the other side is read as one;
 * two texts compare without case and outer space (never as numbers, or long ids would lose their last digits).
 */
export function sameValue(a: Scalar, b: Scalar): boolean {
  if (typeof a === 'boolean' || typeof b === 'boolean') {
    const [left, right] = [readBoolean(a), readBoolean(b)];
    return left !== null && left === right;
  }
  if (typeof a === 'number' || typeof b === 'number') {
    const [left, right] = [readNumber(a), readNumber(b)];
    return left !== null && left === right;
  }
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

/** Failures as a trail keeps them: what was seen, without the rule's own values, which the plan has. */
export const seenBy = (failures: readonly FilterFailure[]) =>
  failures.map(({ filter_id, field, operator, actual }) => ({
    filter_id,
    field,
    operator,
    ...(actual === undefined ? {} : { actual }),
  }));

function failureOf(rule: FilterRule, actual: Scalar | undefined): FilterFailure {
  return {
    filter_id: rule.id,
    field: rule.field,
    operator: rule.operator,
    value: rule.value ?? null,
    ...(actual === undefined ? {} : { actual }),
    message: rule.reason ?? `${rule.field} must ${wanted(rule)}`,
  };
}

function wanted(rule: FilterRule): string {
  const values = valuesOf(rule);
  const listed = values.slice(0, 20).join(', ') + (values.length > 20 ? ', …' : '');
  switch (rule.operator) {
    case '==':
      return `be ${listed}`;
    case '!=':
      return `not be ${listed}`;
    case 'IN':
      return `be one of: ${listed}`;
    case 'NOT IN':
      return `not be one of: ${listed}`;
    case 'IS EMPTY':
      return 'be empty';
    case 'IS NOT EMPTY':
      return 'not be empty';
  }
}
