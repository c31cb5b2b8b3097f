/**
 * The import of a long file into a suppression list: in chunks with numbers, so that it goes on where it stopped, whichever
 * side was killed. Entries are a set, so a chunk that is stored twice is on the list once; its counts are added with the
 * number of the next chunk, by one update, so they are counted once too.
 */
import { randomUUID } from 'node:crypto';
import { AppError } from '../../lib/errors.js';
import { retryUpsert } from '../../platform/mongo/databaseErrors.js';
import type { AccountContext } from '../context.js';
import type { SuppressionImportDoc } from '../store/suppressionDocs.js';
import { createSuppressionStore } from '../store/suppressions.js';
import { invalidValue } from '../values.js';
import type { FileReport } from './listFile.js';
import { replaceList } from './replaceList.js';
import {
  findListPlace,
  findSuppressionList,
  openSuppressionList,
  type ListPlace,
  type SuppressionListInput,
} from './suppressions.js';
import { storeFile, uploadSuppressions } from './upload.js';

type Account = Omit<AccountContext, 'policy'>;

export interface ImportInput extends SuppressionListInput {
  /** The caller's name of the import: the same one continues it. */
  import_id: string;
  /** The list that is there stays in force, unchanged, until the import is finished. */
  replaces: boolean;
}

/** A part of the file, with the header as its first line. */
export interface Chunk {
  /** From 0. */
  number: number;
  source: AsyncIterable<Uint8Array>;
}

/** How far an import has come, and the bad values of the chunk that was just stored. */
export interface ImportReport {
  doc: SuppressionImportDoc;
  problems: FileReport['problems'];
}

/** How long the record of an import that is done is kept, in milliseconds: repeated until then, it changes nothing. */
const KEPT_MS = 90 * 86_400_000;

/**
 * The import of this id, which begins with the first call.
 * @throws {AppError} `validation_failed` for an id that stands for the import of another list, and as
 * `openSuppressionList` does; `not_found` for the target
 */
export async function openImport(
  account: Account,
  input: ImportInput,
): Promise<SuppressionImportDoc> {
  const imports = account.collections.suppressionImports;
  const place = await findListPlace(account, input);
  const _id = `${place.org_id}:${input.import_id}`;
  const known = await imports.findOne({ _id });
  if (known) return sameImport(known, place, input);
  const list_id = input.replaces ? randomUUID() : (await openSuppressionList(account, input))._id;
  const now = account.clock.now();
  const begun = {
    ...place,
    scope: input.target.scope,
    replaces: input.replaces,
    list_id,
    state: 'open' as const,
    next: 0,
    rows: 0,
    added: 0,
    already_there: 0,
    bad: 0,
    started_at: now,
    updated_at: now,
  };
  const doc = await retryUpsert(() =>
    imports.findOneAndUpdate(
      { _id },
      { $setOnInsert: begun },
      { upsert: true, returnDocument: 'after' },
    ),
  );
  if (!doc) throw new Error('MongoDB returned no document for an update with upsert');
  return sameImport(doc, place, input);
}

function sameImport(
  doc: SuppressionImportDoc,
  { target_id, name }: ListPlace,
  { replaces }: ImportInput,
): SuppressionImportDoc {
  const isSame = doc.target_id === target_id && doc.name === name && doc.replaces === replaces;
  if (isSame && doc.state !== 'dropped') return doc;
  const what = isSame
    ? 'an import that nobody continued for a week, and that is being deleted'
    : `the import of ${doc.replaces ? 'a replacement of ' : ''}the list "${doc.name}"`;
  throw invalidValue('import_id', 'not_allowed', `import_id is that of ${what}. Use another one.`);
}

/**
 * Stores a chunk, unless an earlier call has: then it changes nothing.
 * @throws {AppError} as `openImport`; `validation_failed` for a chunk that is not the next one, or without a recognized
 * column; `action_refused` once the import is finished; `not_found` where its list was deleted meanwhile
 */
