/** Versions of a campaign on the wire. */
import { z } from 'zod';
import { Instant } from './common.js';

export const ChangeView = z.object({
  path: z
    .string()
    .describe('What differs, such as max_sells, fields["age"].min or buyers["Acme"].price'),
  from: z.unknown().describe('null: it was not there, or there was none. Long values are cut'),
  to: z.unknown().describe('null: it is there no more, or there is none now'),
});

export const VersionView = z.object({
  version: z.number().int().describe('Counts up from 1'),
  at: Instant.nullable().describe('When it was made; null: it is from before that was kept'),
  by: z
    .object({
      kind: z
        .enum(['key', 'local'])
        .describe('local: on the machine itself, by a command or a set-up'),
      id: z.string().nullable().describe('Of the key; null without one'),
      name: z.string().nullable().describe('Of the key; null without one'),
    })
    .nullable()
    .describe('In whose name; null: that was not kept'),
  action: z.string().nullable().describe('The action that made it'),
  reverted_to: z.number().int().nullable().describe('The version it was made to equal'),
  changes: z
    .array(ChangeView)
    .describe('Against the version before, money in currency; settings of a delivery are hidden'),
  more_changes: z.number().int().describe('Changes beyond the first 50'),
});
