/** What a JSON Schema says of a value as a whole, before anything inside it is looked at. */
import type { JsonObject } from '../../lib/jsonSchema.js';

/** The JSON types that a value may have; undefined: any, or the schema does not say. */
export function kindsOf(schema: JsonObject): ReadonlySet<string> | undefined {
  const { type, enum: words } = schema;
  if (type !== undefined) return new Set([type].flat() as string[]);
  if (Array.isArray(words)) return new Set(words.map(kindOfValue));
  if ('const' in schema) return new Set([kindOfValue(schema.const)]);
  const options = optionsOf(schema);
  if (!options) return undefined;
  const kinds = options.map(kindsOf).filter((one) => one !== undefined);
  return kinds.length === options.length ? new Set(kinds.flatMap((one) => [...one])) : undefined;
}

/** The schemas of which a value fits one; undefined where the schema is no such choice. */
export function optionsOf({ anyOf, oneOf }: JsonObject): JsonObject[] | undefined {
  const options = anyOf ?? oneOf;
  return Array.isArray(options) ? (options as JsonObject[]) : undefined;
}

/** The schema itself, or what it is where it is not null. */
export function besideNull(schema: JsonObject): JsonObject {
  const others = optionsOf(schema)?.filter(({ type }) => type !== 'null');
  return others?.length === 1 && others[0] ? besideNull(others[0]) : schema;
}

function kindOfValue(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
