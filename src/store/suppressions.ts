/** The entries of suppression lists: a list and an MD5 value in one id, so that no index but that is needed. */
import type { Collection } from 'mongodb';
import type { SuppressionHit, SuppressionKey } from '../domain/suppression.js';
import type { SuppressionDoc } from './collections.js';
import { failedInserts } from './claims.js';

/** What one lead is looked up by, in which lists. */
export interface SuppressionQuery {
  lead_id: string;
  list_ids: readonly string[];
  keys: readonly SuppressionKey[];
}

export interface SuppressionStore {
  /** The hits of each lead that has some, by one query for all; by none when nothing is asked. */
  hits(queries: readonly SuppressionQuery[]): Promise<Map<string, SuppressionHit[]>>;
  /**
   * Adds entries to a list, and returns how many were not on it yet.
   * @param isRepeat most are on it already: looking first is many times faster than being refused each
   */
  add(listId: string, md5s: readonly string[], isRepeat: boolean): Promise<number>;
  /**
   * Takes entries off a list. Of each value all its spellings are given: how many entries were there, and how many values
   * had none.
   */
  remove(
    listId: string,
    values: readonly (readonly string[])[],
  ): Promise<{ removed: number; absent: number }>;
  count(listId: string): Promise<number>;
  /**
   * Deletes the entries of a list, a part at a time; safe to repeat. True when none is left.
   * @param parts at most this many, of a thousand entries each (default: all)
   */
  clear(listId: string, parts?: number): Promise<boolean>;
}

/** Entries deleted by one call: well within the time a call may take. */
const CLEAR_MAX = 1_000;
const HEX = Array.from({ length: 16 }, (_, digit) => digit.toString(16));
/** The character after a hex digit of any case: ids of one start lie below it. */
const AFTER_HEX = 'g';

export function suppressionStore(entries: Collection<SuppressionDoc>): SuppressionStore {
  const stored = async (ids: string[]): Promise<Set<string>> => {
    const rows = await entries.find({ _id: { $in: ids } }).toArray();
    return new Set(rows.map(({ _id }) => _id));
  };
  return {
    async hits(queries) {
      const ids = new Set(
        queries.flatMap(({ list_ids, keys }) =>
          list_ids.flatMap((list) => keys.map(({ md5 }) => entryId(list, md5))),
        ),
      );
      if (ids.size === 0) return new Map();
      const found = await stored([...ids]);
      if (found.size === 0) return new Map();
      return new Map(
        queries
          .map((query): [string, SuppressionHit[]] => [query.lead_id, hitsOf(query, found)])
          .filter(([, hits]) => hits.length > 0),
      );
    },
    async add(listId, md5s, isRepeat) {
      const ids = md5s.map((md5) => entryId(listId, md5));
      const there = isRepeat ? await stored(ids) : new Set<string>();
      const docs = ids.filter((id) => !there.has(id)).map((_id) => ({ _id }));
      if (docs.length === 0) return 0;
      try {
        await entries.insertMany(docs, { ordered: false });
        return docs.length;
      } catch (error) {
        return docs.length - failedInserts(error, docs).length;
      }
    },
    async remove(listId, values) {
      const ids = values.map((md5s) => md5s.map((md5) => entryId(listId, md5)));
      const there = await stored(ids.flat());
      const absent = ids.filter((spelled) => !spelled.some((id) => there.has(id))).length;
      if (there.size === 0) return { removed: 0, absent };
      const { deletedCount } = await entries.deleteMany({ _id: { $in: [...there] } });
      return { removed: deletedCount, absent };
    },
    async count(listId) {
      // In sixteen parts: one count of a long list would take longer than a call may.
      let total = 0;
      for (const digit of HEX) {
        total += await entries.countDocuments({ _id: withStart(`${listId}:${digit}`) });
      }
      return total;
    },
    async clear(listId, parts = Infinity) {
      for (let done = 0; done < parts; done += 1) {
        const part = await entries
          .find({ _id: withStart(`${listId}:`) })
          .sort({ _id: 1 })
          .limit(CLEAR_MAX)
          .toArray();
        const [first, last] = [part.at(0), part.at(-1)];
        if (!first || !last) return true;
        await entries.deleteMany({ _id: { $gte: first._id, $lte: last._id } });
      }
      return false;
    },
  };
}

const entryId = (listId: string, md5: string): string => `${listId}:${md5}`;

const withStart = (start: string) => ({ $gte: start, $lt: `${start}${AFTER_HEX}` });

function hitsOf(
  { list_ids, keys }: SuppressionQuery,
  found: ReadonlySet<string>,
): SuppressionHit[] {
  return list_ids.flatMap((list_id) => {
    const fields = keys
      .filter(({ md5 }) => found.has(entryId(list_id, md5)))
      .map(({ field }) => field);
    return [...new Set(fields)].map((field) => ({ list_id, field }));
  });
}
