/** The field mapping of a campaign applied to a request: what a lead's fields are, or everything wrong with them. */
import type { FieldError } from '../lib/errors.js';
import {
  compileField,
  readScalar,
  type FieldReader,
  type FieldTools,
  type Reading,
} from './fieldReader.js';
import { isCleanText } from './fields.js';
import type { Fields, Scalar } from './values.js';
import type { FieldRule } from './fieldRule.js';
import { IDENTITY_FIELDS, SYSTEM_FIELDS } from './systemFields.js';
import { getOwn } from '../lib/getOwn.js';

export { checkFieldRules } from './checkFieldRules.js';
export { SYSTEM_FIELDS };

export type MappingResult =
  { ok: true; fields: Fields; extra: Fields } | { ok: false; errors: FieldError[] };
export type LeadMapper = (body: Record<string, unknown>) => MappingResult;

/** Keys of the request that steer it and are no fields (contract 2.3). */
export const CONTROL_FIELDS: readonly string[] = [
  'flo_campaign_id',
  'flo_supplier_id',
  'flo_ping_id',
  'flo_buyer_id',
  'test_lead',
];

const EXTRA_KEYS_MAX = 100;
const EXTRA_KEY_MAX = 500;
/** As much as a mapped field can be given: a consent text, an address with all its parameters. */
const EXTRA_TEXT_MAX = 10_000;
/** A longer name is cut where a refusal shows it. */
const SHOWN_MAX = 100;
/** Maximum problems listed for unmapped fields, in addition to those of mapped fields. */
const EXTRA_ERRORS_MAX = 100;

/**
 * Compiles a campaign's whole mapping (system and custom fields) once, for many leads. The identity fields
 * are required whatever the rules say (contract 2.3), and are checked even when the rules leave them out.
 * @param tools what the rules need, see `compileField`
 * @throws {Error} when a pattern does not compile, or a tool is missing
 */
export function compileMapping(rules: readonly FieldRule[], tools: FieldTools = {}): LeadMapper {
  return compileReading(rules, 'A lead', (rule) => mapped(rule, tools));
}

/** One field of a mapping, read as the kind of request asks. */
export interface NamedReader {
  name: string;
  read: FieldReader;
}

/**
 * Reads bodies field by field: the rules' own and those identity fields that they leave out, then what is not mapped.
 * @param subject whose body it is, such as "A lead"
 */
export function compileReading(
  rules: readonly FieldRule[],
  subject: string,
  readerOf: (rule: FieldRule) => NamedReader,
): LeadMapper {
  const named = new Set(rules.map((rule) => rule.name));
  const missing = SYSTEM_FIELDS.filter(
    ({ name }) => IDENTITY_FIELDS.includes(name) && !named.has(name),
  );
  const readers = [...missing, ...rules].map(readerOf);
  const known = new Set([...CONTROL_FIELDS, ...readers.map(({ name }) => name)]);
  return (body) => {
    const errors: FieldError[] = [];
    const fields: [string, Scalar][] = [];
    const extensions: [string, Scalar][] = [];
    for (const { name, read } of readers) {
      const reading = read(getOwn(body, name));
      if (reading.kind === 'value') {
        fields.push([name, reading.value]);
        if (reading.extension !== undefined) extensions.push([`${name}_ext`, reading.extension]);
      }
      if (reading.kind === 'error') errors.push(fieldError(name, reading));
    }
    const extra = readExtra(body, known, subject);
    errors.push(...extra.errors);
    if (errors.length > 0) return { ok: false, errors };
    return {
      ok: true,
      fields: Object.fromEntries(fields),
      // An extension that is mapped as a field stays as it was sent.
      extra: Object.fromEntries([...extensions, ...extra.values]),
    };
  };
}

function mapped(rule: FieldRule, tools: FieldTools): NamedReader {
  const read = compileField(rule, tools);
  const isIdentity = IDENTITY_FIELDS.includes(rule.name);
  // A default would invent a person. New rules cannot have one for these fields; stored ones may.
  const fallback = read(isIdentity ? undefined : rule.default);
  const required = rule.required || isIdentity;
  const missing = missingField(rule, 'is required for this campaign');
  const instead = fallback.kind === 'value' ? fallback : required ? missing : undefined;
  return { name: rule.name, read: orInstead(read, instead) };
}

/** @param problem completes the sentence that begins with the field */
export const missingField = ({ label, name }: FieldRule, problem: string): Reading => ({
  kind: 'error',
  code: 'required',
  message: `${label ?? name} ${problem}`,
});

/** The other reading when the value is absent. */
export const orInstead =
  (read: FieldReader, instead: Reading | undefined): FieldReader =>
  (raw) => {
    const reading = read(raw);
    return reading.kind === 'absent' ? (instead ?? reading) : reading;
  };

/** Fields outside the mapping, as they came (contract 2.3). */
function readExtra(
  body: Record<string, unknown>,
  known: ReadonlySet<string>,
  subject: string,
): { values: [string, Scalar][]; errors: FieldError[] } {
  const values: [string, Scalar][] = [];
  const errors: FieldError[] = [];
  for (const name of Object.keys(body)) {
    if (known.has(name)) continue;
    const reading = readUnmapped(name, getOwn(body, name));
    if (reading.kind === 'value') values.push([name, reading.value]);
    if (reading.kind === 'error') errors.push(fieldError(name, reading));
    if (errors.length === EXTRA_ERRORS_MAX) break;
  }
  const over = values[EXTRA_KEYS_MAX]?.[0];
  if (over !== undefined) {
    const message = `${subject} may have at most ${EXTRA_KEYS_MAX} fields outside the field mapping; this one has more`;
    errors.push({ field: shown(over), code: 'not_allowed', message });
  }
  return { values, errors };
}

function readUnmapped(name: string, raw: unknown): Reading {
  const reading = readScalar(raw, shown(name), { limit: EXTRA_TEXT_MAX });
  if (reading.kind === 'absent') return reading;
  const message = nameProblem(name);
  return message === undefined ? reading : { kind: 'error', code: 'not_allowed', message };
}

function nameProblem(name: string): string | undefined {
  if (name === '') return 'A field must have a name';
  if (name.length > EXTRA_KEY_MAX) {
    return `A field name must be at most ${EXTRA_KEY_MAX} characters`;
  }
  if (!isCleanText(name)) return 'A field name must not contain NUL or broken characters';
  return undefined;
}

const shown = (name: string): string =>
  name.length > SHOWN_MAX ? `${name.slice(0, SHOWN_MAX)}…` : name;

const fieldError = (name: string, { code, message }: Reading & { kind: 'error' }): FieldError => ({
  field: shown(name),
  code,
  message,
});
