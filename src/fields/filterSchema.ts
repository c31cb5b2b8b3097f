/** Filters as a person writes them: the schema of a rule, and what is published of groups of rules. */
import { z } from 'zod';
import { FieldScalar } from './values.js';
import type { FieldRule } from './fieldRule.js';
import { published } from '../lib/schema/published.js';
import { objectRules } from '../lib/schema/sentences.js';
import { OPERATORS, type Operator } from './filterRules.js';
import { readOperator } from './readOperator.js';
import { Schedule } from './scheduleSchema.js';
import { ZipRadius } from './zipsSchema.js';

export const RULES_MAX = 500;
/** Groups in groups. */
export const DEPTH_MAX = 10;
const ID_MAX = 64;
const REASON_MAX = 300;

const SOME_FIELD = 'must name a field, such as "state"';
const SOME_OPERATOR = 'is missing, such as "=="';

const FieldName = z
  .string(SOME_FIELD)
  .trim()
  .min(1, SOME_FIELD)
  .describe('A field of the campaign, or a system field');

const OperatorText = z
  .string(SOME_OPERATOR)
  .trim()
  .min(1, SOME_OPERATOR)
  .describe(`Case-insensitive: ${OPERATORS.join(', ')}; N may be the number itself`)
  .transform((written, context): { operator: Operator; days?: number } => {
    const reading = readOperator(written);
    if (reading.ok) return reading;
    const message = `${quoted(written)} is unknown; did you mean "${reading.nearest}"?`;
    context.addIssue({ code: 'custom', message, input: written });
    return z.NEVER;
  });

const quoted = (text: string): string => `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`;

const shortText = (max: number, description: string) => {
  const rule = `must be text of at most ${max} characters`;
  return z.string(rule).trim().max(max, rule).nullable().optional().describe(description);
};

const ruleOf = <F extends z.ZodType, V extends z.ZodType, S extends z.ZodType>(
  field: F,
  value: V,
  schedule: S,
) =>
  z.strictObject(
    {
      field,
      operator: OperatorText,
      value: value
        .optional()
        .describe(
          'A list for IN, a radius for WITHIN RADIUS, days for N days ago; no value for EMPTY',
        ),
      id: shortText(ID_MAX, 'Unique among the rules; default f1, f2 and so on'),
      reason: shortText(REASON_MAX, 'The reason that the supplier of a refused lead gets'),
      schedule: schedule
        .nullable()
        .optional()
        .describe('When the rule applies, like the schedule of a buyer; null: always'),
    },
    objectRules(
      'a rule has field, operator, value, id, reason, schedule',
      'must be a rule { field, operator, value } or a group { all } or { any }',
    ),
  );

/**
 * A rule over these fields. Its value depends on the operator and the type of the field: `checkFilterValue` reads it.
 * @param fields all of the campaign, those of the system too
 */
export const filterRuleOf = (fields: ReadonlyMap<string, FieldRule>) =>
  ruleOf(
    FieldName.transform((name, context): FieldRule => {
      const field = fields.get(name);
      if (field) return field;
      const message = `${quoted(name)} is neither a system field nor in the campaign's mapping`;
      context.addIssue({ code: 'custom', message, input: name });
      return z.NEVER;
    }),
    z.unknown(),
    Schedule,
  );

/** As it is written; null means absent. */
export type FilterRuleInput = z.input<ReturnType<typeof filterRuleOf>>;
/** A rule, a group, or a bare list of them, which means all (contract 2.7). */
export type FilterNodeInput =
  | FilterRuleInput
  | { all: readonly FilterNodeInput[] }
  | { any: readonly FilterNodeInput[] }
  | readonly FilterNodeInput[];

const Value = z.union([FieldScalar, z.array(FieldScalar).min(1), ZipRadius]);
const Rule = ruleOf(FieldName, Value.nullable(), z.unknown());
const Deeper = z.array(z.unknown()).describe(`Rules and groups, at most ${DEPTH_MAX} deep`);
const Node = z.union([
  Rule,
  z.strictObject({ all: Deeper }),
  z.strictObject({ any: Deeper }),
  Deeper,
]);
const Nodes = z.array(Node).max(RULES_MAX);
const Groups = z.union([
  z.strictObject({ all: Nodes }),
  z.strictObject({ any: Nodes }),
  Deeper,
  // A rule alone: its keys are described within the groups.
  z.looseObject({ field: z.string(), operator: z.string() }),
]);

/**
 * What is published of filters: groups two levels deep, because a schema that refers to itself is more than many clients
 * can read. `checkFilters` reads them.
 */
export const Filters = published(Groups)
  .meta({ examples: [{ all: [{ field: 'state', operator: 'IN', value: ['CA', 'TX'] }] }] })
  .nullable()
  .describe(
    'Which leads pass: { "all": [rules] }, { "any": [rules] } or a list of rules, which means all. A rule is ' +
      '{ "field", "operator", "value" }, and may have an "id" and a "reason". null: every lead',
  );