export async function importChunk(
  account: Account,
  input: ImportInput,
  chunk: Chunk,
): Promise<ImportReport> {
  const doc = await openImport(account, input);
  if (chunk.number < doc.next) return { doc, problems: [] };
  if (doc.state !== 'open') throw finished();
  if (chunk.number > doc.next) throw notNext('chunk', chunk.number, doc);
  const { problems, rows, added, already_there, bad } = await store(account, input, { doc, chunk });
  const { suppressionImports } = account.collections;
  const after = await suppressionImports.findOneAndUpdate(
    { _id: doc._id, state: 'open', next: chunk.number },
    {
      $set: { next: chunk.number + 1, updated_at: account.clock.now() },
      $inc: { rows, added, already_there, bad },
    },
    { returnDocument: 'after' },
  );
  // Another call has stored the same chunk meanwhile, and counted it.
  return { doc: after ?? (await openImport(account, input)), problems };
}

const finished = (): AppError =>
  new AppError(
    'action_refused',
    'This import is finished, and takes no further chunk. Use another import_id for another file.',
  );

const notNext = (what: string, given: number, { next }: SuppressionImportDoc): AppError =>
  invalidValue(
    'chunk',
    'out_of_range',
    `chunk must be ${next}, the first one that is not stored yet; this ${what} is ${given}.`,
  );

interface Step {
  doc: SuppressionImportDoc;
  chunk: Chunk;
}

async function store(account: Account, input: ImportInput, { doc, chunk }: Step) {
  if (doc.replaces) return storeFile(() => Promise.resolve(aside(account, doc)), chunk.source);
  await findSuppressionList(account, doc.list_id);
  const report = await uploadSuppressions(account, input, chunk.source);
  // It was deleted at this moment, and the upload has begun another of its name, which lacks the earlier chunks.
  if (report.list_id !== doc.list_id) await findSuppressionList(account, doc.list_id);
  return report;
}

/** Writes to a list that is in no plan, and is none yet. */
function aside({ collections, keyring }: Account, { list_id, org_id }: SuppressionImportDoc) {
  const entries = createSuppressionStore(collections, keyring);
  return {
    listId: list_id,
    add: (md5s: readonly string[]) => entries.add({ list_id, org_id }, md5s, false),
    finish: () => Promise.resolve(0),
  };
}

/**
 * Ends an import whose chunks are all stored: with `replaces` the new list takes the place of the old one, in the plans of
 * all campaigns of the target. Repeated, it changes nothing, and finishes what an interrupted call has left.
 * @param chunks how many the file has
 * @throws {AppError} as `openImport`; `validation_failed` where chunks are missing; `action_refused` for a replacement
 * without any entry
 */
export async function finishImport(
  account: Account,
  input: ImportInput,
  chunks: number,
): Promise<ImportReport> {
  const doc = await openImport(account, input);
  if (chunks !== doc.next) throw notNext('end', chunks, doc);
  if (doc.state === 'done') return { doc, problems: [] };
  return { doc: await finishOpenImport(account, doc), problems: [] };
}

/** The same for an import that is known. */
export async function finishOpenImport(
  account: Pick<Account, 'collections' | 'orgId' | 'clock' | 'author'>,
  { _id, next, replaces, list_id }: SuppressionImportDoc,
): Promise<SuppressionImportDoc> {
  const { suppressionImports } = account.collections;
  const change = async (
    from: SuppressionImportDoc['state'][],
    set: Partial<SuppressionImportDoc>,
  ): Promise<SuppressionImportDoc> => {
    const done = await suppressionImports.findOneAndUpdate(
      { _id, next, state: { $in: from } },
      { $set: set },
      { returnDocument: 'after' },
    );
    if (done) return done;
    throw new AppError('version_conflict', 'Another call changed this import. Read it again.');
  };
  const now = account.clock.now();
  const doc = await change(['open', 'finishing'], { state: 'finishing', updated_at: now });
  const { entries } = replaces
    ? await replaceList(account, doc)
    : await findSuppressionList(account, list_id);
  const forget_at = new Date(Number(now) + KEPT_MS);
  return change(['finishing', 'done'], { state: 'done', entries, forget_at });
}
