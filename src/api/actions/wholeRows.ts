/** Lists whose rows can be asked for whole: as the action that shows one record shows it. */
import { z } from 'zod';
import type { Found, Wanted } from '../../platform/mongo/pages.js';

/** Maximum rows of a page of whole rows. */
const ROWS_MAX = 100;
/** A page ends with the record that reaches it: its answer is a few times as long at most. */
const BYTES_MAX = 4 * 1_048_576;

/** @param get the action that shows one record */
export const whole = (get: string) =>
  z
    .boolean()
    .default(false)
    .describe(
      `true: each row with all that ${get} shows. A page may then be shorter than its limit; next_cursor goes on`,
    );

/** The shape of a row with the keys that only whole rows have. */
export const withWhole = <R extends z.ZodRawShape, W extends z.ZodRawShape>(
  row: z.ZodObject<R>,
  whole: z.ZodObject<W>,
) =>
  row.extend(
    Object.fromEntries(
      Object.entries(whole.shape)
        .filter(([key]) => !(key in row.shape))
        .map(([key, schema]) => [key, (schema as z.ZodType).optional()]),
    ) as unknown as { [K in Exclude<keyof W, keyof R>]: z.ZodOptional<W[K]> },
  );

export const forWhole = (wanted: Wanted): Wanted => ({
  ...wanted,
  limit: Math.min(wanted.limit, ROWS_MAX),
});

/** A page up to the record with which its bytes reach the limit. The first is always in it. */
export function upToSize<T extends { _id: string; created_at: Date }>(
  { docs, next }: Found<T>,
  bytesOf: (doc: T) => number,
): Found<T> {
  let bytes = 0;
  const end = docs.findIndex((doc) => (bytes += bytesOf(doc)) >= BYTES_MAX);
  const last = docs[end];
  if (!last || end === docs.length - 1) return { docs, next };
  return { docs: docs.slice(0, end + 1), next: { at: last.created_at, id: last._id } };
}
