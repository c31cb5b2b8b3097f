/** The wire contract of the Actions API (contract 9.1, 9.3). */
import { z } from 'zod';
import { PERMISSIONS } from '../../account/keys/keys.js';

const PermissionName = z.enum(PERMISSIONS);

const envelope = <T extends z.ZodType>(data: T) =>
  z.object({ success: z.literal(true).describe('Always true'), data });

export const WhoamiResult = envelope(
  z
    .object({
      organization: z
        .object({
          id: z.string().describe('Its id'),
          name: z.string().meta({ description: 'Its name', examples: ['Acme Leads'] }),
        })
        .describe('The organisation that the key acts for'),
      key: z
        .object({
          id: z.string().describe('Its id, by which it can be revoked'),
          name: z.string().meta({ description: 'What it is called', examples: ['Reporting'] }),
          created_at: z.iso.datetime().describe('When it was made, in UTC'),
          expires_at: z.iso
            .datetime()
            .nullable()
            .describe('From then on it is refused, in UTC; null: never'),
        })
        .describe('The key by which one calls'),
      permissions: z.array(PermissionName).describe('Write implies read'),
      actions: z
        .array(z.string())
        .meta({ description: 'The actions that the key may run', examples: [['list_campaigns']] }),
    })
    .describe('Who calls'),
);

export const CatalogResult = envelope(
  z
    .object({
      actions: z
        .array(
          z.object({
            name: z.string().meta({ description: 'Its name', examples: ['list_campaigns'] }),
            summary: z.string().meta({ description: 'One line', examples: ['List campaigns'] }),
            description: z.string().meta({
              description: 'Whole sentences',
              examples: ['Every campaign of the organisation, oldest first.'],
            }),
            effect: z
              .enum(['read', 'write', 'destroy'])
              .describe('read changes nothing; destroy cannot be taken back'),
            permission: PermissionName.describe('The permission that it needs'),
            also_needs: z
              .object({
                permission: PermissionName.describe('The further permission'),
                when: z.string().meta({
                  description: 'Which calls need it',
                  examples: ['it tells of leads'],
                }),
              })
              .nullable()
              .describe('What some of its calls need beside it; null: none does'),
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
        )
        .describe('In the order in which people read them'),
    })
    .describe('The actions'),
);

export const ActionResult = envelope(z.unknown().describe('What the action gives')).extend({
  next_cursor: z
    .string()
    .nullable()
    .optional()
    .describe('Of a paged action: `cursor` of the next page, null when there is none'),
});
