/** The schema of a change to settings, made from the schema of the settings. */
import { z } from 'zod';
import { withoutKeys } from '../defined.js';
import { jsonSchema, type JsonObject } from '../jsonSchema.js';
import { getOwn } from '../getOwn.js';

type Settings = z.ZodObject | z.ZodDiscriminatedUnion<readonly z.ZodObject[]>;
type KeyOf<T> = T extends unknown ? keyof T : never;
type ValueOf<T, K extends PropertyKey> = T extends unknown
  ? K extends keyof T
    ? T[K]
    : never
  : never;

/** Every setting of any kind; null resets it to its default, and an absent one stays. */
type PatchShape<S extends Settings> = {
  [K in KeyOf<z.input<S>> & string]: z.ZodOptional<
    z.ZodNullable<z.ZodType<Given<S, K>, Given<S, K>>>
  >;
};
type Given<S extends Settings, K extends PropertyKey> = Exclude<
  ValueOf<z.input<S>, K>,
  null | undefined
>;

/**
 * A flat object with every setting of a schema, or of each schema of a union: what MCP tools and command-line flags are
 * made from. It publishes the bounds of each setting, and checks no more than their kinds. The values are checked where
 * the patch is laid over the current settings and parsed by `schema`: it reports every problem at once, by the names of
 * the settings.
 * @param schema strict objects, or a union of them, whose settings have descriptions; in a patch, one that not every
 * object has begins with the names of those that have it
 */
export function patchOf<S extends Settings>(schema: S): z.ZodObject<PatchShape<S>, z.core.$strict> {
  const parts = partsOf(schema);
  const keys = new Set(parts.flatMap(({ shape }) => Object.keys(shape)));
  const shape = [...keys].map((key) => [key, fieldOf(key, parts)]);
  return z.strictObject(Object.fromEntries(shape) as PatchShape<S>);
}

interface Part {
  /** The value of the discriminator; empty for a single object. */
  name: string;
  shape: Record<string, z.ZodType | undefined>;
}

function partsOf(schema: Settings): Part[] {
  if (schema instanceof z.ZodObject) return [{ name: '', shape: schema.shape }];
  const { discriminator } = schema.def;
  return schema.options.map(({ shape }) => {
    const name: unknown = getOwn(shape as Record<string, unknown>, discriminator);
    return { name: name instanceof z.ZodLiteral ? String(name.value) : '', shape };
  });
}

function fieldOf(key: string, parts: readonly Part[]): z.ZodType {
  const having = parts.flatMap(({ name, shape }) => {
    const schema = getOwn(shape, key);
    return schema ? [{ name, schema }] : [];
  });
  const field = oneOf(having.map(({ schema }) => schema));
  const description = descriptionOf(having, parts.length);
  // A field that accepts anything publishes nothing.
  const isAnything = field instanceof z.ZodUnknown;
  return described((isAnything ? field : field.nullable()).optional(), description);
}

/** One setting from those of the same name in several objects. */
function oneOf(schemas: readonly z.ZodType[]): z.ZodType {
  const inner = schemas.map(unwrapped);
  const words = inner.flatMap((one) =>
    one instanceof z.ZodEnum ? one.options : one instanceof z.ZodLiteral ? [...one.values] : [],
  );
  if (words.length >= inner.length && words.every((word) => typeof word === 'string'))
    return z.enum([...new Set(words)]);
  const [first = z.unknown(), ...others] = inner;
  const published = JSON.stringify(publishedOf(first));
  const isSame = others.every((one) => JSON.stringify(publishedOf(one)) === published);
  return isSame ? loose(first) : z.unknown();
}

function descriptionOf(
  having: readonly { name: string; schema: z.ZodType }[],
  parts: number,
): string | undefined {
  const texts = having.map(({ name, schema }) => ({ name, text: textOf(schema) }));
  const distinct = [...new Set(texts.flatMap(({ text }) => text ?? []))];
  const whole = having.length === parts && distinct.length <= 1;
  if (whole) return distinct[0];
  const lines = distinct.map((text) => {
    const names = texts.flatMap((one) => (one.text === text ? [one.name] : []));
    return `${names.join(', ')}: ${text}`;
  });
  return lines.length === 0 ? undefined : lines.join('; ');
}

/** The description of a setting, or of the type that it wraps. */
function textOf(schema: z.ZodType): string | undefined {
  if (schema.description !== undefined) return schema.description;
  const inner = peeled(schema);
  return inner === schema ? undefined : textOf(inner);
}

const described = (schema: z.ZodType, text: string | undefined): z.ZodType =>
  text === undefined ? schema : schema.describe(text);

/** Of the same kind; the bounds are published, not checked. */
const loose = (schema: z.ZodType): z.ZodType => kindOf(schema).meta(publishedOf(schema));

function kindOf(schema: z.ZodType): z.ZodType {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray) return z.array(kindOf(inner.element as z.ZodType));
  if (inner instanceof z.ZodRecord)
    return z.record(z.string(), kindOf(inner.valueType as z.ZodType));
  if (inner instanceof z.ZodUnion)
    return z.union(inner.options.map((one) => kindOf(one as z.ZodType)));
  if (inner instanceof z.ZodObject && inner.def.catchall instanceof z.ZodNever)
    return patchOf(inner);
  return z.core.clone(inner, { ...inner.def, checks: [] });
}

/** The JSON Schema of a kind, without the setting's own description and default. */
const publishedOf = (schema: z.ZodType): JsonObject =>
  withoutKeys(jsonSchema(schema, 'input'), ['description', 'default']);

function unwrapped(schema: z.ZodType): z.ZodType {
  const inner = peeled(schema);
  return inner === schema ? schema : unwrapped(inner);
}

/** Without one layer that makes the setting optional, gives it a default or transforms it. */
function peeled(schema: z.ZodType): z.ZodType {
  const isLayer =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault;
  if (isLayer) return schema.unwrap() as z.ZodType;
  return schema instanceof z.ZodPipe ? (schema.in as z.ZodType) : schema;
}
