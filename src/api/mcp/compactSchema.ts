/**
 * The input of an action in few words. An assistant reads all of them at once, so each key has its kind, its words and an
 * example where it is deep; `describe_action` has the rest. Each step here leaves something out that would refuse a value, so
 * an abbreviated schema accepts whatever the full one accepts.
 */
import type { JsonObject } from '../../lib/jsonSchema.js';
import { getOwn } from '../../lib/getOwn.js';
import { hintOf, someOf } from './brief.js';
import { besideNull, kindsOf, optionsOf } from './schemaKinds.js';

/** Characters of a list of words; of a longer one some are named. */
const WORDS_MAX = 160;

/**
 * @param schema of an action's whole input
 * @param example an input that fits it
 * @param known keys that need no text of their own
 */
export function compactInput(
  { properties = {}, required = [] }: JsonObject,
  example: JsonObject,
  known: ReadonlySet<string>,
): JsonObject {
  const keys = Object.entries(properties as Record<string, JsonObject>).map(([key, schema]) => {
    const { type, ...rest } = compactValue(schema, getOwn(example, key));
    const text = known.has(key) || rest.enum ? undefined : hintOf(schema.description);
    return [key, { type, description: text, ...rest }];
  });
  const needed = required as string[];
  return {
    type: 'object',
    properties: Object.fromEntries(keys) as JsonObject,
    required: needed.length > 0 ? needed : undefined,
  };
}

function compactValue(schema: JsonObject, example: unknown): JsonObject {
  const shallow = withoutInside(schema);
  if (!isDeep(schema)) return shallow;
  const shown = example ?? exampleOf(schema);
  return { ...shallow, ...(shown === undefined ? {} : { examples: [shown] }) };
}

/** The kind of a value, the words that it may be, and the kind of its items. */
function withoutInside(schema: JsonObject): JsonObject {
  const kinds = kindsOf(schema);
  if (!kinds) return {};
  const types = [...kinds].filter((kind) => kind !== 'integer' || !kinds.has('number'));
  return {
    type: types.length === 1 ? types[0] : types,
    ...shortWords(schema),
    // Some hosts refuse all tools because of one list without it.
    ...(kinds.has('array') && { items: itemsOf(schema) }),
  };
}

/** Lists and objects whose inside the kind alone does not tell. */
function isDeep(schema: JsonObject): boolean {
  const kinds = kindsOf(schema);
  if (!kinds || kinds.has('object')) return true;
  return (
    kinds.has('array') && ['object', 'array', undefined].includes(itemsOf(schema).type as string)
  );
}

function itemsOf(schema: JsonObject): JsonObject {
  const { items } = besideNull(schema);
  return isSchema(items) ? withoutInside(items) : {};
}

function shortWords(schema: JsonObject): JsonObject {
  const words = wordsOf(schema);
  if (!words) return {};
  const isShort = JSON.stringify(words).length <= WORDS_MAX;
  return isShort ? { enum: words } : { description: someOf(words) };
}

/** Every value that fits, where there are only some; undefined otherwise. */
function wordsOf(schema: JsonObject): unknown[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum as unknown[];
  if ('const' in schema) return [schema.const];
  if (schema.type === 'null') return [null];
  const words = optionsOf(schema)?.map(wordsOf);
  return words?.every((one) => one !== undefined) ? words.flat() : undefined;
}

/** The example that a schema, or one of its options, has. */
function exampleOf(schema: JsonObject): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0];
  return optionsOf(schema)
    ?.map(exampleOf)
    .find((one) => one !== undefined);
}

const isSchema = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
