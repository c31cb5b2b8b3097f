/** In the input of an action, null means "not given" (`src/api/actions/normalizeInput.ts`): the document shows it. */
import type { JsonObject } from '../../lib/jsonSchema.js';

/** The schema of an input, with null where a key may be left out. As `normalizeInput` does, it leaves unions alone. */
export function withNulls(schema: JsonObject): JsonObject {
  const { properties, items, required = [], anyOf } = schema;
  if (isNullable(anyOf)) {
    return { ...schema, anyOf: anyOf.map((one) => (isNull(one) ? one : withNulls(one))) };
  }
  if (isObject(items)) return { ...schema, items: withNulls(items) };
  if (!isObject(properties)) return schema;
  const entries = Object.entries(properties as Record<string, JsonObject>).map(([key, inner]) => {
    const isNeeded = (required as string[]).includes(key);
    return [key, isNeeded ? withNulls(inner) : orNull(withNulls(inner))];
  });
  return { ...schema, properties: Object.fromEntries(entries) as JsonObject };
}

function orNull(schema: JsonObject): JsonObject {
  const { type, enum: words, anyOf, ...notes } = schema;
  if (Array.isArray(anyOf)) {
    return anyOf.some(isNull) ? schema : { ...schema, anyOf: [...(anyOf as unknown[]), NULL] };
  }
  if (type === undefined) return schema;
  // A list of words stays the list that it is elsewhere.
  if (Array.isArray(words)) return { ...notes, anyOf: [{ type, enum: words }, NULL] };
  const types = [type].flat();
  return { ...schema, type: types.includes('null') ? types : [...types, 'null'] };
}

const NULL = { type: 'null' };

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNull = (schema: unknown): boolean => isObject(schema) && schema.type === 'null';

/** zod's form of a type that may be null. */
const isNullable = (anyOf: unknown): anyOf is JsonObject[] =>
  Array.isArray(anyOf) && anyOf.length === 2 && anyOf.some(isNull);
