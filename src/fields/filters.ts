/** Filters: which leads a campaign or a buyer takes. */
import { fieldOf } from './fields.js';
import { messageOf, shortened } from './filterMessages.js';
import { ABSENT_HOLDS, testOf } from './filterOperators.js';
import type { FilterContext, FilterGroup, FilterNode, FilterRule } from './filterRules.js';
import type { FilterFailure } from '../lib/filterFailure.js';
import type { Fields, Scalar } from './values.js';
import { isOpenAt } from './schedule.js';

export type {
  FilterContext,
  FilterGroup,
  FilterNode,
  FilterRule,
  Operator,
} from './filterRules.js';

/**
 * The rules that keep a lead out; none means that it passes. Of an `all` group every failing rule is named,
 * of an `any` group all of them when none holds. A rule outside its schedule is not there, nor is a group
 * that has only such rules. A group without rules lets every lead pass. The same input gives the same answer.
 *
 * A lead that is `partial` is kept out only if it would be with any value of the absent fields,
 * except that schedules open and close meanwhile.
 */
export function evaluateFilters(
  group: FilterGroup | null,
  fields: Fields,
  context: FilterContext,
): FilterFailure[] {
  const result = group === null ? [] : evaluateNode(group, fields, context);
  return result === undefined || result === OPEN ? [] : result;
}

/** Holds or not depending on a field that may still come. */
const OPEN = 'open';

/** None: it holds. Undefined: nothing of the node applies now. */
type Evaluation = FilterFailure[] | typeof OPEN | undefined;

function evaluateNode(node: FilterNode, fields: Fields, context: FilterContext): Evaluation {
  if ('all' in node || 'any' in node) return evaluateGroup(node, fields, context);
  const { schedule } = node;
  if (schedule && !isOpenAt(schedule, context.now, context.timeZone)) return undefined;
  const actual = fieldOf(fields, node.field);
  if (actual === undefined && context.partial) return OPEN;
  return ruleHolds(node, actual, context) ? [] : [failureOf(node, actual, context)];
}

/** Open where what is open decides: an `all` without a failure, an `any` of which nothing holds yet. */
function evaluateGroup(group: FilterGroup, fields: Fields, context: FilterContext): Evaluation {
  const children = 'all' in group ? group.all : group.any;
  if (children.length === 0) return [];
  const results = children
    .map((child) => evaluateNode(child, fields, context))
    .filter((result) => result !== undefined);
  if (results.length === 0) return undefined;
  const known = results.filter((result) => result !== OPEN);
  const failures = known.flat();
  const decided =
    'all' in group ? failures.length > 0 : known.some((result) => result.length === 0);
  if (known.length < results.length && !decided) return OPEN;
  return 'any' in group && decided ? [] : failures;
}

const ruleHolds = (
  rule: FilterRule,
  actual: Scalar | undefined,
  context: FilterContext,
): boolean =>
  actual === undefined ? ABSENT_HOLDS.has(rule.operator) : testOf(rule)(actual, context);

/** Failures as a trail stores them: the lead's values, without those of the rule, which the plan has. */
export const seenBy = (failures: readonly FilterFailure[]) =>
  failures.map(({ filter_id, field, operator, actual }) => ({
    filter_id,
    field,
    operator,
    actual,
  }));

function failureOf(
  rule: FilterRule,
  actual: Scalar | undefined,
  context: FilterContext,
): FilterFailure {
  return {
    filter_id: rule.id,
    field: rule.field,
    operator: rule.operator,
    value: shortened(rule.value),
    actual,
    message: rule.reason ?? messageOf(rule, actual, context),
  };
}
