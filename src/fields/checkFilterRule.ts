/** Reads one rule of a filter as it is set up. */
import { checkFilterValue } from './checkFilterValue.js';
import { checkBy, type Checked } from '../lib/schema/sentences.js';
import type { FilterRule, Operator } from './filterRules.js';
import type { FieldRule } from './fieldRule.js';
import { readOperator } from './readOperator.js';
import { Schedule, type ScheduleInput } from './scheduleSchema.js';

/** A rule as it is written; null means absent. */
export interface FilterRuleInput {
  field: string;
  /** In any case; also `NOT CONTAINS`, and `>= 730 days ago` with the number inside. */
  operator: string;
  value?: unknown;
  id?: string | null;
  /** Said to the supplier instead of the made-up sentence. */
  reason?: string | null;
  /** When the rule applies. */
  schedule?: ScheduleInput | null;
}

const KEYS: readonly string[] = ['field', 'operator', 'value', 'id', 'reason', 'schedule'];
const LONGEST_ID = 64;
const LONGEST_REASON = 300;

/** The normal form, with an empty id when none is given. `path` is what the rule is called in problems. */
export function checkRule(
  input: unknown,
  path: string,
  fields: ReadonlyMap<string, FieldRule>,
): Checked<FilterRule> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return {
      ok: false,
      problems: [`${path} must be a rule { field, operator, value } or a group { all } or { any }`],
    };
  }
  const given: Record<string, unknown> = { ...input };
  const problems = Object.keys(given)
    .filter((key) => !KEYS.includes(key))
    .map((key) => `${path} has an unknown key "${shown(key)}"; a rule has ${KEYS.join(', ')}`);
  const field = readField(given.field, fields);
  if (typeof field === 'string') problems.push(`${path}.field ${field}`);
  const operator = readOperatorOf(given.operator);
  if (typeof operator === 'string') problems.push(`${path}.operator ${operator}`);
  const id = readText(given.id, LONGEST_ID);
  if (id === null) problems.push(`${path}.id must be text of at most ${LONGEST_ID} characters`);
  const reason = readText(given.reason, LONGEST_REASON);
  if (reason === null) {
    problems.push(`${path}.reason must be text of at most ${LONGEST_REASON} characters`);
  }
  const schedule = readSchedule(given.schedule, `${path}.schedule`);
  if (!schedule.ok) problems.push(...schedule.problems);
  if (typeof field === 'string' || typeof operator === 'string') return { ok: false, problems };
  const value = checkFilterValue({ ...operator, field, value: given.value ?? undefined });
  if (!value.ok) problems.push(...value.problems.map((problem) => `${path}.value ${problem}`));
  if (!value.ok || !schedule.ok || problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    value: {
      id: id ?? '',
      field: field.name,
      operator: operator.operator,
      ...(value.value === undefined ? {} : { value: value.value }),
      ...(reason === '' || reason === null ? {} : { reason }),
      ...(schedule.value === undefined ? {} : { schedule: schedule.value }),
    },
  };
}

const shown = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** The field, or what is wrong with its name. */
function readField(input: unknown, fields: ReadonlyMap<string, FieldRule>): FieldRule | string {
  if (typeof input !== 'string' || input.trim() === '') return 'must name a field, such as "state"';
  const name = input.trim();
  return (
    fields.get(name) ?? `"${shown(name)}" is neither a system field nor in the campaign's mapping`
  );
}

function readOperatorOf(input: unknown): { operator: Operator; days?: number } | string {
  if (typeof input !== 'string' || input.trim() === '') return 'is missing, such as "=="';
  const reading = readOperator(input);
  if (reading.ok) return reading;
  return `"${shown(input)}" is unknown; did you mean "${reading.nearest}"?`;
}

/** Trimmed, empty for none, null when it cannot be used. */
function readText(input: unknown, longest: number): string | null {
  if (input === null || input === undefined) return '';
  if (typeof input !== 'string') return null;
  const text = input.trim();
  return text.length > longest ? null : text;
}

const readSchedule = (input: unknown, path: string): Checked<Schedule | undefined> =>
  input === null || input === undefined
    ? { ok: true, value: undefined }
    : checkBy(Schedule, input, path);
