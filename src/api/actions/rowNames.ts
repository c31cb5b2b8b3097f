/** The names of campaigns, suppliers and buyers beside their ids, in rows of lists. */
import { z } from 'zod';
import type { ActionContext } from './action.js';
import { readNames } from './recordNames.js';
import { orNull } from './schemas/common.js';

/** For the output of a list. */
export const RowNames = {
  campaign_name: orNull(z.string()).describe('Name of the campaign; null: it is gone'),
  supplier_name: orNull(z.string()).describe('Name of the supplier; null: it is gone'),
  buyer_name: orNull(z.string()).describe('Name of the buyer; null: there is none, or it is gone'),
};

/** A row that has records by their ids. */
interface Row {
  campaign_id?: string | null;
  supplier_id?: string | null;
  buyer_id?: string | null;
}

type NamesOf = (row: Row) => Record<keyof typeof RowNames, string | undefined>;

/** Reads the names that these rows need: one query for each kind of record, whatever their number. */
export async function readRowNames(
  { collections, orgId }: Pick<ActionContext, 'collections' | 'orgId'>,
  rows: readonly Row[],
): Promise<NamesOf> {
  const idsOf = (key: keyof Row) => rows.flatMap((row) => row[key] ?? []);
  const [campaigns, suppliers, buyers] = await Promise.all([
    readNames(collections.campaigns, idsOf('campaign_id'), orgId),
    readNames(collections.suppliers, idsOf('supplier_id'), orgId),
    readNames(collections.buyers, idsOf('buyer_id'), orgId),
  ]);
  return ({ campaign_id, supplier_id, buyer_id }) => ({
    campaign_name: campaigns.get(campaign_id ?? ''),
    supplier_name: suppliers.get(supplier_id ?? ''),
    buyer_name: buyers.get(buyer_id ?? ''),
  });
}
