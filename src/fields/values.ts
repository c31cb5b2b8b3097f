import { z } from 'zod';

/** The value of a field in JSON. */
export const FieldScalar = z.union([z.string(), z.number(), z.boolean()]);
export type Scalar = z.infer<typeof FieldScalar>;

export const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

export type Fields = Record<string, Scalar>;
