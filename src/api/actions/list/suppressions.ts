/** Suppression lists. */
import { z } from 'zod';
import {
  listSuppressions,
  removeSuppressions,
  type SuppressionTarget,
} from '../../../account/suppression/suppressions.js';
import { removeFromList } from '../../../account/suppression/remove.js';
import { uploadSuppressions } from '../../../account/suppression/upload.js';
import { defineAction, definePagedAction } from '../action.js';
import { pageInput, pageOf } from '../paging.js';
import { invalidInput } from '../readInput.js';
import { id, Instant, NewName, recordId, recordName } from '../schemas/common.js';

const Scope = z.enum(['organisation', 'campaign', 'buyer']);

/** What both ways to give a file say of it. */
const FileRead = {
  columns_read: z.array(z.string()).describe('Headers of the columns that count'),
  columns_ignored: z.array(z.string()).describe('Headers of those that say nothing here'),
  problems: z
    .array(
      z.object({
        line: z.number().int().describe('Line of the upload, from 1'),
        column: z.string().nullable().describe('phone or email'),
        rule: z.string().describe('What is wrong with it'),
        value: z.string().describe('Its shape only'),
      }),
    )
    .describe('The first 1,000 values that could not be read'),
};

export const uploadSuppressionList = defineAction({
  name: 'upload_suppressions',
  cli: ['suppressions', 'upload'],
  summary: 'Add people to a suppression list',
  description:
    'Leads of people on a list are refused (organisation, campaign), or not offered to the buyer. They are kept as keyed ' +
    'hashes only, and count from the next lead on. A list of that name is added to; one call takes as much as a request may hold.',
  effect: 'write',
  idempotent: true,
  permission: 'leads:write',
  input: z.strictObject({
    name: NewName.describe('Of the list; one of this name is added to'),
    scope: Scope.default('organisation').describe('Whose leads the list is for'),
    campaign_id: id('campaign').optional().describe('With the scope campaign'),
    buyer_id: id('buyer').optional().describe('With the scope buyer'),
    csv: z
      .string()
      .min(1)
      .describe(
        'With a first line that names the columns: phone, email or both, by any of the usual names; values, or their MD5',
      ),
  }),
  example: { name: 'Do not call', csv: 'phone\n4155550134\n4155550199' },
  output: z.object({
    list_id: recordId('list'),
    rows: z.number().int().describe('Lines after the first'),
    added: z.number().int().describe('Phones and emails that are new on the list'),
    already_there: z.number().int().describe('Those that were on it before'),
    bad: z.number().int().describe('Values that could not be read'),
    entries: z.number().int().describe('Different phones and emails on the list now'),
    ...FileRead,
  }),
  async run({ csv, ...input }, { collections, keyring, caller }) {
    const list = {
      org_id: caller.org_id,
      target: targetOf(input),
      name: input.name,
      uploaded_by: caller.key_id,
    };
    return uploadSuppressions({ collections, keyring }, list, bytesOf(csv));
  },
});

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

interface Target {
  scope: z.output<typeof Scope>;
  campaign_id?: string | undefined;
  buyer_id?: string | undefined;
}

function targetOf({ scope, campaign_id, buyer_id }: Target): SuppressionTarget {
  const given = { campaign: campaign_id, buyer: buyer_id };
  for (const kind of ['campaign', 'buyer'] as const) {
    const path = `${kind}_id`;
    if (kind === scope && given[kind] === undefined)
      throw invalidInput([
        { path, code: 'required', message: `${path} is required with this scope.` },
      ]);
    if (kind !== scope && given[kind] !== undefined) {
      const message = `${path} has no meaning with the scope ${scope}; use the scope ${kind}.`;
      throw invalidInput([{ path, code: 'not_allowed', message }]);
    }
  }
  if (scope === 'campaign') return { scope, campaign_id: campaign_id ?? '' };
  return scope === 'buyer' ? { scope, buyer_id: buyer_id ?? '' } : { scope };
}

export const listSuppressionLists = definePagedAction({
  name: 'list_suppressions',
  cli: ['suppressions', 'list'],
  summary: 'List suppression lists',
  description:
    'Every list of people whose leads are not taken, of the organisation, its campaigns and its buyers, oldest first.',
  effect: 'read',
  idempotent: true,
  permission: 'leads:read',
  input: z.strictObject(pageInput),
  example: { limit: 20 },
  output: z.array(
    z.object({
      id: recordId('list'),
      name: recordName('list').meta({ examples: ['Do not call'] }),
      scope: Scope.describe('Whose leads it is for'),
      target_id: z.string().describe('The organisation, campaign or buyer it is for'),
      entries: z.number().int().describe('Different phones and emails on it'),
      uploaded_at: Instant.describe('When it was added to last, in UTC'),
    }),
  ),
  run: (page, { collections, caller }) =>
    pageOf(
      'list_suppressions',
      page,
      (wanted) => listSuppressions(collections, caller.org_id, wanted),
      ({ _id, name, scope, target_id, entries, uploaded_at }) => ({
        id: _id,
        name,
        scope,
        target_id,
        entries,
        uploaded_at: uploaded_at.toISOString(),
      }),
    ),
});

export const removeSuppressionEntries = defineAction({
  name: 'remove_suppressions',
  cli: ['suppressions', 'remove'],
  summary: 'Take people off a suppression list',
  description:
    'The list refuses these people no more from the next lead on, in every process. They are given as for an upload; a ' +
    'phone goes however it was written before it was hashed. Other lists may still have them.',
  effect: 'destroy',
  idempotent: true,
  permission: 'leads:write',
  input: z.strictObject({
    list_id: id('suppression list'),
    csv: z
      .string()
      .min(1)
      .describe(
        'With a first line that names the columns: phone, email or both, by any of the usual names; values, or their MD5',
      ),
  }),
  example: { list_id: '0b4d7a3e-3f0c-4a8e-93e9-6a8c4b1f2d57', csv: 'phone\n4155550134' },
  output: z.object({
    list_id: recordId('list'),
    rows: z.number().int().describe('Lines after the first'),
    removed: z.number().int().describe('Entries that are gone from the list'),
    not_there: z.number().int().describe('Phones and emails that were not on it'),
    bad: z.number().int().describe('Values that could not be read'),
    entries: z.number().int().describe('Different phones and emails on the list now'),
    ...FileRead,
  }),
  run: ({ csv, list_id }, { collections, keyring, caller }) =>
    removeFromList({ collections, keyring }, { org_id: caller.org_id, list_id }, bytesOf(csv)),
});

export const deleteSuppressionList = defineAction({
  name: 'delete_suppression_list',
  cli: ['suppressions', 'delete'],
  summary: 'Delete a suppression list',
  description:
    'The list refuses nobody from the next lead on, in every process; then its entries are deleted. Cut off half-way, the ' +
    'call can be made again; it is finished all the same. Its people are not taken off other lists.',
  effect: 'destroy',
  idempotent: true,
  permission: 'leads:write',
  input: z.strictObject({ list_id: id('suppression list') }),
  example: { list_id: '0b4d7a3e-3f0c-4a8e-93e9-6a8c4b1f2d57' },
  output: z.object({
    id: recordId('list'),
    deleted: z.literal(true).describe('Always true: the organization has no such list now'),
    existed: z.boolean().describe('False: there was none, or it was deleted before'),
  }),
  async run(input, { collections, caller }) {
    const existed = await removeSuppressions(collections, caller.org_id, input.list_id);
    return { id: input.list_id, deleted: true as const, existed };
  },
});
