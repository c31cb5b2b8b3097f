/** The parts that inputs and outputs share. */
import { z } from 'zod';
import { normalizedId } from '../../../lib/ids.js';

/** Any text: an id of another form simply does not exist. */
export const id = (what: string) =>
  z.string().min(1).max(100).overwrite(normalizedId).describe(`The id of the ${what}`);
export const include_archived = z.boolean().default(false).describe('true: archived ones, too');
export const NewName = z
  .string()
  .min(1)
  .max(120)
  .describe('Unique within the organization, among records of the same kind');
/** Of a record in an answer: null where it has no such value. */
export const orNull = <S extends z.ZodType>(schema: S) => z.prefault(z.nullable(schema), null);
/** Ids and names as answers return them. */
export const recordId = (what: string) => z.string().describe(`Id of the ${what}`);
export const recordName = (what: string) => z.string().describe(`Name of the ${what}`);
/** A record by its id and its name. */
export const named = (what: string) => z.object({ id: recordId(what), name: recordName(what) });
/** The same of one that may be gone since. */
export const namedOnce = (what: string) =>
  named(what).extend({
    name: orNull(z.string()).describe(`Name of the ${what}; null: it is gone`),
  });
export const LeadName = orNull(z.string()).describe(
  'First and last name of the person; null: not given, or not for the caller to see',
);
export const Money = z.number().describe('In the currency of the account, at most 4 decimals');
export const ActiveStatus = z.enum(['active', 'paused']);
/** An instant as callers give it. */
export const InstantText = z.iso.datetime().describe('UTC');
/** An instant of a record, which answers show as text. */
export const Instant = z
  .codec(z.date(), z.string().meta({ format: 'date-time' }), {
    decode: (at) => at.toISOString(),
    encode: (text) => new Date(text),
  })
  .describe('UTC');

/** Figures have money, so that a list shows them only where the caller may read reports. */
export const TO_SHOW_FIGURES = {
  permission: 'reports:read',
  when: 'figures is true',
  subject: 'figures',
  isFor: ({ figures }: { figures?: boolean }) => figures === true,
} as const;
