/** Arguments that a client sends as text although an object or a list is wanted: some send every deep value that way. */
import { getOwn } from '../../lib/getOwn.js';
import type { JsonObject } from '../../lib/jsonSchema.js';
import { jsonInText } from '../http/parseBody.js';
import { isObject } from './message.js';
import { besideNull, kindsOf } from './schemaKinds.js';

/**
 * The value with each text read as JSON where its schema wants an object or a list and no text. A text that is no such JSON
 * stays as it is, and is refused where the input is checked.
 * @param schema JSON Schema of the value
 */
export function readTexts(schema: JsonObject, value: unknown): unknown {
  const read = typeof value === 'string' && wantsParts(schema) ? partsIn(value) : value;
  const { properties, items } = besideNull(schema);
  if (Array.isArray(read)) return isObject(items) ? read.map((one) => readTexts(items, one)) : read;
  if (!isObject(read) || !isObject(properties)) return read;
  const entries = Object.entries(read).map(([key, inner]) => {
    const known = getOwn(properties, key) ?? getOwn(properties, snakeCase(key));
    return [key, isObject(known) ? readTexts(known, inner) : inner];
  });
  return Object.fromEntries(entries);
}

function wantsParts(schema: JsonObject): boolean {
  const kinds = kindsOf(schema);
  return kinds !== undefined && !kinds.has('string') && (kinds.has('object') || kinds.has('array'));
}

function partsIn(text: string): unknown {
  const value = jsonInText(text);
  return typeof value === 'object' && value !== null ? value : text;
}

/** Keys may also be in camelCase (contract 1.2). */
const snakeCase = (key: string): string =>
  key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
