/** Reads one rule of a filter as it is set up. */
import { checkBy, type Checked } from '../lib/schema/sentences.js';
import type { FieldRule } from './fieldRule.js';
import { checkFilterValue } from './checkFilterValue.js';
import type { FilterRule } from './filterRules.js';
import { filterRuleOf } from './filterSchema.js';

/** The normal form, with an empty id when none is given. `path` is what the rule is called in problems. */
export type RuleReader = (input: unknown, path: string) => Checked<FilterRule>;

/** @param fields all of the campaign, those of the system too */
export function ruleReader(fields: ReadonlyMap<string, FieldRule>): RuleReader {
  const Rule = filterRuleOf(fields);
  // The value is judged by these two, whatever is wrong with the rest.
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
