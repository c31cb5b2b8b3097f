/** Schemas for readers of an API description, where the value is checked further in. */
import { z } from 'zod';
import { withoutKeys } from '../defined.js';
import { jsonSchema } from '../jsonSchema.js';

/**
 * Publishes a schema and accepts anything: the value's owner parses it, and reports every problem by the field of the
 * value.
 */
export const published = <S extends z.ZodType>(schema: S): z.ZodType<z.input<S>, z.input<S>> =>
  z.unknown().meta(withoutKeys(jsonSchema(schema, 'input'), ['description'])) as z.ZodType<
    z.input<S>,
    z.input<S>
  >;
