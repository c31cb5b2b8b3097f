/** Suppression lists. */
import { z } from 'zod';
import {
  listSuppressions,
  removeSuppressions,
  type SuppressionTarget,
} from '../../../account/suppression/suppressions.js';
import { removeFromList } from '../../../account/suppression/remove.js';
import { uploadSuppressions } from '../../../account/suppression/upload.js';
import { defineAction, defineList } from '../action.js';
import { invalidField } from '../readInput.js';
import { id, Instant, NewName, recordId, recordName } from '../schemas/common.js';

export const Scope = z.enum(['organisation', 'campaign', 'buyer']);

export const Csv = z
  .string()
  .min(1)
  .describe(
    'The first line names the columns: phone, email or both, by any usual name; values, or their MD5',
  );

/** The description of a file, for both ways to send one. */
export const FileRead = {
  columns_read: z.array(z.string()).describe('Headers of the columns that are read'),
  columns_ignored: z.array(z.string()).describe('Headers of the columns that are ignored'),
  problems: z
    .array(
      z.object({
        line: z.number().int().describe('Line of the upload, from 1'),
        column: z.string().nullable().describe('phone or email'),
        rule: z.string().describe('What is wrong with the value'),
        value: z.string().describe('The shape of the value only'),
      }),
    )
    .describe('The first 1,000 values that could not be read'),
};

export const uploadSuppressionList = defineAction({
  name: 'upload_suppressions',
  cli: ['suppressions', 'upload'],
  summary: 'Add people to a suppression list',
  description:
    'Leads of people on a list are refused (scopes organisation and campaign), or not offered to the buyer (scope ' +
    'buyer). Entries are stored as keyed hashes only, and apply from the next lead on. If a list of this name ' +
    'exists, the entries are added to it. One call accepts as many entries as fit into a request.',
  idempotent: true,
  permission: 'leads:write',
  input: z.strictObject({
    name: NewName.describe(
      'The name of the list; entries are added to an existing list of this name',
    ),
    scope: Scope.default('organisation').describe('Which leads the list applies to'),
    campaign_id: id('campaign').optional().describe('For the scope campaign'),
    buyer_id: id('buyer').optional().describe('For the scope buyer'),
    csv: Csv,
  }),
  example: { name: 'Do not call', csv: 'phone\n4155550134\n4155550199' },
  output: z.object({
    list_id: recordId('list'),
    rows: z.number().int().describe('Number of lines after the first'),
    added: z.number().int().describe('Phones and emails that are new on the list'),
    already_there: z.number().int().describe('Phones and emails that were already on it'),
    bad: z.number().int().describe('Values that could not be read'),
    entries: z.number().int().describe('Different phones and emails on the list now'),
    ...FileRead,
  }),
  async run({ csv, ...input }, context) {
    const { id: uploaded_by } = context.caller.actor;
    const list = { target: targetOf(input), name: input.name, uploaded_by };
    return uploadSuppressions(context, list, bytesOf(csv));
  },
});

export async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

interface Target {
  scope: z.output<typeof Scope>;
  campaign_id?: string;
  buyer_id?: string;
}

export function targetOf({ scope, campaign_id, buyer_id }: Target): SuppressionTarget {
  const given = { campaign: campaign_id, buyer: buyer_id };
  for (const kind of ['campaign', 'buyer'] as const) {
    const path = `${kind}_id`;
    if (kind === scope && given[kind] === undefined)
      throw invalidField(path, 'required', `${path} is required with this scope.`);
    if (kind !== scope && given[kind] !== undefined) {
      const message = `${path} is not allowed with the scope ${scope}; use the scope ${kind}.`;
      throw invalidField(path, 'not_allowed', message);
    }
  }
  if (scope === 'campaign') return { scope, campaign_id: campaign_id ?? '' };
  return scope === 'buyer' ? { scope, buyer_id: buyer_id ?? '' } : { scope };
}

export const listSuppressionLists = defineList({
  name: 'list_suppressions',
  cli: ['suppressions', 'list'],
  summary: 'List suppression lists',
  description:
    'Every suppression list of the organization, its campaigns and its buyers, oldest first.',
  permission: 'leads:read',
  filters: {},
  example: { limit: 20 },
  output: z.array(
    z.object({
      id: recordId('list'),
      name: recordName('list').meta({ examples: ['Do not call'] }),
      scope: Scope.describe('Which leads it applies to'),
      target_id: z.string().describe('The organization, campaign or buyer it applies to'),
      entries: z.number().int().describe('Different phones and emails on it'),
      uploaded_at: Instant.describe('When entries were last added, in UTC'),
    }),
  ),
  find: (_, context, wanted) => listSuppressions(context, wanted),
  show: (lists) => lists.map((list) => ({ ...list, id: list._id })),
});

export const removeSuppressionEntries = defineAction({
  name: 'remove_suppressions',
  cli: ['suppressions', 'remove'],
  summary: 'Remove people from a suppression list',
  description:
    'The list stops refusing these people from the next lead on, in every process. The input is as for an upload; a ' +
    'phone is removed whatever its format was before it was hashed. Other lists may still have them.',
  effect: 'destroy',
  idempotent: true,
  permission: 'leads:write',
  input: z.strictObject({
    list_id: id('suppression list'),
    csv: Csv,
  }),
  example: { list_id: '0b4d7a3e-3f0c-4a8e-93e9-6a8c4b1f2d57', csv: 'phone\n4155550134' },
  output: z.object({
    list_id: recordId('list'),
    rows: z.number().int().describe('Number of lines after the first'),
    removed: z.number().int().describe('Entries that were removed'),
    not_there: z.number().int().describe('Phones and emails that were not on it'),
    bad: z.number().int().describe('Values that could not be read'),
    entries: z.number().int().describe('Different phones and emails on the list now'),
    ...FileRead,
  }),
  run: ({ csv, list_id }, context) => removeFromList(context, list_id, bytesOf(csv)),
});

export const deleteSuppressionList = defineAction({
  name: 'delete_suppression_list',
  cli: ['suppressions', 'delete'],
  summary: 'Delete a suppression list',
  description:
    'The list stops refusing leads from the next lead on, in every process; then its entries are deleted. If the ' +
    'call is interrupted, the deletion is finished anyway, and the call can be repeated. Other lists keep their ' +
    'entries.',
  effect: 'destroy',
  idempotent: true,
  permission: 'leads:write',
  input: z.strictObject({ list_id: id('suppression list') }),
  example: { list_id: '0b4d7a3e-3f0c-4a8e-93e9-6a8c4b1f2d57' },
  output: z.object({
    id: recordId('list'),
    deleted: z.literal(true).describe('Always true: the list no longer exists'),
    existed: z.boolean().describe('false: it did not exist, or was deleted before'),
  }),
  async run(input, context) {
    const existed = await removeSuppressions(context, input.list_id);
    return { id: input.list_id, deleted: true as const, existed };
  },
});
