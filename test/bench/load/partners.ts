/** People of buyers and suppliers that are signed in to their portals, and open pages like a browser. */
import { Pool } from 'undici';
import type { Side } from '../../../src/portal/settingsSchema.js';
import type { TestAccount } from '../../support/account.js';
import { openPortal } from '../../support/portal.js';
import type { Bench } from '../bench.js';
import { buyerPages, supplierPages, type PartnerPage } from './partnerPages.js';

const CONNECTIONS = 128;

export interface PartnerBrowser {
  /** Names of the pages of both sides. */
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

/** @param people signed-in people, alternately of a buyer and of a supplier */
export async function openPartners(
  bench: Bench,
  account: TestAccount,
  people: number,
): Promise<PartnerBrowser> {
  const visitors: Record<Side, Visitor[]> = { buyer: [], supplier: [] };
  const own: Record<Side, OwnLead[]> = {
    buyer: await ownLeads(bench, account, 'buyer', Object.values(account.buyers)),
    supplier: await ownLeads(
      bench,
      account,
      'supplier',
      account.suppliers.map(({ id }) => id),
    ),
  };
  for (let n = 0; n < people; n++) {
    const side = n % 2 === 0 ? 'buyer' : 'supplier';
    visitors[side].push(await visitorOf(bench, account, side, own[side], Math.floor(n / 2)));
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

/** A person of one of the account's partners, with an open portal. */
async function visitorOf(
  { collections }: Bench,
  { orgId: org_id, campaignId }: TestAccount,
  side: Side,
  leads: readonly OwnLead[],
  n: number,
): Promise<Visitor> {
  const own = leads[n % leads.length];
  if (!own) throw new Error(`No ${side} has a lead`);
  const { party_id, leadId } = own;
  const { membership_id, cookie } = await openPortal(collections, { org_id, side, party_id });
  const given = { campaignId, leadId };
  const pages = side === 'buyer' ? buyerPages(given) : supplierPages(given);
  return {
    membershipId: membership_id,
    cookie,
    pages: new Map(pages.map((page) => [page.name, page])),
  };
}

interface OwnLead {
  party_id: string;
  leadId: string;
}

/** Partners of a side that have leads, each with one lead it may see: a waterfall's last buyers may have none. */
async function ownLeads(
  { collections }: Bench,
  { orgId: org_id }: TestAccount,
  side: Side,
  partyIds: readonly string[],
): Promise<OwnLead[]> {
  const found = partyIds.map(async (party_id) => {
    const own = side === 'buyer' ? { 'sales.buyer_id': party_id } : { supplier_id: party_id };
    const lead = await collections.leads.findOne({ org_id, ...own }, { projection: { _id: 1 } });
    return lead ? [{ party_id, leadId: lead._id }] : [];
  });
  return (await Promise.all(found)).flat();
}
