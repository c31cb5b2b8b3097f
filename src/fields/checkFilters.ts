/**
 * Reads filters as they are set up: their normal form, or every problem in a sentence each. The rules are read by their
 * schema; the groups by hand, because a request may nest them deeper than a recursive schema could follow, and because
 * ids, rules and values are counted across all of them.
 */
import { firstOf, type Checked, checkBy } from '../lib/schema/sentences.js';
import type { FilterGroup, FilterNode, FilterRule } from './filterRules.js';
import { DEPTH_MAX, RULES_MAX, filterRuleOf } from './filterSchema.js';
import type { FieldRule } from './fieldRule.js';
import { checkFilterValue } from './checkFilterValue.js';

/** Of all lists together: more zip codes than there are. */
const VALUES_MAX = 100_000;
/** The id of another refusal of a lead. */
const TAKEN_IDS: readonly string[] = ['suppression'];

interface Walk {
  readRule: RuleReader;
  problems: string[];
  rules: FilterRule[];
  ids: Set<string>;
}

/**
 * Rules without an id get `f1`, `f2` and so on, in their order, skipping ids in use; reading the normal form again
 * returns the same. No rule at all is null.
 * @param fields all fields of the campaign, those of the system too
 * @param key what the problems call the input
 */
export function checkFilters(
  input: unknown,
  fields: readonly FieldRule[],
  key = 'filters',
): Checked<FilterGroup | null> {
  if (input === null || input === undefined) return { ok: true, value: null };
  const walk: Walk = {
    readRule: ruleReader(new Map(fields.map((field) => [field.name, field]))),
    problems: [],
    rules: [],
    ids: new Set(TAKEN_IDS),
  };
  const top = isGroup(input) ? input : [input];
  const group = childrenOf(top)?.items.length === 0 ? null : readGroup(top, key, 1, walk);
  checkSize(walk);
  if (walk.problems.length > 0) return { ok: false, problems: firstOf(walk.problems) };
  nameRules(walk.rules, walk.ids);
  return { ok: true, value: group };
}

const isGroup = (input: unknown): input is object =>
  Array.isArray(input) ||
  (typeof input === 'object' && input !== null && ('all' in input || 'any' in input));

interface Children {
  kind: 'all' | 'any';
  items: unknown[];
  /** How a child's place is written. */
  path: string;
}

function childrenOf(group: object): Children | undefined {
  if (Array.isArray(group)) return { kind: 'all', items: group, path: '' };
  const [key, ...others] = Object.keys(group);
  const items: unknown = Object.values(group)[0];
  if ((key !== 'all' && key !== 'any') || others.length > 0 || !Array.isArray(items)) return;
  return { kind: key, items, path: `.${key}` };
}

function readGroup(group: object, path: string, depth: number, walk: Walk): FilterGroup | null {
  const children = childrenOf(group);
  const problem = problemOf(children, depth);
  if (!children || problem !== undefined) {
    walk.problems.push(`${path} ${problem ?? ''}`);
    return null;
  }
  const nodes = children.items
    .map((item, index) => readNode(item, `${path}${children.path}[${index}]`, depth, walk))
    .filter((node) => node !== null);
  return children.kind === 'all' ? { all: nodes } : { any: nodes };
}

function problemOf(children: Children | undefined, depth: number): string | undefined {
  if (!children)
    return 'must be a group with one list of rules, { "all": [ … ] } or { "any": [ … ] }';
  if (children.items.length === 0) return 'is a group without rules; leave it out';
  return depth > DEPTH_MAX
    ? `is too deep: groups can be nested at most ${DEPTH_MAX} deep`
    : undefined;
}

function readNode(input: unknown, path: string, depth: number, walk: Walk): FilterNode | null {
  if (isGroup(input)) return readGroup(input, path, depth + 1, walk);
  const checked = walk.readRule(input, path);
  if (!checked.ok) {
    walk.problems.push(...checked.problems);
    return null;
  }
  const rule = checked.value;
  if (rule.id !== '') {
    if (walk.ids.has(rule.id))
      walk.problems.push(`${path}.id "${rule.id}" is already used; ids must differ`);
    walk.ids.add(rule.id);
  }
  walk.rules.push(rule);
  return rule;
}

function checkSize({ rules, problems }: Walk): void {
  if (rules.length > RULES_MAX) {
    problems.push(`filters must have at most ${RULES_MAX} rules; these have ${rules.length}`);
  }
  const values = rules.reduce((sum, rule) => sum + sizeOf(rule), 0);
  if (values > VALUES_MAX) {
    problems.push(`the lists of filters must have at most ${VALUES_MAX} values in total`);
  }
}

const sizeOf = ({ value }: FilterRule): number => (Array.isArray(value) ? value.length : 0);

function nameRules(rules: readonly FilterRule[], taken: Set<string>): void {
  rules.forEach((rule, index) => {
    if (rule.id !== '') return;
    let number = index + 1;
    while (taken.has(`f${number}`)) number += 1;
    rule.id = `f${number}`;
    taken.add(rule.id);
  });
}

// Reads one rule of a filter as it is set up.

/** The normal form, with an empty id when none is given. `path` is what the rule is called in problems. */
type RuleReader = (input: unknown, path: string) => Checked<FilterRule>;

/** @param fields all of the campaign, those of the system too */
function ruleReader(fields: ReadonlyMap<string, FieldRule>): RuleReader {
  const Rule = filterRuleOf(fields);
  // The value is checked by these two, even when other keys are wrong.
  const Subject = Rule.pick({ field: true, operator: true })
    .extend({ value: Rule.shape.value })
    .strip();
  return (input, path) => {
    const rule = checkBy(Rule, input, path);
    const subject = Subject.safeParse(input);
    if (!subject.success) return { ok: false, problems: rule.ok ? [] : rule.problems };
    const { field, operator, value: written } = subject.data;
    const value = checkFilterValue({ ...operator, field, value: written ?? undefined });
    const problems = [
      ...(rule.ok ? [] : rule.problems),
      ...(value.ok ? [] : value.problems.map((problem) => `${path}.value ${problem}`)),
    ];
    if (!rule.ok || !value.ok) return { ok: false, problems };
    const { id, reason, schedule } = rule.value;
    return {
      ok: true,
      value: {
        id: id ?? '',
        field: field.name,
        operator: operator.operator,
        ...(value.value === undefined ? {} : { value: value.value }),
        ...(reason ? { reason } : {}),
        ...(schedule ? { schedule } : {}),
      },
    };
  };
}
