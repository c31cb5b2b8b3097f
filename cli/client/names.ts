/** Names for ids: the names by which people know campaigns, buyers and suppliers. */
import { rowsOf } from '../output/rows.js';
import type { Client } from './client.js';

const LISTS = {
  campaigns: 'list_campaigns',
  buyers: 'list_buyers',
  suppliers: 'list_suppliers',
} as const;
export type Named = keyof typeof LISTS;

/** Maximum of one page. */
const NAMES_MAX = 500;

/** Names are a help: where the key may not read them, and beyond the first 500, ids are shown. */
export async function readNames(
  client: Client,
  kinds: readonly Named[],
): Promise<Map<string, string>> {
  const lists = await Promise.all(
    kinds.map((kind) => client.run(LISTS[kind], { limit: NAMES_MAX }).catch(() => ({ data: [] }))),
  );
  const rows = lists.flatMap(({ data }) => rowsOf(data));
  return new Map(rows.map(({ id, name }) => [String(id), String(name)]));
}
