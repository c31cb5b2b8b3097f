/** The parts that inputs and outputs share. */
import { z } from 'zod';
import { normalizedId } from '../../../lib/ids.js';

/** Any text: an id of another form simply does not exist. */
export const id = (what: string) =>
  z.string().min(1).max(100).overwrite(normalizedId).describe(`The id of the ${what}`);
export const NewName = z
  .string()
  .min(1)
  .max(120)
  .describe('Unique within the organization, among records of the same kind');
/** Ids and names as answers return them. */
export const recordId = (what: string) => z.string().describe(`Id of the ${what}`);
export const recordName = (what: string) => z.string().describe(`Name of the ${what}`);
/** A record by its id and its name. */
export const named = (what: string) => z.object({ id: recordId(what), name: recordName(what) });
/** The same of one that may be gone since. */
export const namedOnce = (what: string) =>
  named(what).extend({
    name: z.string().nullable().describe(`Name of the ${what}; null: it is gone`),
  });
export const Money = z.number().describe('In the currency of the account, at most 4 decimals');
export const ActiveStatus = z.enum(['active', 'paused']);
export const Instant = z.iso.datetime().describe('UTC');
