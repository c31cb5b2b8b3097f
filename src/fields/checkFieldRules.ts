/** What is wrong with a field mapping, before a campaign is given it. */
import { compileField, compilePattern } from './fieldReader.js';
import { isUnsafeName } from './fields.js';
import { FIELD_TYPE_NAMES, FIELD_TYPES } from './fieldTypes.js';
import type { FieldRule } from './fieldRule.js';
import { FIXED_TYPES, SYSTEM_FIELDS } from './systemFields.js';
import { TRANSFORM_NAMES } from './transforms.js';

const NAME = /^[a-z][a-z0-9_]{0,63}$/;
const CONTROL_NAME = /^(?:flo_.*|test_lead)$/;
const LONGEST_TEXT = 10_000;
const LONGEST_PATTERN = 500;

/** Every problem of a mapping in one sentence each; none when it can be used. */
export function checkFieldRules(rules: readonly FieldRule[]): string[] {
  const seen = new Set<string>();
  return rules.flatMap((rule) => {
    const repeated = seen.has(rule.name) ? [`${rule.name} is listed more than once`] : [];
    seen.add(rule.name);
    return [...repeated, ...checkRule(rule)];
  });
}

function checkRule(rule: FieldRule): string[] {
  const problems = [
    checkName(rule.name),
    checkType(rule),
    checkTransforms(rule),
    checkAllowedValues(rule),
    checkBounds(rule),
    checkLength(rule),
    checkPattern(rule),
    checkStrict(rule),
  ].filter((problem) => problem !== undefined);
  return problems.length > 0 ? problems : checkDefault(rule);
}

function checkName(name: string): string | undefined {
  if (!NAME.test(name)) {
    return `"${name.slice(0, 80)}" is not a field name: use snake_case, a letter first, at most 64 characters`;
  }
  if (isUnsafeName(name) || CONTROL_NAME.test(name)) return `${name} is a reserved name`;
  return undefined;
}

function checkType({ name, type }: FieldRule): string | undefined {
  if (!Object.hasOwn(FIELD_TYPES, type)) {
    return `${name}: type must be one of ${FIELD_TYPE_NAMES.join(', ')}`;
  }
  const system = SYSTEM_FIELDS.find((field) => field.name === name);
  if (!system || system.type === type || !FIXED_TYPES.includes(name)) return undefined;
  return `${name} is a system field and must have the type ${system.type}`;
}

function checkTransforms({ name, transforms = [] }: FieldRule): string | undefined {
  const unknown = transforms.find((transform) => !TRANSFORM_NAMES.includes(transform));
  if (unknown === undefined) return undefined;
  return `${name}: transforms must be of ${TRANSFORM_NAMES.join(', ')}`;
}

function checkAllowedValues({
  name,
  type,
  allowed_values: allowed,
}: FieldRule): string | undefined {
  if (!allowed) {
    return type === 'List of Allowed Values' ? `${name} needs its allowed_values` : undefined;
  }
  if (allowed.length === 0) return `${name}: allowed_values must name at least one value`;
  if (allowed.some((value) => value.trim() === '')) {
    return `${name}: allowed_values must not be empty text`;
  }
  const distinct = new Set(allowed.map((value) => value.trim().toLowerCase()));
  if (distinct.size < allowed.length) {
    return `${name}: allowed_values are compared without case and must differ`;
  }
  return undefined;
}

function checkBounds({ name, type, min, max }: FieldRule): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  if (type !== 'Number') return `${name}: min and max are for the type Number`;
  if (![min ?? 0, max ?? 0].every(Number.isFinite)) return `${name}: min and max must be numbers`;
  if (min !== undefined && max !== undefined && min > max) {
    return `${name}: min must not be greater than max`;
  }
  return undefined;
}

function checkLength({ name, max_length: length }: FieldRule): string | undefined {
  if (length === undefined) return undefined;
  if (Number.isInteger(length) && length >= 1 && length <= LONGEST_TEXT) return undefined;
  return `${name}: max_length must be a whole number from 1 to ${LONGEST_TEXT}`;
}

function checkPattern({ name, pattern }: FieldRule): string | undefined {
  if (pattern === undefined) return undefined;
  if (pattern.length > LONGEST_PATTERN) {
    return `${name}: pattern must be at most ${LONGEST_PATTERN} characters`;
  }
  const compiled = compilePattern(pattern);
  return typeof compiled === 'string' ? `${name}: pattern is not valid: ${compiled}` : undefined;
}

function checkStrict({ name, type, strict, default: fallback }: FieldRule): string | undefined {
  if (!strict) return undefined;
  if (type !== 'Phone') return `${name}: strict is for the type Phone`;
  return fallback === undefined ? undefined : `${name}: a strict field takes no default`;
}

function checkDefault(rule: FieldRule): string[] {
  if (rule.default === undefined) return [];
  const reading = compileField(rule)(rule.default);
  return reading.kind === 'error'
    ? [`${rule.name}: the default breaks its own rule: ${reading.message}`]
    : [];
}
