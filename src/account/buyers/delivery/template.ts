import { isValueName, SERVICE_NAMES } from '../../rules/templateNames.js';
import { nearest } from '../../../lib/nearest.js';
import { brokenPlaceholder, parseJsonTemplate, placeholdersOf } from '../../rules/template.js';
import type { Template } from '../../rules/template.js';
import type { SettingReader } from './reader.js';

const LENGTH = 65_536;
const DEPTH = 20;
const PLACEHOLDERS = 500;

/** A webhook's body: JSON, or a flat object for a form. Text is read as what it writes. Null: none is given. */
export function readBodyTemplate(
  read: SettingReader,
  format: 'json' | 'form',
  fieldNames: readonly string[],
): Template | null {
  const given = read.given('template');
  if (given === undefined) return null;
  const parsed =
    typeof given !== 'string'
      ? given
      : format === 'json'
        ? parseJsonTemplate(given)
        : parseForm(given);
  if (typeof parsed !== 'object' || parsed === null) {
    read.problem('template', 'invalid_format', 'must be a JSON object or array, or its text.');
    return null;
  }
  if (depthOf(parsed, DEPTH + 1) > DEPTH) {
    read.problem('template', 'too_long', `must be nested at most ${DEPTH} deep.`);
    return null;
  }
  if (JSON.stringify(parsed).length > LENGTH) {
    read.problem('template', 'too_long', `must have at most ${LENGTH} characters.`);
    return null;
  }
  const template = parsed as Template;
  if (format === 'form' && !isFlat(template)) {
    read.problem(
      'template',
      'invalid_format',
      'of a form must be an object of single values or lists of them.',
    );
  }
  checkPlaceholders(read, 'template', template, fieldNames);
  return template;
}

/** A text with placeholders; null when none is given. */
export function readTextTemplate(
  read: SettingReader,
  key: string,
  limit: number,
  fieldNames: readonly string[],
): string | null {
  const text = read.text(key, limit);
  if (text !== null) checkPlaceholders(read, key, text, fieldNames);
  return text;
}

function checkPlaceholders(
  read: SettingReader,
  key: string,
  template: Template,
  fieldNames: readonly string[],
): void {
  const broken = brokenPlaceholder(template);
  if (broken !== undefined) {
    const shown = broken.slice(0, 60);
    read.problem(key, 'invalid_format', `has braces that are no {{placeholder}}: "${shown}".`);
  }
  const names = placeholdersOf(template);
  if (names.length > PLACEHOLDERS) {
    read.problem(key, 'too_long', `must name at most ${PLACEHOLDERS} values.`);
  }
  checkNames(read, key, names, fieldNames);
}

/** Notes each name that stands for no value, with the nearest that does. */
export function checkNames(
  read: SettingReader,
  key: string,
  names: readonly string[],
  fieldNames: readonly string[],
): void {
  for (const name of names.filter((one) => !isValueName(one, fieldNames))) {
    const near = nearest(name, [...SERVICE_NAMES, ...fieldNames]);
    const hint = near === undefined ? '' : ` Did you mean ${near}?`;
    read.problem(
      key,
      'not_allowed',
      `names "${name}", which is no field of a campaign.${hint} Values outside the mapping are extra.name.`,
    );
  }
}

/** `a=1&b={{phone}}` as an object. */
function parseForm(text: string): Template | null {
  const pairs = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    pairs.set(name, [...(pairs.get(name) ?? []), value]);
  }
  if (pairs.size === 0 || [...pairs.keys()].includes('')) return null;
  return Object.fromEntries(
    [...pairs].map(([name, [first = '', ...more]]) => [
      name,
      more.length > 0 ? [first, ...more] : first,
    ]),
  );
}

const isFlat = (template: Template): boolean =>
  !Array.isArray(template) &&
  typeof template === 'object' &&
  template !== null &&
  Object.values(template).every((value) =>
    [value].flat().every((one) => typeof one !== 'object' || one === null),
  );

/** How deep a value is nested, as far as `most`. */
function depthOf(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null || most === 0) return 0;
  return 1 + Math.max(0, ...Object.values(value).map((one) => depthOf(one, most - 1)));
}
