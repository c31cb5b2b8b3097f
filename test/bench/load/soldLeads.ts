/**
 * Sold leads without outcomes yet, and the buyers that report them. The leads are written to the database in the state
 * that a sale leaves: selling this many would take longer than the measurement.
 */
import { webhookSecretPlace } from '../../../src/account/rules/sealedPlaces.js';
import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { lookupKeys } from '../../../src/leads/rules/dedupe.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { TrailEntry } from '../../../src/leads/rules/trail.js';
import { changeId } from '../../../src/outcomes/changeId.js';
import { aLead } from '../../support/storedRows.js';
import type { TestAccount } from '../../support/account.js';
import { aPerson } from '../../support/supplier.js';
import type { Bench } from '../bench.js';

/** Each buyer may send 100 outcomes per second. */
const BUYERS = 40;
const CONNECTIONS = 512;
const AT_ONCE = 2_000;
/** Every fifth outcome names its lead by phone number and campaign. */
const BY_PHONE_EVERY = 5;
const OUTCOMES = ['converted', 'pending', 'converted', 'not_qualified'] as const;

export interface SoldLeads {
  account: TestAccount;
  /** Sends the n-th outcome. Its class: the outcome, or the status or error of a failure. */
  say(n: number): Promise<string>;
  /** How many outcomes were sent so far. */
  sent(): number;
  /** The leads of outcomes answered with 200, by the ids of the changes. */
  acknowledged: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

interface Told {
  lead: Lead;
  buyerId: string;
  secret: string;
}

/** @param count leads; after that many outcomes, the first leads get another one */
export async function sellLeads(bench: Bench, count: number): Promise<SoldLeads> {
  const { account, supplier } = await bench.account(() => ({
    buyers: Object.fromEntries(
      Array.from({ length: BUYERS }, (_, n) => [
        `buyer ${n + 1}`,
        { price: 10, delivery: { method: 'STORE' as const } },
      ]),
    ),
  }));
  await supplier.close();
  const secrets = await secretsOf(bench, account);
  const sold: Told[] = [];
  for (let n = 0; n < count; n += 1) {
    const [buyerId, secret] = secrets[n % secrets.length] ?? ['', ''];
    sold.push({ lead: leadOf(account, buyerId), buyerId, secret });
  }
  for (let from = 0; from < count; from += AT_ONCE)
    await bench.collections.leads.insertMany(
      sold.slice(from, from + AT_ONCE).map(({ lead }) => lead),
      { ordered: false },
    );
  return saying(bench, account, sold);
}

function saying({ apiUrl }: Bench, account: TestAccount, sold: readonly Told[]): SoldLeads {
  const pool = new Pool(apiUrl, { connections: CONNECTIONS, keepAliveTimeout: 60_000 });
  const acknowledged = new Map<string, string>();
  let sent = 0;
  return {
    account,
    acknowledged,
    async say(n) {
      sent += 1;
      const told = sold[n % sold.length];
      if (!told) throw new Error('There are no leads');
      const { lead, buyerId, secret } = told;
      const outcome = OUTCOMES[n % OUTCOMES.length] ?? 'pending';
      const key = `outcome ${n}`;
      const body = {
        ...(n % BY_PHONE_EVERY === 0
          ? { campaign_id: lead.campaign_id, phone: lead.fields.phone }
          : { lead_id: lead._id }),
        outcome,
        revenue: revenueOf(n),
        idempotency_key: key,
      };
      try {
        const reply = await pool.request({
          path: '/api/webhooks/buyer-outcome',
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-buyer-secret': secret },
          body: JSON.stringify(body),
        });
        const said = (await reply.body.json()) as { error?: string };
        if (reply.statusCode !== 200) return `${String(reply.statusCode)} ${said.error ?? ''}`;
        acknowledged.set(changeId(buyerId, 'buyer', key), lead._id);
        return outcome;
      } catch (error) {
        return error instanceof Error ? `Error ${error.name}` : 'Error';
      }
    },
    sent: () => sent,
    close: () => pool.destroy(),
  };
}

/** Different for each outcome, so that the last one applied can be recognized. */
const revenueOf = (n: number): number => (n + 1) / 100;

/** Webhook secrets by buyer id. */
async function secretsOf(
  { collections, keyring }: Bench,
  { orgId }: TestAccount,
): Promise<[string, string][]> {
  const buyers = await collections.buyers.find({ org_id: orgId }).toArray();
  return buyers.map(({ _id, webhook_secret }) => [
    _id,
    keyring.open(webhook_secret, webhookSecretPlace(_id)),
  ]);
}

const PRICE = 10_000_000;
const COST = 4_000_000;

/** The state after the sale to its first buyer; each change writes a usual trail anew, so the trail is included. */
function leadOf({ orgId, campaignId, suppliers }: TestAccount, buyer_id: string): Lead {
  const at = new Date();
  const person = aPerson();
  const fields = { ...person, phone: `+1${person.phone ?? ''}` };
  const step = (entry: Omit<TrailEntry, 'at'>): TrailEntry => ({ at, ...entry });
  return aLead({
    _id: randomUUID(),
    org_id: orgId,
    campaign_id: campaignId,
    created_at: at,
    supplier_id: suppliers[0]?.id ?? '',
    fields,
    keys: lookupKeys(fields),
    buyer_id,
    status: 'ACCEPTED',
    price: PRICE,
    cost: COST,
    profit: PRICE - COST,
    decided_at: at,
    sales: [{ buyer_id, attempt: 1, price: PRICE, cost: COST, at }],
    trail: [
      step({ step: 'received', result: 'valid' }),
      step({ step: 'filters', result: 'passed' }),
      step({ step: 'suppression', result: 'passed' }),
      step({ step: 'routing', result: 'ranked', detail: { eligible: [buyer_id] } }),
      step({ step: 'delivery', result: 'accepted', buyer_id, detail: { http_status: 200 } }),
    ],
    changes: 1,
    uncounted: true,
  });
}
