/** Suppression lists from files of any length. */
import { z } from 'zod';
import { finishImport, importChunk, openImport } from '../../../account/suppression/imports.js';
import { defineAction } from '../action.js';
import { invalidField } from '../readInput.js';
import { id, NewName, orNull, recordId } from '../schemas/common.js';
import { bytesOf, Csv, FileRead, Scope, targetOf } from './suppressions.js';

export const importSuppressions = defineAction({
  name: 'import_suppressions',
  cli: ['suppressions', 'import-chunk'],
  summary: 'Import a chunk of a long file into a suppression list',
  description:
    'Imports a file of any length into a suppression list, in chunks. Each call sends one chunk, with the header of ' +
    'the file as its first line and the number next_chunk of the answer before; a chunk that is stored already changes ' +
    'nothing, so an interrupted import goes on at next_chunk. A call without csv only returns how far the import has ' +
    'come. finish: true ends it, with the number of chunks as chunk. Entries apply as they are stored; with replace the ' +
    'old list stays in force until the import is finished, and the new one then takes its place at once, under another ' +
    'id. The calls count toward the calls of a minute, and not toward its writes.',
  idempotent: true,
  isPartOfFile: true,
  permission: 'leads:write',
  input: z.strictObject({
    import_id: z
      .string()
      .regex(/^[\w.-]{1,100}$/)
      .describe('Your name of the import: letters, digits, ._-; the same one continues it'),
    name: NewName.describe('The name of the list'),
    scope: Scope.default('organisation').describe('Which leads the list applies to'),
    campaign_id: id('campaign').optional().describe('For the scope campaign'),
    buyer_id: id('buyer').optional().describe('For the scope buyer'),
    replace: z
      .boolean()
      .default(false)
      .describe('The file replaces the list of this name; false: its entries are added'),
    chunk: z.number().int().min(0).default(0).describe('Number of the chunk, from 0'),
    csv: Csv.optional(),
    first_line: z
      .number()
      .int()
      .min(2)
      .default(2)
      .describe('Line of the file that the second line of csv is; for the report of problems'),
    finish: z.boolean().default(false).describe('Every chunk is stored: end the import'),
  }),
  example: {
    import_id: 'dnc-2026-11',
    name: 'Do not call',
    chunk: 0,
    csv: 'phone\n4155550134\n4155550199',
  },
  output: z.object({
    import_id: z.string().describe('The import'),
    list_id: recordId('list that the entries are on, from the end of a replacement on'),
    state: z.enum(['open', 'finishing', 'done']).describe('done: nothing is left to do'),
    next_chunk: z.number().int().describe('Number of the first chunk that is not stored yet'),
    rows: z.number().int().describe('Rows stored so far'),
    added: z.number().int().describe('Phones and emails that were new on the list'),
    already_there: z.number().int().describe('Phones and emails that were already on it'),
    bad: z.number().int().describe('Values that could not be read'),
    entries: orNull(z.number().int()).describe(
      'Different phones and emails on the list; null until the import is done',
    ),
    problems: FileRead.problems.describe(
      'The first 1,000 values of this chunk that could not be read, by their line of the file',
    ),
  }),
  async run({ csv, import_id, chunk: number, first_line, finish, ...input }, context) {
    if (csv !== undefined && finish)
      throw invalidField('finish', 'not_allowed', 'finish is not allowed together with csv.');
    const wanted = {
      import_id,
      name: input.name,
      target: targetOf(input),
      replaces: input.replace,
      uploaded_by: context.caller.actor.id,
    };
    const { doc, problems } = finish
      ? await finishImport(context, wanted, number)
      : csv === undefined
        ? { doc: await openImport(context, wanted), problems: [] }
        : await importChunk(context, wanted, { number, source: bytesOf(csv) });
    const { list_id, state, next: next_chunk, rows, added, already_there, bad, entries } = doc;
    return {
      import_id,
      list_id,
      next_chunk,
      rows,
      added,
      already_there,
      bad,
      entries,
      state: state === 'dropped' ? 'open' : state,
      problems: problems.map((one) => ({ ...one, line: one.line - 2 + first_line })),
    };
  },
});
