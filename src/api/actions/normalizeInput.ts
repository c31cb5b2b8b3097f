/**
 * Brings an input into the spelling of its schema before it is checked: clients also write keys in camelCase, words
 * of a list in any case, and null where they mean that a value is not given (contract 1.2).
 */
import { z } from 'zod';
import { getOwn } from '../../lib/getOwn.js';
import { longDigits } from '../../lib/longNumbers.js';

/** Returns a value that does not fit unchanged: the check that follows reports its fault. */
export function normalizeInput(schema: z.core.$ZodType, value: unknown): unknown {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    const inner = schema.unwrap();
    return value === null && !takesNull(inner) ? undefined : normalizeInput(inner, value);
  }
  if (schema instanceof z.ZodNullable)
    return value === null ? null : normalizeInput(schema.unwrap(), value);
  if (schema instanceof z.ZodDiscriminatedUnion) return normalizeOption(schema, value);
  if (schema instanceof z.ZodObject) return isObject(value) ? normalizeKeys(schema, value) : value;
  if (schema instanceof z.ZodArray) {
    return Array.isArray(value) ? value.map((item) => normalizeInput(schema.element, item)) : value;
  }
  if (schema instanceof z.ZodEnum) return normalizeWord(schema, value);
  if (schema instanceof z.ZodNumber) return normalizeNumber(value);
  return value;
}

function normalizeKeys(
  schema: z.ZodObject,
  value: Record<string, unknown>,
): Record<string, unknown> {
  const shape = shapeOf(schema);
  const entries = Object.entries(value).flatMap(([key, given]): [string, unknown][] => {
    const name = nameOf(key, value, shape);
    const known = getOwn(shape, name);
    const respelt = known ? normalizeInput(known, given) : given;
    return respelt === undefined ? [] : [[name, respelt]];
  });
  return Object.fromEntries(entries);
}

/** Normalizes by the union's option whose discriminator the value has. */
function normalizeOption(
  { options, def: { discriminator } }: z.ZodDiscriminatedUnion,
  value: unknown,
): unknown {
  if (!isObject(value)) return value;
  const word = getOwn(value, discriminator);
  const option = options.find((one) => {
    const rule = one instanceof z.ZodObject ? getOwn(shapeOf(one), discriminator) : undefined;
    return rule !== undefined && z.safeParse(rule, word).success;
  });
  return option ? normalizeInput(option, value) : value;
}

const shapeOf = ({ shape }: z.ZodObject): Record<string, z.core.$ZodType | undefined> => shape;

/** A key that comes in both spellings is left as it is, and refused. */
function nameOf(key: string, value: Record<string, unknown>, shape: object): string {
  if (Object.hasOwn(shape, key)) return key;
  const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.hasOwn(shape, snake) && !Object.hasOwn(value, snake) ? snake : key;
}

function normalizeWord(schema: z.ZodEnum, value: unknown): unknown {
  // PENDING and pending are two words of one list.
  if (typeof value !== 'string' || schema.options.includes(value)) return value;
  const wanted = value.toLowerCase();
  return schema.options.find((option) => String(option).toLowerCase() === wanted) ?? value;
}

/** A number of many digits has come as text, because most are ids; here one is meant for its size. */
const normalizeNumber = (value: unknown): unknown =>
  typeof value === 'string' && longDigits(value) !== null ? Number(value) : value;

const takesNull = (schema: z.core.$ZodType): boolean => z.safeParse(schema, null).success;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
