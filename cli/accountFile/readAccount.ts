/** Reads the account from the server. */
import type { Client } from '../client/client.js';
import { isRow, type Row } from '../output/rows.js';
import { storedAutomation } from './automations.js';
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

/** A single campaign, buyer or funnel is read by itself; more are read as a list of whole ones. */
const ONE_BY_ONE = 1;

/**
 * Every record by its name, in few calls whatever their number: a page of a list has whole records. Of those that a file
 * does not concern, only the name and id are read.
 * @param file whose records are wanted; null for all
 * @throws {Refused | Unreachable}
 */
export async function readAccount(client: Client, file: AccountFile | null): Promise<Account> {
  const links = (file?.campaigns ?? []).flatMap((one) => one.buyers);
  const overriding = links.filter(({ terms }) => isRow(terms.delivery));
  // A delivery, or a condition, may name the fields of any campaign.
  const isWhole =
    overriding.length > 0 ||
    !file ||
    file.automations.some(({ terms }) => terms.conditions !== undefined) ||
    file.buyers.some(({ terms }) => terms.delivery !== undefined);
  const named = (records: readonly Named[] | undefined) => new Set(records?.map((one) => one.name));
  // A campaign's overrides are checked over its buyer's own delivery.
  const wantedBuyers = file ? named([...file.buyers, ...overriding]) : null;
  const wantedCampaigns = isWhole ? null : named(file.campaigns);
  const campaigns = await readRecords(client, 'campaign', wantedCampaigns, readCampaign);
  const nameOf = (id: string) => campaigns.find((one) => one.id === id)?.name;
  const buyers = await readRecords(client, 'buyer', wantedBuyers, readBuyer);
  const suppliers = await rowsOf(client, 'list_suppliers');
  return {
    buyers,
    suppliers: suppliers.map((row) => storedOf(row, TERM_KEYS.supplier)),
    campaigns,
    funnels: await readFunnels(client, file),
    automations: await readAutomations(client, file, nameOf),
  };
}

const READ = {
  campaign: (row: Row, isWanted: boolean) => campaignOf(row, isWanted ? TERM_KEYS.campaign : []),
  buyer: (row: Row, isWanted: boolean): Stored => storedOf(row, isWanted ? TERM_KEYS.buyer : []),
};

/** @param wanted the names of those that are read with their settings; null: all */
async function readRecords<K extends keyof typeof READ>(
  client: Client,
  kind: K,
  wanted: ReadonlySet<string> | null,
  readOne: (client: Client, id: string) => Promise<ReturnType<(typeof READ)[K]>>,
): Promise<ReturnType<(typeof READ)[K]>[]> {
  const whole = wanted === null || wanted.size > ONE_BY_ONE;
  const rows = await rowsOf(client, `list_${kind}s`, { include_archived: true, whole });
  const read: ReturnType<(typeof READ)[K]>[] = [];
  for (const row of rows) {
    const isWanted = wanted === null || wanted.has(String(row.name));
    const isRead = whole || !isWanted;
    const one = READ[kind](row, isWanted) as ReturnType<(typeof READ)[K]>;
    read.push(isRead ? one : await readOne(client, String(row.id)));
  }
  return read;
}

/** A file without automations needs none of them. */
async function readAutomations(
  client: Client,
  file: AccountFile | null,
  nameOf: (campaignId: string) => string | undefined,
): Promise<Stored[]> {
  if (file?.automations.length === 0) return [];
  const rows = await rowsOf(client, 'list_automations');
  return rows.flatMap((row) => storedAutomation(row, nameOf) ?? []);
}

/** A file without funnels needs no permission for them. */
async function readFunnels(client: Client, file: AccountFile | null): Promise<StoredFunnel[]> {
  if (file?.funnels.length === 0) return [];
  const wanted = file && new Set(file.funnels.map(({ name }) => name));
  const whole = wanted === null || wanted.size > ONE_BY_ONE;
  const found: StoredFunnel[] = [];
  for (const row of await rowsOf(client, 'list_funnels', { whole })) {
    const isRead = whole || !wanted.has(String(row.name));
    const funnel = isRead ? storedFunnel(row) : await readFunnel(client, String(row.id));
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
export async function rowsOf(client: Client, action: string, filter: Row = {}): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await client.run(action, {
      ...filter,
      limit: PAGE,
      ...(cursor ? { cursor } : {}),
    });
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
