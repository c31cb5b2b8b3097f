/** Sums of roll-ups by some keys and by status. */
import type { Collection, Document } from 'mongodb';
import { getOwn } from '../../lib/getOwn.js';
import type { CountedStatus } from '../../leads/rules/contribution.js';
import { COUNTED_STATUSES, isSoldStatus, SUM_NAMES, type Sums } from '../rules/rollups.js';
import type { RollupDoc } from './rollupDocs.js';

export interface SumsAsked<Name extends keyof Sums> {
  match: Document;
  /** Each with the field that it is. */
  keys: Readonly<Record<string, string>>;
  names: readonly Name[];
  /** Leads are the sales, of which only sold leads have any. */
  isBought?: boolean;
  /** What the keys become, of the groups alone: there are far fewer than sums. */
  regroup?: Document;
  /** Groups that are read at most. */
  limit?: number;
  hint?: Document;
}

/** The sums of one status of a group; a key that its sums have not is null. */
export type StatusSums<Name extends keyof Sums> = Pick<Sums, Name> & {
  keys: Readonly<Record<string, string | number | null>>;
  status: CountedStatus;
};

/**
 * Reads the statuses of a group side by side: to take each sum apart into its statuses first costs MongoDB more than twice
 * the time.
 * @returns one row for each status that a group has leads or sales of, and the number of groups
 */
export async function sumByStatus<Name extends keyof Sums>(
  rollups: Collection<RollupDoc>,
  asked: SumsAsked<Name>,
): Promise<{ rows: StatusSums<Name>[]; groups: number }> {
  const columns = columnsOf(asked);
  const groups = await rollups
    .aggregate<Group>(pipeline(asked, columns), { hint: asked.hint })
    .toArray();
  return { rows: groups.flatMap((group) => rowsOf(group, asked, columns)), groups: groups.length };
}

interface Group extends Record<string, unknown> {
  _id: Partial<Record<string, string | number | null>>;
}

/** Where a group has the sums of one status. */
interface Column<Name extends keyof Sums> {
  status: CountedStatus;
  sums: { name: Name; field: string; path: string }[];
  /** Those of which one is not zero where the status has any leads. */
  marks: string[];
}

function columnsOf<Name extends keyof Sums>({
  names,
  isBought = false,
}: SumsAsked<Name>): Column<Name>[] {
  return COUNTED_STATUSES.filter((status) => isSoldStatus(status) || !isBought).map((status) => {
    const sums = names
      // A lead that was not sold adds to no other sum.
      .filter((name) => name === 'leads' || isSoldStatus(status))
      .map((name) => {
        const stored = isBought && name === 'leads' ? 'sales' : name;
        const field = `${status}_${SUM_NAMES.indexOf(stored)}`;
        return { name, field, path: `$by_status.${status}.${stored}` };
      });
    const marks = sums.filter(({ name }) => name === 'leads' || name === 'sales');
    return { status, sums, marks: marks.map(({ field }) => field) };
  });
}

function pipeline<Name extends keyof Sums>(
  { match, keys, regroup, limit }: SumsAsked<Name>,
  columns: readonly Column<Name>[],
): Document[] {
  const each = columns.flatMap(({ sums }) => sums);
  const sums = Object.fromEntries(each.map(({ field, path }) => [field, { $sum: path }]));
  const again = Object.fromEntries(each.map(({ field }) => [field, { $sum: `$${field}` }]));
  return [
    { $match: match },
    // Changes nothing, but a group right after a match is made in another engine, which takes twice as long for many sums.
    { $unwind: '$day' },
    { $group: { _id: keys, ...sums } },
    ...(regroup ? [{ $group: { _id: regroup, ...again } }] : []),
    ...(limit === undefined ? [] : [{ $limit: limit }]),
  ];
}

function rowsOf<Name extends keyof Sums>(
  group: Group,
  { keys: asked, names }: SumsAsked<Name>,
  columns: readonly Column<Name>[],
): StatusSums<Name>[] {
  const found = new Map(Object.entries(group));
  const of = (field: string): number => Number(found.get(field) ?? 0);
  const keys = Object.fromEntries(
    Object.keys(asked).map((name) => [name, getOwn(group._id, name) ?? null]),
  );
  const none = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  // Leads that were counted and then changed leave zeros.
  const some = columns.filter(({ marks }) => marks.some((field) => of(field) !== 0));
  return some.map(({ status, sums }) => {
    const all = { ...none };
    for (const { name, field } of sums) all[name] = of(field);
    return { ...all, keys, status };
  });
}
