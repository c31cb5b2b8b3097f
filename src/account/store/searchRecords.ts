/** Campaigns, buyers and suppliers by an id, its beginning, or a part of the name. */
import type { Collection, Document, Filter } from 'mongodb';

/** A record as a search shows it. */
export interface FoundRecord {
  _id: string;
  name: string;
  status: string;
  created_at: Date;
}

interface Searched extends Document {
  _id: string;
}

const PROJECTION = { name: 1, status: 1, created_at: 1 } as const;

export interface RecordSearch {
  org_id: string;
  text: string;
  limit: number;
}

/** Those whose id begins with the text, in the order of ids. */
export const findRecordsById = <T extends Searched>(
  records: Collection<T>,
  { org_id, text, limit }: RecordSearch,
): Promise<FoundRecord[]> =>
  records
    .find<FoundRecord>(
      {
        _id: { $gte: text, $lt: `${text}\uFFFF` },
        org_id,
        removed_at: { $exists: false },
      } as unknown as Filter<T>,
      { projection: PROJECTION },
    )
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();

/** Those whose name contains the text, in any case, by name. */
export const findRecordsByName = <T extends Searched>(
  records: Collection<T>,
  { org_id, text, limit }: RecordSearch,
): Promise<FoundRecord[]> =>
  records
    .find<FoundRecord>(
      {
        org_id,
        ...nameContains(text),
        removed_at: { $exists: false },
      } as unknown as Filter<T>,
      { projection: PROJECTION, hint: { org_id: 1, name: 1 } },
    )
    .sort({ name: 1 })
    .limit(limit)
    .toArray();

/** The part of a filter by which a name contains the text, in any case; empty for none. */
export const nameContains = (
  text: string | undefined,
): { name?: { $regex: string; $options: 'i' } } =>
  text === undefined || text === '' ? {} : { name: { $regex: literal(text), $options: 'i' } };

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
