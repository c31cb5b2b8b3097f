/** The wire contract of the Actions API (specification 2.5, 2.6, 4.1, 7.1). */
import { z } from 'zod';
import { PERMISSIONS } from '../account/keys.js';

const PermissionName = z.enum(PERMISSIONS);

const envelope = <T extends z.ZodType>(data: T) => z.object({ success: z.literal(true), data });

export const WhoamiResult = envelope(
  z.object({
    organization: z.object({ id: z.string(), name: z.string() }),
    key: z.object({ id: z.string(), name: z.string(), created_at: z.iso.datetime() }),
    permissions: z.array(PermissionName).describe('Write implies read'),
    actions: z.array(z.string()).describe('The actions that the key may run'),
  }),
);

export const CatalogResult = envelope(
  z.object({
    actions: z.array(
      z.object({
        name: z.string(),
        summary: z.string(),
        description: z.string(),
        effect: z.enum(['read', 'write', 'destroy']),
        permission: PermissionName,
        paged: z
          .boolean()
          .describe(
            'It gives a page of a list: it takes `limit` and `cursor`, and gives `next_cursor`',
          ),
        input_schema: z.looseObject({}).describe('JSON Schema of the input'),
        output_schema: z.looseObject({}).describe('JSON Schema of `data`'),
        example: z.looseObject({}).describe('An input that fits'),
        allowed: z.boolean().describe('The calling key may run it'),
      }),
    ),
  }),
);

export const ActionResult = envelope(z.unknown().describe('What the action gives')).extend({
  next_cursor: z
    .string()
    .nullable()
    .optional()
    .describe('Of a paged action: `cursor` of the next page, null when there is none'),
});
