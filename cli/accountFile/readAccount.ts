/** Reads the account from the server. */
import type { Client } from '../client/client.js';
import { isRow, type Row } from '../output/rows.js';
import { CAP_KEYS, TERM_KEYS } from './fileSchema.js';
import { readFunnel, storedFunnel } from './funnels.js';
import type {
  Account,
  AccountFile,
  Named,
  Stored,
  StoredCampaign,
  StoredFunnel,
  Terms,
} from './model.js';
import { getOwn } from '../../src/lib/getOwn.js';

/** Maximum rows per page. */
const PAGE = 500;

/**
 * Every record by its name. Campaigns and buyers are read one by one: of those that a file does not concern,
 * only the name and id are read.
 * @param file whose records are wanted; null for all
 * @throws {Refused | Unreachable}
 */
export async function readAccount(client: Client, file: AccountFile | null): Promise<Account> {
  const campaigns = await rowsOf(client, 'list_campaigns');
  const buyers = await rowsOf(client, 'list_buyers');
  const suppliers = await rowsOf(client, 'list_suppliers');
  const links = (file?.campaigns ?? []).flatMap((one) => one.buyers);
  const overriding = links.filter(({ terms }) => isRow(terms.delivery));
  // A delivery may name the fields of any campaign.
  const isWhole =
    overriding.length > 0 || !file || file.buyers.some(({ terms }) => terms.delivery !== undefined);
  const named = (records: readonly Named[] | undefined) => new Set(records?.map((one) => one.name));
  // A campaign's overrides are checked over its buyer's own delivery.
  const wantedBuyers = named([...(file?.buyers ?? []), ...overriding]);
  const wantedCampaigns = named(file?.campaigns);
  const account: Account = {
    buyers: [],
    suppliers: suppliers.map((row) => storedOf(row, TERM_KEYS.supplier)),
    campaigns: [],
    funnels: await readFunnels(client, file),
  };
  for (const row of buyers) {
    const isWanted = !file || wantedBuyers.has(String(row.name));
    account.buyers.push(isWanted ? await readBuyer(client, String(row.id)) : storedOf(row, []));
  }
  for (const row of campaigns) {
    const isWanted = isWhole || wantedCampaigns.has(String(row.name));
    const id = String(row.id);
    account.campaigns.push(isWanted ? await readCampaign(client, id) : campaignOf(row, []));
  }
  return account;
}

/** A file without funnels needs no permission for them. */
async function readFunnels(client: Client, file: AccountFile | null): Promise<StoredFunnel[]> {
  if (file?.funnels.length === 0) return [];
  const wanted = file && new Set(file.funnels.map(({ name }) => name));
  const found: StoredFunnel[] = [];
  for (const row of await rowsOf(client, 'list_funnels')) {
    const isWanted = !wanted || wanted.has(String(row.name));
    const funnel = isWanted ? await readFunnel(client, String(row.id)) : storedFunnel(row);
    if (funnel) found.push(funnel);
  }
  return found;
}

export async function readBuyer(client: Client, id: string): Promise<Stored> {
  return storedOf(recordOf(await client.run('get_buyer', { buyer_id: id })), TERM_KEYS.buyer);
}

export async function readCampaign(client: Client, id: string): Promise<StoredCampaign> {
  const view = recordOf(await client.run('get_campaign', { campaign_id: id }));
  return campaignOf(view, TERM_KEYS.campaign);
}

/** A whole list, all pages. */
export async function rowsOf(client: Client, action: string): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await client.run(action, { limit: PAGE, ...(cursor ? { cursor } : {}) });
    rows.push(...(Array.isArray(page.data) ? page.data.filter(isRow) : []));
    cursor = page.next_cursor;
  } while (cursor);
  return rows;
}

/** A campaign as an action returns it. */
export function campaignOf(view: Row, keys: readonly string[]): StoredCampaign {
  const { field_mapping, ...others } = view;
  const links = (list: unknown, linkKeys: readonly string[]): Named[] =>
    (Array.isArray(list) ? list.filter(isRow) : []).map((link) => storedOf(link, linkKeys));
  return {
    ...storedOf({ ...others, fields: field_mapping }, keys),
    version: Number(view.version),
    buyers: links(view.buyers, TERM_KEYS.buyerLink),
    suppliers: links(view.suppliers, TERM_KEYS.supplierLink),
  };
}

export const storedOf = (view: Row, keys: readonly string[]): Stored => ({
  id: String(view.id),
  name: String(view.name),
  terms: termsOf(view, keys),
});

/** Settings that are null until they are set. */
const UNSAID: readonly string[] = ['ping', 'returns'];

/** The settings in an action's answer; of limits, pings and returns only those that are set. */
function termsOf(view: Row, keys: readonly string[]): Terms {
  const limits = CAP_KEYS.filter((key) => getOwn(view, key) != null).map((key) => [
    key,
    getOwn(view, key),
  ]);
  const all: Row = { ...view, caps: Object.fromEntries(limits) };
  const isThere = (key: string) =>
    getOwn(all, key) !== undefined && (!UNSAID.includes(key) || getOwn(all, key) !== null);
  return Object.fromEntries(keys.filter(isThere).map((key) => [key, getOwn(all, key)]));
}

function recordOf({ data }: { data: unknown }): Row {
  if (isRow(data)) return data;
  throw new Error('The server returned no record.');
}
