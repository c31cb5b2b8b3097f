/** People of buyers and suppliers who are signed in to their portals, and open pages as a browser does. */
import { Pool } from 'undici';
import type { Side } from '../../../src/portal/settingsSchema.js';
import type { TestAccount } from '../../support/account.js';
import { openPortal } from '../../support/portal.js';
import type { Bench } from '../bench.js';
import { buyerPages, supplierPages, type PartnerPage } from './partnerPages.js';

const CONNECTIONS = 128;

export interface PartnerBrowser {
  /** Names of the pages, of both sides. */
  pages: readonly string[];
  /** Opens a page as the n-th person of its side. Its class: `opened`, or the status and code of the first refusal. */
  open(page: string, n: number): Promise<string>;
  close(): Promise<void>;
}

interface Visitor {
  membershipId: string;
  cookie: string;
  pages: ReadonlyMap<string, PartnerPage>;
}

/** @param people signed in, one after the other a buyer's and a supplier's */
export async function openPartners(
  bench: Bench,
  account: TestAccount,
  people: number,
): Promise<PartnerBrowser> {
  const visitors: Record<Side, Visitor[]> = { buyer: [], supplier: [] };
  for (let n = 0; n < people; n++) {
    const side = n % 2 === 0 ? 'buyer' : 'supplier';
    visitors[side].push(await visitorOf(bench, account, side, Math.floor(n / 2)));
  }
  const pool = new Pool(bench.apiUrl, { connections: CONNECTIONS, keepAliveTimeout: 60_000 });
  const pages = [visitors.buyer[0], visitors.supplier[0]].flatMap((one) =>
    one ? [...one.pages.keys()] : [],
  );
  return {
    pages,
    async open(page, n) {
      const side = visitors.buyer[0]?.pages.has(page) ? 'buyer' : 'supplier';
      const visitor = visitors[side][n % visitors[side].length];
      const calls = visitor?.pages.get(page)?.calls;
      if (!visitor || !calls) throw new Error(`There is no page "${page}"`);
      const answers = await Promise.all(
        calls.map(([call, input]) => callOf(pool, visitor, call, input)),
      );
      return answers.find((answer) => answer !== 'opened') ?? 'opened';
    },
    close: () => pool.destroy(),
  };
}

async function callOf(
  pool: Pool,
  { membershipId, cookie }: Visitor,
  call: string,
  input: Record<string, unknown>,
): Promise<string> {
  const reply = await pool.request({
    path: `/portal/api/${membershipId}/${call}`,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
    body: JSON.stringify(input),
  });
  const said = (await reply.body.json()) as { error?: string };
  return reply.statusCode === 200 ? 'opened' : `${reply.statusCode} ${call} ${said.error ?? ''}`;
}

/** Somebody of one of the account's partners, whose portal is open. */
async function visitorOf(
  { collections }: Bench,
  account: TestAccount,
  side: Side,
  n: number,
): Promise<Visitor> {
  const { orgId: org_id, campaignId, suppliers, buyers } = account;
  const parties = side === 'buyer' ? Object.values(buyers) : suppliers.map(({ id }) => id);
  const party_id = parties[n % parties.length] ?? '';
  const { membership_id, cookie } = await openPortal(collections, { org_id, side, party_id });
  const own = { campaignId, leadId: await leadOf(collections, org_id, side, party_id) };
  const pages = side === 'buyer' ? buyerPages(own) : supplierPages(own);
  return {
    membershipId: membership_id,
    cookie,
    pages: new Map(pages.map((page) => [page.name, page])),
  };
}

/** A lead that the partner may see. */
async function leadOf(
  { leads }: Bench['collections'],
  org_id: string,
  side: Side,
  partyId: string,
): Promise<string> {
  const own = side === 'buyer' ? { 'sales.buyer_id': partyId } : { supplier_id: partyId };
  const lead = await leads.findOne({ org_id, ...own }, { projection: { _id: 1 } });
  if (!lead) throw new Error(`No lead of the ${side} is stored`);
  return lead._id;
}
