/** Templates: text, or JSON, whose `{{name}}` placeholders are filled with a lead's values. No code is run. */
import type { Scalar } from '../../fields/values.js';
import { SERVICE_NAMES } from '../../fields/systemFields.js';

export type Template = Scalar | null | Template[] | { [key: string]: Template };

/** Returns the value of a placeholder; undefined when the lead has none. */
type ReadValue = (name: string) => Scalar | undefined;

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const ONE_PLACEHOLDER = /^\{\{([^{}]*)\}\}$/;

/**
 * Fills a JSON template. A text that is one placeholder becomes the value itself, of its own type, and null when
 * absent; inside other text a value is inserted as text, and an absent one is empty. Names of members stay as they are.
 */
export function fillJson(template: Template, read: ReadValue): Template {
  if (typeof template === 'string') {
    const name = ONE_PLACEHOLDER.exec(template)?.[1];
    return name === undefined ? fillText(template, read) : (read(name.trim()) ?? null);
  }
  if (Array.isArray(template)) return template.map((item) => fillJson(item, read));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template).map(([key, value]) => [key, fillJson(value, read)]),
  );
}

/** Fills a text. Values go through `escape`, the text around them does not; an absent value is empty. */
export const fillText = (
  text: string,
  read: ReadValue,
  escape: (value: string) => string = (value) => value,
): string =>
  text.replace(PLACEHOLDER, (_, name: string) => {
    const value = read(name.trim());
    return value === undefined ? '' : escape(String(value));
  });

/** Text that is safe in HTML, between tags or in a quoted attribute. */
export const escapeHtml = (value: string): string =>
  value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The names of all placeholders, each once. */
export function placeholdersOf(template: Template): string[] {
  const found = textsOf(template).flatMap((text) =>
    [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim()),
  );
  return [...new Set(found)];
}

/**
 * The place of braces that form no placeholder: `"contact.name"`, or in a text `line 2`; undefined: there are none. The
 * text itself is not returned: it may hold a receiver's key.
 */
export function brokenPlaceholder(template: Template): string | undefined {
  if (typeof template === 'string') {
    const rest = template.replace(PLACEHOLDER, (found) => found.replace(/[^\n]/g, ''));
    const at = rest.search(/\{\{|\}\}/);
    return at < 0 ? undefined : `line ${rest.slice(0, at).split('\n').length}`;
  }
  const path = brokenMember(template);
  return path && `"${path.join('.').slice(0, 100)}"`;
}

function brokenMember(template: Template): string[] | undefined {
  if (typeof template === 'string')
    return brokenPlaceholder(template) === undefined ? undefined : [];
  if (typeof template !== 'object' || template === null) return undefined;
  for (const [key, value] of Object.entries(template)) {
    const inside = brokenMember(value);
    if (inside) return [key, ...inside];
  }
  return undefined;
}

function textsOf(template: Template): string[] {
  if (typeof template === 'string') return [template];
  if (typeof template !== 'object' || template === null) return [];
  return Object.values(template).flatMap(textsOf);
}

/**
 * A JSON text whose placeholders may stand outside quotes (`{"price": {{price}}}`) as a template; null when it is
 * not JSON even then.
 */
export function parseJsonTemplate(text: string): Template | null {
  const quoted = text.replace(
    /"(?:[^"\\]|\\.)*"|\{\{([^{}"\\]*)\}\}/g,
    (found, name: string | undefined) => (name === undefined ? found : `"{{${name}}}"`),
  );
  try {
    return JSON.parse(quoted) as Template;
  } catch {
    return null;
  }
}

/** Begins the placeholders of fields outside the mapping. */
export const EXTRA = 'extra.';

/** Whether a placeholder has a value, given the names of the existing fields. */
export const isValueName = (name: string, fieldNames: readonly string[]): boolean =>
  (SERVICE_NAMES as readonly string[]).includes(name) ||
  (name.startsWith(EXTRA) && name.length > EXTRA.length) ||
  fieldNames.includes(name);
