/** The names of the lines of a report that stand for records. */
import type { PingGroupBy } from '../../reports/pingReport.js';
import type { GroupBy } from '../../reports/report.js';
import type { ActionContext } from './action.js';

const RECORDS = { buyer: 'buyers', supplier: 'suppliers', campaign: 'campaigns' } as const;
export const isRecord = (by: GroupBy): by is PingGroupBy => by in RECORDS;

/** The names of records; a deleted one has none, and its id is shown. */
export async function namesOf(
  ids: string[],
  by: GroupBy,
  { collections, caller }: ActionContext,
): Promise<Map<string, string>> {
  if (!isRecord(by)) return new Map();
  const wanted = { org_id: caller.org_id, _id: { $in: ids } };
  const found =
    by === 'buyer'
      ? await collections.buyers.find(wanted).toArray()
      : by === 'supplier'
        ? await collections.suppliers.find(wanted).toArray()
        : await collections.campaigns.find(wanted).toArray();
  return new Map(found.map(({ _id, name }) => [_id, name]));
}
