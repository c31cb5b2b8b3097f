/** The entries of suppression lists: list and keyed hash in one id, so that the id's index is enough. */
import type { Collection } from 'mongodb';
import type { Keyring } from '../../platform/security/seal.js';
import type { SuppressionHit, SuppressionKey } from '../rules/suppressionKeys.js';
import type { AccountCollections } from './collections.js';
import type { SuppressionDoc } from './suppressionDocs.js';
import { failedInserts } from '../../platform/mongo/failedInserts.js';
import { entriesOf, entryForms, partsOf, type EntryForms, type ListRef } from './suppressionIds.js';
import { createMd5Watch } from './suppressionState.js';

/** The keys of one lead and the lists of its organization in which they are looked up. */
export interface SuppressionQuery {
  lead_id: string;
  org_id: string;
  list_ids: readonly string[];
  keys: readonly SuppressionKey[];
}

export type SuppressionStore = ReturnType<typeof createSuppressionStore>;

type Entries = Collection<SuppressionDoc>;

export function createSuppressionStore(
  collections: Pick<AccountCollections, 'suppressions' | 'suppressionState'>,
  keyring: Pick<Keyring, 'entryHashes'>,
) {
  const { suppressions: entries } = collections;
  const md5 = createMd5Watch(collections.suppressionState);
  const formsOf = ({ org_id }: Pick<ListRef, 'org_id'>, value: string, hasMd5: boolean) =>
    entryForms({ org_id, md5: value }, keyring, hasMd5);
  return {
    /** The hits of each lead that has any, by one query for all leads; without keys no query is sent. */
    async hits(queries: readonly SuppressionQuery[]): Promise<Map<string, SuppressionHit[]>> {
      const hasMd5 = md5.mayBeLeft();
      const hashed = queries.map(({ keys, ...query }) => ({
        ...query,
        keys: keys.map((key) => ({
          field: key.field,
          forms: formsOf(query, key.md5, hasMd5).all,
        })),
      }));
      const ids = new Set(
        hashed.flatMap(({ list_ids, keys }) =>
          list_ids.flatMap((list) => keys.flatMap(({ forms }) => forms.map((form) => list + form))),
        ),
      );
      if (ids.size === 0) return new Map();
      const found = await stored(entries, [...ids]);
      if (found.size === 0) return new Map();
      return new Map(
        hashed
          .map((query): [string, SuppressionHit[]] => [query.lead_id, hitsOf(query, found)])
          .filter(([, hits]) => hits.length > 0),
      );
    },
    /**
     * Adds entries to a list, and returns how many were new.
     * @param isRepeat most are on it already: a lookup first is many times faster than a refused insert for each
     */
    async add(list: ListRef, md5s: readonly string[], isRepeat: boolean): Promise<number> {
      const hasMd5 = await md5.isLeft();
      const all = md5s.map((one) => formsOf(list, one, hasMd5));
      // An entry that is stored in another form only does not fail the insert: it has to be looked up.
      const before = all.flatMap(({ all: forms, current }) =>
        isRepeat ? forms : forms.filter((form) => form !== current),
      );
      const there = await stored(entries, idsOf(list, before));
      const docs = all
        .filter(({ all: forms }) => !idsOf(list, forms).some((id) => there.has(id)))
        .map(({ current }) => ({ _id: list.list_id + current }));
      if (docs.length === 0) return 0;
      try {
        await entries.insertMany(docs, { ordered: false });
        return docs.length;
      } catch (error) {
        return docs.length - failedInserts(error, docs).length;
      }
    },
    /**
     * Removes entries from a list. Each value is given in all its spellings. Returns the number of entries that were
     * found, and the number of values without one.
     */
    async remove(
      list: ListRef,
      values: readonly (readonly string[])[],
    ): Promise<{ removed: number; absent: number }> {
      const hasMd5 = await md5.isLeft();
      const formsOfAll = (md5s: readonly string[]): string[] =>
        md5s.flatMap((one) => formsOf(list, one, hasMd5).all);
      const ids = values.map((md5s) => idsOf(list, formsOfAll(md5s)));
      const there = await stored(entries, ids.flat());
      const present = ids.filter((spelled) => spelled.some((id) => there.has(id)));
      const absent = ids.length - present.length;
      if (present.length === 0) return { removed: 0, absent };
      // In every form: the repair may be hashing an old entry at this moment.
      const { deletedCount } = await entries.deleteMany({ _id: { $in: present.flat() } });
      return { removed: deletedCount, absent };
    },
  };
}

const idsOf = ({ list_id }: ListRef, forms: readonly string[]): string[] =>
  forms.map((form) => list_id + form);

/**
 * Which of the entries exist. They are read in the order of ids: an entry that is hashed meanwhile moves to a later id,
 * and is seen under one of the two.
 */
async function stored(entries: Entries, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await entries
    .find({ _id: { $in: ids } })
    .sort({ _id: 1 })
    .toArray();
  return new Set(rows.map(({ _id }) => _id));
}

interface Asked extends Pick<SuppressionQuery, 'list_ids'> {
  keys: { field: SuppressionHit['field']; forms: EntryForms['all'] }[];
}

function hitsOf({ list_ids, keys }: Asked, found: ReadonlySet<string>): SuppressionHit[] {
  return list_ids.flatMap((list_id) => {
    const fields = keys
      .filter(({ forms }) => forms.some((form) => found.has(list_id + form)))
      .map(({ field }) => field);
    return [...new Set(fields)].map((field) => ({ list_id, field }));
  });
}

/** How many entries the list has. */
export async function countEntries(entries: Entries, listId: string): Promise<number> {
  // In parts: one count of a long list would exceed the time limit of a call.
  let total = 0;
  for (const _id of partsOf(listId)) total += await entries.countDocuments({ _id });
  return total;
}

/** Entries deleted by one call: fewer than fit in the time limit of a call. */
const CLEAR_MAX = 1_000;

/**
 * Deletes the entries of a list, a part at a time; safe to repeat. True when none is left.
 * @param parts at most this many, of a thousand entries each (default: all)
 */
export async function clearEntries(
  entries: Entries,
  listId: string,
  parts = Infinity,
): Promise<boolean> {
  for (let done = 0; done < parts; done += 1) {
    const part = await entries
      .find({ _id: entriesOf(listId) })
      .sort({ _id: 1 })
      .limit(CLEAR_MAX)
      .toArray();
    const [first, last] = [part.at(0), part.at(-1)];
    if (!first || !last) return true;
    await entries.deleteMany({ _id: { $gte: first._id, $lte: last._id } });
  }
  return false;
}
