/** Templates and columns of a delivery: what they may name depends on the account's fields. */
import { SERVICE_NAMES } from '../../../fields/systemFields.js';
import { didYouMean } from '../../../lib/nearest.js';
import { type Problem } from '../../../lib/schema/zodIssues.js';
import {
  brokenPlaceholder,
  parseJsonTemplate,
  placeholdersOf,
  isValueName,
  type Template,
} from '../../rules/template.js';

const LENGTH_MAX = 65_536;
const DEPTH_MAX = 20;
const PLACEHOLDERS_MAX = 500;

/**
 * A webhook's body: JSON, or a flat object for a form. Text is parsed into what it encodes. This is checked by hand:
 * how the text is parsed depends on another setting, and its size is that of the whole.
 * @returns null where it has a problem
 */
export function readBodyTemplate(
  given: unknown,
  format: 'json' | 'form',
  fieldNames: readonly string[],
): { template: Template | null; problems: Problem[] } {
  const parsed =
    typeof given !== 'string'
      ? given
      : format === 'json'
        ? parseJsonTemplate(given)
        : parseForm(given);
  const problem = shapeProblem(parsed);
  if (problem) return { template: null, problems: [problem] };
  const template = parsed as Template;
  const form = 'of a form must be an object of single values or lists of them';
  const flat: Problem[] =
    format === 'form' && !isFlat(template)
      ? [{ path: ['template'], code: 'invalid_format', rule: form }]
      : [];
  return {
    template,
    problems: [...flat, ...placeholderProblems('template', template, fieldNames)],
  };
}

function shapeProblem(parsed: unknown): Problem | null {
  const path = ['template'];
  if (typeof parsed !== 'object' || parsed === null) {
    const rule = 'must be a JSON object or array, or its text';
    return { path, code: 'invalid_format', rule };
  }
  if (depthOf(parsed, DEPTH_MAX + 1) > DEPTH_MAX)
    return { path, code: 'too_long', rule: `must be nested at most ${DEPTH_MAX} deep` };
  if (JSON.stringify(parsed).length > LENGTH_MAX)
    return { path, code: 'too_long', rule: `must have at most ${LENGTH_MAX} characters` };
  return null;
}

/** Problems of a template's placeholders. A broken one is reported by its place alone: its text may be a key. */
export function placeholderProblems(
  key: string,
  template: Template,
  fieldNames: readonly string[],
): Problem[] {
  const problems: Problem[] = [];
  const broken = brokenPlaceholder(template);
  if (broken !== undefined) {
    const rule = `has braces that are not a {{placeholder}}, in ${broken}`;
    problems.push({ path: [key], code: 'invalid_format', rule });
  }
  const names = placeholdersOf(template);
  if (names.length > PLACEHOLDERS_MAX) {
    const rule = `must name at most ${PLACEHOLDERS_MAX} values`;
    problems.push({ path: [key], code: 'too_long', rule });
  }
  return [...problems, ...nameProblems(key, names, fieldNames)];
}

/** Each name that no value has, with the nearest one that does. */
export function nameProblems(
  key: string,
  names: readonly string[],
  fieldNames: readonly string[],
): Problem[] {
  const known = [...SERVICE_NAMES, ...fieldNames];
  return names
    .filter((name) => !isValueName(name, fieldNames))
    .map((name) => ({
      path: [key],
      code: 'not_allowed',
      rule:
        `names "${name}", which is not a field of a campaign.${didYouMean(name, known)} Values outside the mapping ` +
        'are extra.name',
    }));
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

/** Nesting depth of a value, counted up to `most`. */
function depthOf(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null || most === 0) return 0;
  return 1 + Math.max(0, ...Object.values(value).map((one) => depthOf(one, most - 1)));
}
