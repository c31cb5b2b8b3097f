/** Whether the leads of a funnel are leads that its campaign accepts. */
import { compileField, type FieldReader, type FieldTools } from '../../fields/fieldReader.js';
import type { FieldRule } from '../../fields/fieldRule.js';
import type { Scalar } from '../../fields/values.js';
import type { InputFault } from '../../lib/errors.js';
import { getOwn } from '../../lib/getOwn.js';
import { didYouMean } from '../../lib/nearest.js';
import type { Problem } from '../../lib/schema/zodIssues.js';
import { askedFields, type AskedField } from './askedFields.js';
import type { FunnelDefinition } from './definition.js';
import { faultsOf } from './faults.js';
import { reachableFrom, stepsOf } from './flow.js';
import { FULL_NAME, mappedNames } from './fullName.js';
import { isNeeded } from './neededFields.js';

/**
 * Every field exists, every required one is asked on every way to the end (or hidden, or has a default), and each value
 * that a lead may carry passes the rule of its field. No problem: published leads are complete and valid as far as the
 * funnel can ensure it.
 * @param definition as `readDefinition` returns it
 * @param fields all of the campaign, those of the system included
 * @param tools what the rules need, see `compileField`
 * @param options.isPingPost whether a ping comes before each lead: then the fields that a ping needs are required, too
 */
export function checkAgainstCampaign(
  definition: FunnelDefinition,
  fields: readonly FieldRule[],
  tools: FieldTools,
  { isPingPost = false }: { isPingPost?: boolean } = {},
): InputFault[] {
  const asked = askedFields(definition.blocks);
  const readers = new Map(fields.map((rule) => [rule.name, compileField(rule, tools)]));
  const needed = fields.filter((rule) => isNeeded(rule, isPingPost));
  return faultsOf([
    ...asked.flatMap((one) => checkAsked(one, fields, readers)),
    ...checkNames(definition, asked, fields),
    ...checkHidden(definition.hidden_fields, readers),
    ...needed.flatMap((rule) => checkNeeded(rule, definition, asked, fields)),
  ]);
}

type Readers = ReadonlyMap<string, FieldReader>;

function checkAsked(asked: AskedField, fields: readonly FieldRule[], readers: Readers): Problem[] {
  const { name, path, step, entryPath, options = [] } = asked;
  const known = fields.map((rule) => rule.name);
  if (!mappedNames(name, fields).every((one) => known.includes(one))) {
    const hint = didYouMean(name, [...known, FULL_NAME]);
    const rule = `is not a field of the campaign: the block ${step.id} asks ${name}.${hint}`;
    return [{ path, code: 'not_allowed', rule }];
  }
  const read = readers.get(name);
  if (!read) {
    if (options.length === 0 && step.type === 'form') return [];
    const rule = `must be a field of the campaign to have options: in the block ${step.id}, ${name} is two of them`;
    return [{ path, code: 'not_allowed', rule }];
  }
  return options.flatMap(({ value }, at): Problem[] =>
    checkValue(value, read, [...entryPath, 'options', at, 'value'], `${name} in ${step.id}`),
  );
}

function checkValue(
  value: Scalar,
  read: FieldReader,
  path: PropertyKey[],
  subject: string,
): Problem[] {
  const reading = read(value);
  if (reading.kind === 'value') return [];
  if (reading.kind === 'absent') {
    const rule = `must be a value that the campaign keeps: ${subject} would be empty`;
    return [{ path, code: 'invalid_format', rule }];
  }
  const rule = `does not fit the campaign (${subject}): ${reading.message}`;
  return [{ path, code: reading.code, rule }];
}

/** `full_name` is the first and the last name: on one path a visitor gives either. */
function checkNames(
  definition: FunnelDefinition,
  asked: readonly AskedField[],
  fields: readonly FieldRule[],
): Problem[] {
  const steps = stepsOf(definition);
  const whole = asked.filter(({ name }) => mappedNames(name, fields).length > 1);
  const reachOf = (at: number): Set<number> => reachableFrom(steps, [at]);
  return asked.flatMap(({ name, path, step, at }): Problem[] => {
    const parts = whole.filter((one) => mappedNames(one.name, fields).includes(name));
    const meets = parts.some((one) => reachOf(one.at).has(at) || reachOf(at).has(one.at));
    if (!meets) return [];
    const rule = `must be left out where ${FULL_NAME} is asked: the block ${step.id} asks ${name}, which is a part of it`;
    return [{ path, code: 'not_allowed', rule }];
  });
}

const checkHidden = (hidden: FunnelDefinition['hidden_fields'], readers: Readers): Problem[] =>
  Object.entries(hidden).flatMap(([name, value]): Problem[] => {
    const path = ['hidden_fields', name];
    const read = readers.get(name);
    if (read) return checkValue(value, read, path, name);
    const rule = `is not a field of the campaign.${didYouMean(name, [...readers.keys()])}`;
    return [{ path, code: 'not_allowed', rule }];
  });

function checkNeeded(
  { name }: FieldRule,
  definition: FunnelDefinition,
  asked: readonly AskedField[],
  fields: readonly FieldRule[],
): Problem[] {
  if (getOwn(definition.hidden_fields, name) !== undefined) return [];
  const asking = asked.filter((one) => mappedNames(one.name, fields).includes(name));
  const lax = asking.filter(({ step, required }) => step.type === 'quiz_step' && !required);
  const problems = lax.map(({ entryPath, step }): Problem => {
    const rule = `must be true: the campaign requires ${name}, which the block ${step.id} asks`;
    return { path: [...entryPath, 'required'], code: 'not_allowed', rule };
  });
  const steps = stepsOf(definition);
  const isAsking = (at: number): boolean => asking.some((one) => one.at === at);
  const last = steps.length - 1;
  const reached = reachableFrom(steps, [0], (step) => !isAsking(steps.indexOf(step)));
  if (!reached.has(last) || isAsking(last)) return problems;
  const form = steps[last];
  const place = definition.blocks.findIndex((block) => block === form);
  const path = ['blocks', place, 'fields'];
  const what =
    asking.length === 0
      ? `the campaign requires it, and no block asks it`
      : `the campaign requires it, and some answers lead past ${asking.map(({ step }) => step.id).join(', ')}`;
  const rule = `must ask ${name}: ${what}; ask it in the form ${form?.id ?? ''}, or set it in hidden_fields`;
  return [...problems, { path, code: 'required', rule }];
}
