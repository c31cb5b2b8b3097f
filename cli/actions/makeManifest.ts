/** Makes the list of commands from the registry, by the schemas of each action. */
import { z } from 'zod';
import type { Action } from '../../src/api/actions/action.js';
import type { CommandEntry, Flag, FlagKind } from './manifest.js';
import { addSamples } from './samples.js';
import { columnsFor, type RowPart } from './worth.js';
import { getOwn } from '../../src/lib/getOwn.js';

/** The used part of JSON Schema, as zod writes it. */
interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  /** Several for a value that may be null and has no description of its own. */
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  default?: unknown;
  examples?: unknown[];
  maximum?: number;
  writeOnly?: boolean;
}

export const makeManifest = (registry: readonly Action[]): CommandEntry[] =>
  addSamples(registry.map(entryOf));

function entryOf(action: Action): CommandEntry {
  const { name, cli, summary, description, effect, idempotent, permission, example } = action;
  const input: Schema = z.toJSONSchema(action.input, { io: 'input' }) as Schema;
  const output: Schema = z.toJSONSchema(action.output) as Schema;
  const flags = Object.entries(input.properties ?? {}).map(([key, schema]) =>
    flagOf(key, schema, input),
  );
  const isPaged = ['limit', 'cursor'].every((key) => flags.some((flag) => flag.key === key));
  const rows = action.rows ?? rowsOf(output);
  const row = rows === '' ? output : rows === null ? undefined : getOwn(output.properties, rows);
  const shape = resolve(row ? (row.items ?? {}) : output, output);
  return {
    name,
    cli,
    summary,
    description,
    effect,
    idempotent,
    permission,
    paged: isPaged && rows !== null,
    rows,
    fields: Object.keys(shape.properties ?? {}),
    // Rows whose parts the caller chooses have no columns of their own.
    columns:
      rows === null || !shape.properties ? undefined : columnsFor(name, partsOf(shape, output)),
    flags,
    example,
  };
}

const partsOf = (row: Schema, root: Schema): RowPart[] =>
  Object.entries(row.properties ?? {}).map(([key, schema]) => ({
    key,
    isPlain: optionsOf(schema, root).options.every(({ type, enum: words }) =>
      words !== undefined ? true : type !== 'array' && type !== 'object' && type !== undefined,
    ),
  }));

/** A list is an array, or the only array next to the cursor of the next page. */
function rowsOf(output: Schema): string | null {
  if (output.type === 'array') return '';
  const properties = output.properties ?? {};
  if (!properties.next_cursor) return null;
  const arrays = Object.keys(properties).filter((key) =>
    takesArray(getOwn(properties, key), output),
  );
  return arrays.length === 1 ? (arrays[0] ?? null) : null;
}

const takesArray = (schema: Schema | undefined, root: Schema): boolean =>
  schema !== undefined && optionsOf(schema, root).options.some(({ type }) => type === 'array');

function flagOf(key: string, given: Schema, root: Schema): Flag {
  const { options, nullable } = optionsOf(given, root);
  const [only] = options;
  const inner = options.length === 1 && only ? only : undefined;
  const choices = inner?.enum ?? inner?.items?.enum;
  const maximum = inner?.maximum;
  return {
    key,
    kind: kindOf(options),
    required: (root.required ?? []).includes(key),
    nullable,
    description: given.description ?? inner?.description ?? '',
    choices: choices?.map(String),
    default: given.default,
    maximum: maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum,
    sample: sampleOf(given, root),
    secret: inner?.writeOnly === true || given.writeOnly === true ? true : undefined,
  };
}

/** The example of a schema, or of one of its alternatives; of an object without one, the examples of all its parts. */
function sampleOf(given: Schema, root: Schema): unknown {
  const { examples, anyOf = [], properties = {} } = resolve(given, root);
  if (examples) return examples[0];
  const ofAlternative = anyOf.map((one) => sampleOf(one, root)).find((one) => one !== undefined);
  const parts = Object.entries(properties).map(([key, part]) => [key, part.examples?.[0]]);
  const isWhole = parts.length > 0 && parts.every(([, example]) => example !== undefined);
  return ofAlternative ?? (isWhole ? Object.fromEntries(parts) : undefined);
}

/** The types of a value other than null; nested unions are flattened. */
function optionsOf(given: Schema, root: Schema): { options: Schema[]; nullable: boolean } {
  const schema = resolve(given, root);
  if (Array.isArray(schema.type)) {
    const parts = schema.type.map((type) => ({ ...schema, type }));
    return optionsOf({ ...schema, type: undefined, anyOf: parts }, root);
  }
  if (!schema.anyOf) return { options: [schema], nullable: schema.type === 'null' };
  const parts = schema.anyOf.map((part) => optionsOf(part, root));
  const options = parts.flatMap((part) => part.options).filter(({ type }) => type !== 'null');
  return { options, nullable: parts.some(({ nullable }) => nullable) };
}

function resolve(schema: Schema, root: Schema): Schema {
  const name = schema.$ref?.replace('#/$defs/', '');
  return name === undefined ? schema : { ...getOwn(root.$defs, name), ...schema, $ref: undefined };
}

const isAnything = (schema: Schema | undefined): boolean =>
  schema !== undefined && !schema.type && !schema.enum && !schema.anyOf;

function kindOf(options: readonly Schema[]): FlagKind {
  const kinds = new Set(options.map(plainKind));
  const [only] = kinds;
  if (kinds.size === 1 && only) return only;
  if (kinds.size === 2 && kinds.has('text') && kinds.has('texts')) return 'texts';
  return kinds.has('text') || kinds.has('texts') || kinds.has('any') ? 'any' : 'json';
}

function plainKind(schema: Schema): FlagKind {
  const { type, items } = schema;
  if (isAnything(schema)) return 'any';
  if (type === 'integer' || type === 'number' || type === 'boolean') return type;
  if (type === 'string' || schema.enum) return 'text';
  if (type !== 'array') return 'json';
  if (items?.type === 'string') return 'texts';
  return items?.type === 'number' || items?.type === 'integer' ? 'numbers' : 'json';
}
