/** Versions of a campaign on the wire. */
import { z } from 'zod';
import { Instant, orNull } from './common.js';

export const ChangeView = z.object({
  path: z
    .string()
    .describe(
      'The setting that changed, such as max_sells, fields["age"].min or buyers["Acme"].price',
    ),
  from: z.unknown().describe('The previous value; null: absent. Long values are truncated'),
  to: z.unknown().describe('The new value; null: absent'),
});

export const VersionView = z.object({
  version: z.number().int().describe('Counts up from 1'),
  at: orNull(Instant).describe('When it was created; null: the time was not yet recorded'),
  by: z
    .object({
      kind: z
        .enum(['key', 'person', 'local'])
        .describe('local: on the machine itself, by a command or during setup'),
      id: orNull(z.string()).describe('The id of the key or person; null without one'),
      name: orNull(z.string()).describe('The name of the key or person; null without one'),
    })
    .nullable()
    .describe('Who made the change; null: not recorded'),
  action: orNull(z.string()).describe('The action that created it'),
  reverted_to: orNull(z.number().int()).describe('The version that was restored'),
  changes: z
    .array(ChangeView)
    .describe(
      'Changes since the previous version, money in currency; delivery settings are hidden',
    ),
  more_changes: z.number().int().describe('Changes beyond the first 50'),
});
