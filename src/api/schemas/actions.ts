/** The wire contract of the Actions API (contract 9.1, 9.3). */
import { z } from 'zod';
import { EXIT_KINDS } from '../actions/exits.js';
import { HOW_OFTEN } from '../calls/rules.js';
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
          time_zone: z.string().meta({
            description: 'The time zone of its days',
            examples: ['America/New_York'],
          }),
          currency: z
            .string()
            .meta({ description: 'The currency of its money', examples: ['USD'] }),
        })
        .describe('The organization that the key acts for'),
      key: z
        .object({
          id: z.string().describe('The id of the key, for revoke_api_key'),
          name: z.string().meta({ description: 'The name of the key', examples: ['Reporting'] }),
          created_at: z.iso.datetime().describe('When it was created, in UTC'),
          expires_at: z.iso.datetime().nullable().describe('When it expires, in UTC; null: never'),
        })
        .describe('The calling key'),
      permissions: z.array(PermissionName).describe('Write implies read'),
      actions: z
        .array(z.string())
        .meta({ description: 'The actions that the key may run', examples: [['list_campaigns']] }),
    })
    .describe('The organization and the key of the caller'),
);

export const CatalogResult = envelope(
  z
    .object({
      actions: z
        .array(
          z.object({
            name: z.string().meta({ description: 'Its name', examples: ['list_campaigns'] }),
            summary: z
              .string()
              .meta({ description: 'A summary in one line', examples: ['List campaigns'] }),
            description: z.string().meta({
              description: 'A description in full sentences',
              examples: ['Every campaign of the organization, oldest first.'],
            }),
            effect: z
              .enum(['read', 'write', 'destroy'])
              .describe('read: changes nothing; destroy: cannot be undone'),
            permission: PermissionName.describe('The permission that it needs'),
            also_needs: z
              .object({
                permission: PermissionName.describe('The further permission'),
                when: z.string().meta({
                  description: 'Which calls need it',
                  examples: ['the automation sends data of leads'],
                }),
              })
              .nullable()
              .describe('A further permission that some calls need; null: none'),
            lets_out: z
              .array(
                z.object({
                  kind: z
                    .enum(EXIT_KINDS)
                    .describe(
                      "people: the answer shows people's data; leads: it sends leads; address: it sets where leads go; " +
                        'access: it shows a credential, or sets who sees what',
                    ),
                  when: z.string().nullable().describe('Which calls let it out; null: every call'),
                }),
              )
              .describe('What leaves by it'),
            fresh_sign_in: z
              .enum(HOW_OFTEN)
              .describe('Whether a person must have signed in within 15 minutes; a key never must'),
            recorded: z
              .object({
                changes: z.enum(HOW_OFTEN).describe('Whether calls are listed as changes'),
                reads: z.enum(HOW_OFTEN).describe('Whether calls are listed as reads'),
              })
              .describe('Whether list_audit has its calls'),
            max_body_bytes: z
              .number()
              .int()
              .nullable()
              .describe('Maximum size of its body; null: that of every request'),
            paged: z
              .boolean()
              .describe(
                'It returns a page of a list: the input has `limit` and `cursor`, the output `next_cursor`',
              ),
            input_schema: z.looseObject({}).describe('JSON Schema of the input'),
            output_schema: z.looseObject({}).describe('JSON Schema of `data`'),
            example: z.looseObject({}).describe('A valid example input'),
            allowed: z.boolean().describe('The calling key may run it'),
          }),
        )
        .describe('Every action, in reading order'),
    })
    .describe('The actions'),
);

export const ActionResult = envelope(z.unknown().describe('The output of the action')).extend({
  next_cursor: z
    .string()
    .nullable()
    .optional()
    .describe('For a paged action: the `cursor` of the next page, or null'),
});
