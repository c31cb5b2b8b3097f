/** Turns a buyer's value of a field into the keys by which leads are found. */
import { lookupKeysOf } from '../../leads/rules/dedupe.js';
import { compileField } from '../../fields/fieldReader.js';
import type { Scalar } from '../../fields/values.js';
import type { FieldRule } from '../../fields/fieldRule.js';

/**
 * The value in the form in which ingest would have stored it: read by the type of the field, its transforms, and the
 * spelling of its allowed values. The limits of the field do not matter: it may have had others when the lead arrived.
 * None for a value that no such field can have.
 */
export function matchKeys(rule: FieldRule, value: Scalar): string[] {
  const { name, type, transforms, allowed_values, max_length } = rule;
  const lenient: FieldRule = {
    name,
    type,
    required: false,
    ping_required: false,
    transforms,
    max_length,
  };
  const spelled = allowed_values ? compileField({ ...lenient, allowed_values })(value) : null;
  const reading = spelled?.kind === 'value' ? spelled : compileField(lenient)(value);
  return reading.kind === 'value' ? lookupKeysOf(name, reading.value) : [];
}
