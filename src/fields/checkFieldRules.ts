/** What is wrong with a field mapping, checked before a campaign gets it. */
import { compileField, compilePattern, REPEATS_TOO_MUCH, repeatsTooMuch } from './fieldReader.js';
import { isBlank, isUnsafeName } from './fields.js';
import { FIELDS_MAX, FieldRule } from './fieldRule.js';
import { FIXED_TYPES, IDENTITY_FIELDS, SERVICE_NAMES, SYSTEM_FIELDS } from './systemFields.js';

const NAME = /^[a-z][a-z0-9_]{0,63}$/;
/** A field of this name would not reach the buyer. */
const RESERVED: readonly string[] = [...SERVICE_NAMES, 'extra'];
const CONTROL_NAME = /^(?:flo_.*|test_lead)$/;

/**
 * Every problem of a mapping in one sentence each; none when it can be used.
 * @param stored the mapping until now: a name or a pattern in it, which no new field may have, is kept
 */
export function checkFieldRules(
  rules: readonly FieldRule[],
  stored: readonly FieldRule[] = [],
): string[] {
  if (rules.length > FIELDS_MAX)
    return [`A campaign can have at most ${FIELDS_MAX} fields of its own, not ${rules.length}`];
  const seen = new Set<string>();
  return rules.flatMap((rule) => {
    const repeated = seen.has(rule.name) ? [`${rule.name} is listed more than once`] : [];
    seen.add(rule.name);
    const before = stored.find(({ name }) => name === rule.name);
    return [...repeated, ...checkRule(rule, before)];
  });
}

function checkRule(rule: FieldRule, before: FieldRule | undefined): string[] {
  const name = checkName(rule.name, before);
  const keys = checkKeys(rule);
  const together = keys.length > 0 ? [] : checkTogether(rule, before);
  const problems = [...(name === undefined ? [] : [name]), ...keys, ...together];
  return problems.length > 0 ? problems : checkDefault(rule);
}

/** Each key by itself, once; a separate check covers the name. */
function checkKeys(rule: FieldRule): string[] {
  const { error } = FieldRule.safeParse(rule);
  const problems = (error?.issues ?? [])
    .filter(({ path }) => path[0] !== 'name')
    .map(({ path, message }) => `${rule.name}: ${String(path[0] ?? '')} ${message}`);
  return [...new Set(problems)];
}

/** By hand: what each key requires of the others. */
const checkTogether = (rule: FieldRule, before: FieldRule | undefined): string[] =>
  [
    checkType(rule),
    checkAllowedValues(rule),
    checkBounds(rule),
    checkPattern(rule, before),
    checkStrict(rule),
  ].filter((problem) => problem !== undefined);

function checkName(name: string, before: FieldRule | undefined): string | undefined {
  if (!NAME.test(name)) {
    return `"${name.slice(0, 80)}" is not a field name: use snake_case, a letter first, at most 64 characters`;
  }
  if (isUnsafeName(name) || CONTROL_NAME.test(name)) return `${name} is a reserved name`;
  if (RESERVED.includes(name) && !before) {
    return `${name} is a reserved name: the buyer gets the service's own value under it. Choose another name`;
  }
  return undefined;
}

function checkType({ name, type }: FieldRule): string | undefined {
  const system = SYSTEM_FIELDS.find((field) => field.name === name);
  if (!system || system.type === type || !FIXED_TYPES.includes(name)) return undefined;
  return `${name} is a system field and must have the type ${system.type}`;
}

function checkAllowedValues({
  name,
  type,
  allowed_values: allowed,
}: FieldRule): string | undefined {
  if (!allowed) {
    return type === 'List of Allowed Values' ? `${name} needs its allowed_values` : undefined;
  }
  if (allowed.some(isBlank)) {
    return `${name}: allowed_values must not be empty text`;
  }
  const distinct = new Set(allowed.map((value) => value.trim().toLowerCase()));
  if (distinct.size < allowed.length) {
    return `${name}: allowed_values are case-insensitive and must differ`;
  }
  return undefined;
}

function checkBounds({ name, type, min, max }: FieldRule): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  if (type !== 'Number') return `${name}: min and max are only allowed for the type Number`;
  if (min !== undefined && max !== undefined && min > max) {
    return `${name}: min must not be greater than max`;
  }
  return undefined;
}

function checkPattern(
  { name, pattern }: FieldRule,
  before: FieldRule | undefined,
): string | undefined {
  if (pattern === undefined) return undefined;
  const compiled = compilePattern(pattern);
  if (typeof compiled === 'string') return `${name}: pattern is not valid: ${compiled}`;
  if (before?.pattern === pattern) return undefined;
  return repeatsTooMuch(compiled) ? `${name}: pattern ${REPEATS_TOO_MUCH}` : undefined;
}

function checkStrict({ name, type, strict, default: fallback }: FieldRule): string | undefined {
  if (!strict) return undefined;
  if (type !== 'Phone') return `${name}: strict is only allowed for the type Phone`;
  return fallback === undefined ? undefined : `${name}: a strict field cannot have a default`;
}

function checkDefault(rule: FieldRule): string[] {
  if (rule.default === undefined) return [];
  if (IDENTITY_FIELDS.includes(rule.name))
    return [`${rule.name}: a default is not allowed, because every lead must bring its own`];
  const reading = compileField(rule)(rule.default);
  return reading.kind === 'error'
    ? [`${rule.name}: the default breaks its own rule: ${reading.message}`]
    : [];
}
