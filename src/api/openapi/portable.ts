/**
 * The document in the shapes that client generators read. Each rule keeps every value valid that was valid before; the
 * generators are tried in `test/contract/generators`.
 */
import type { JsonObject } from '../../lib/jsonSchema.js';

/** What these keys hold is not a schema, so it stays as it is. */
const VALUES = new Set(['default', 'const', 'enum', 'example', 'examples', 'required', 'security']);
/** What these hold are schemas (or other parts) by names that anyone may choose. */
const BY_NAME = new Set(['properties', 'schemas', 'responses', 'headers']);

/** @param part the document, or any part of it */
export function portable(part: JsonObject): JsonObject {
  const entries = Object.entries(part).map(([key, value]) => [key, portableValue(key, value)]);
  const whole = Object.fromEntries(entries) as JsonObject;
  return withNamedWords(withPlainDefault(withPlainBoolean(withPlainChoice(whole))));
}

function portableValue(key: string, value: unknown): unknown {
  if (VALUES.has(key)) return value;
  if (Array.isArray(value)) return value.map(portableOne);
  if (!isObject(value)) return value;
  if (!BY_NAME.has(key)) return portable(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, portableOne(one)]));
}

const portableOne = (one: unknown): unknown => (isObject(one) ? portable(one) : one);

/**
 * A boolean of one value is a boolean: generators write such a constant as a word, `'true'`, and refuse `true`. Its
 * description says which value it has.
 */
function withPlainBoolean(schema: JsonObject): JsonObject {
  const { const: only, enum: words, ...rest } = schema;
  const value: unknown = Array.isArray(words) && words.length === 1 ? words[0] : only;
  if (typeof value !== 'boolean') return schema;
  return { description: `Always ${String(value)}`, ...rest, type: 'boolean' };
}

/** A choice of which one takes anything is no choice. */
function withPlainChoice(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  const isOpen = (one: unknown): boolean => isObject(one) && Object.keys(one).length === 0;
  return Array.isArray(anyOf) && anyOf.some(isOpen) ? rest : schema;
}

/** Generators cannot write an object or a list as a default; the description of the key says what is absent. */
function withPlainDefault(schema: JsonObject): JsonObject {
  const { default: usual, ...rest } = schema;
  return typeof usual === 'object' && usual !== null ? rest : schema;
}

/**
 * Generators name the members of an enum by their values in upper case, and stop where two have one name. There the names
 * are given.
 */
function withNamedWords(schema: JsonObject): JsonObject {
  const all: unknown[] = Array.isArray(schema.enum) ? schema.enum : [];
  const words = all.filter((one) => typeof one === 'string');
  const given = new Set(words.map(upper));
  if (given.size === words.length) return schema;
  const names = words.map((word) =>
    words.some((other) => other !== word && upper(other) === upper(word)) && word !== upper(word)
      ? `LOWERCASE_${upper(word)}`
      : upper(word),
  );
  return { ...schema, 'x-enum-varnames': names };
}

const upper = (word: string): string => word.toUpperCase();

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
