/** The steps of a template: what a campaign needs of its leads, asked in the way that fits each field. */
import { compileField, TEXT_MAX } from '../../../fields/fieldReader.js';
import { isBlank, isCleanText } from '../../../fields/fields.js';
import type { FieldRule } from '../../../fields/fieldRule.js';
import type { Scalar } from '../../../fields/values.js';
import { chunks } from '../../../lib/chunks.js';
import { getOwn } from '../../../lib/getOwn.js';
import { FIELDS_MAX, OPTIONS_MAX } from '../blocks.js';
import type { FunnelDefinitionInput } from '../definition.js';
import { FULL_NAME, mappedNames } from '../fullName.js';
import { isNeeded } from '../neededFields.js';
import type { CommonCopy } from './english.js';

type BlockInput = FunnelDefinitionInput['blocks'][number];
type FormFieldInput = (BlockInput & { type: 'form' })['fields'][number];
type FieldOption = NonNullable<FormFieldInput['options']>[number];

const LABEL_MAX = 120;
/** Maximum fields of a form before visitors leave. */
const COMFORTABLE_FIELDS = 8;
/** Maximum such forms; more fields share them. */
const DETAIL_FORMS_MAX = 30;

/** Fields of the person: a template asks them last. */
const CONTACT = ['first_name', 'last_name', 'phone', 'email'];

/** What a campaign needs, sorted by how templates ask it. Fields with the same part are in the mapping's order. */
export interface Needs {
  contact: FormFieldInput[];
  /** Answered by choosing; first those that the campaign needs, then the others that it has. */
  choices: { rule: FieldRule; options: FieldOption[]; isNeeded: boolean }[];
  /** When a visitor wants to be called or visited: needed or not. */
  times: FieldRule[];
  /** The other fields that the campaign needs. */
  details: FieldRule[];
  hidden: Record<string, Scalar>;
}

export function needsOf(fields: readonly FieldRule[], copy: CommonCopy): Needs {
  const others = fields.filter(({ name }) => !CONTACT.includes(name) && name !== FULL_NAME);
  const whole = fields.find(({ name }) => name === FULL_NAME);
  const hidden = hiddenOf(fields);
  const times = others.filter(isTime);
  const choices = others.flatMap((rule) => {
    if (times.includes(rule)) return [];
    const options = optionsOf(rule, copy);
    const isChoice = options.length >= 2 && getOwn(hidden, rule.name) === undefined;
    return isChoice ? [{ rule, options, isNeeded: isAsked(rule) }] : [];
  });
  const details = [...(whole ? [whole] : []), ...others].filter(
    (rule) =>
      isAsked(rule) &&
      getOwn(hidden, rule.name) === undefined &&
      !times.includes(rule) &&
      !choices.some((choice) => choice.rule === rule),
  );
  const names = mappedNames(FULL_NAME, fields).length > 1 ? [FULL_NAME] : CONTACT.slice(0, 2);
  const contact = [...names, 'phone', 'email'].map((name) => {
    const rule = fields.find((one) => one.name === name);
    return rule ? entryOf(rule, copy) : { name, label: labelOf({ name }, copy) };
  });
  return {
    contact,
    choices: choices.toSorted((a, b) => Number(b.isNeeded) - Number(a.isNeeded)),
    times,
    details,
    hidden,
  };
}

/** Whether the template asks it: the campaign needs it for the lead, or for a ping before it. */
export const isAsked = (rule: FieldRule): boolean => isNeeded(rule, true);

/** Whether the field holds when a visitor wants to be called or visited. */
export const isTime = ({ name, type }: FieldRule): boolean =>
  /appointment|visit|callback|call_|schedule|preferred|slot/.test(name) &&
  ['Date', 'String', 'List of Allowed Values'].includes(type) &&
  /date|day|time|slot|appointment|schedule/.test(name);

/** Hidden: a template does not ask a visitor where the lead came from. */
function hiddenOf(fields: readonly FieldRule[]): Record<string, Scalar> {
  const source = fields.find(({ name }) => name === 'source');
  if (!source || !isAsked(source) || source.strict) return {};
  const read = compileField(source);
  const value = ['funnel', ...(source.allowed_values ?? [])].find(
    (one) => one.length <= TEXT_MAX && read(one).kind === 'value',
  );
  return value === undefined ? {} : { source: value };
}

/**
 * One form field as the mapping describes it. The form requires what only pings need, too: a page does not know pings.
 */
export function entryOf(rule: FieldRule, copy: CommonCopy): FormFieldInput {
  const options = rule.type === 'Boolean' ? [] : optionsOf(rule, copy);
  const isForPings = rule.ping_required && !isNeeded(rule, false);
  return {
    name: rule.name,
    label: labelOf(rule, copy),
    ...(isForPings ? { required: true } : {}),
    ...(options.length > 0 ? { options } : {}),
  };
}

/** Forms of the fields, as few as stay comfortable; their ids count: `details`, `details-2`. */
export function formsOf(
  id: string,
  title: { title: string; text: string },
  entries: readonly FormFieldInput[],
): BlockInput[] {
  const isMany = entries.length > COMFORTABLE_FIELDS * DETAIL_FORMS_MAX;
  return chunks(entries, isMany ? FIELDS_MAX : COMFORTABLE_FIELDS).map((fields, at) => ({
    id: at === 0 ? id : `${id}-${at + 1}`,
    type: 'form',
    title: title.title,
    text: title.text,
    fields: [...fields],
  }));
}

/** A separate question for a field that is answered by choosing. */
export const questionOf = (
  id: string,
  { rule, options, isNeeded: required }: Needs['choices'][number],
  copy: CommonCopy,
): BlockInput => ({
  id,
  type: 'quiz_step',
  title: labelOf(rule, copy),
  field: rule.name,
  required: required || rule.required,
  options: rule.type === 'Boolean' ? options.map(withEmoji) : options,
});

const withEmoji = (
  option: FieldOption,
): FieldOption & { emoji: string; icon: 'check' | 'shield' } =>
  option.value === true
    ? { ...option, emoji: '👍', icon: 'check' }
    : { ...option, emoji: '👎', icon: 'shield' };

/** Values to choose from; none where a visitor types, or where there are more than a page lists. */
function optionsOf(rule: FieldRule, copy: CommonCopy): FieldOption[] {
  if (rule.strict) return [];
  const given =
    rule.type === 'Boolean' && !rule.allowed_values
      ? [
          { value: true, label: copy.yes },
          { value: false, label: copy.no },
        ]
      : (rule.allowed_values ?? []).map((value) => ({ value, label: cut(value.trim()) }));
  if (given.length > OPTIONS_MAX) return [];
  const read = compileField(rule);
  return given.filter(
    ({ value }) => String(value).length <= TEXT_MAX && read(value).kind === 'value',
  );
}

function labelOf({ name, label }: Pick<FieldRule, 'name' | 'label'>, copy: CommonCopy): string {
  const own = getOwn(copy.labels, name);
  if (own !== undefined) return own;
  const given = label?.trim() ?? '';
  if (!isBlank(given) && isCleanText(given)) return cut(given);
  const words = name.replaceAll('_', ' ').trim();
  return isBlank(words) ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Whole characters, at most 120 units of them. */
const cut = (text: string): string =>
  text.length <= LABEL_MAX
    ? text
    : `${text.slice(0, LABEL_MAX - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
