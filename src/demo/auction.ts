/** The auction of the demo: a ping, who bids what, and the lead that is posted to it. */
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Lead } from '../leads/rules/lead.js';
import { isOpen } from '../leads/rules/leadStatus.js';
import type { Bid } from '../pings/rules/ping.js';
import { type Micros, fromMicros } from '../fields/money.js';
import { pingIdOf } from '../pings/pingId.js';
import type { LeadCollections } from '../leads/store/collections.js';
import type { PingCollections } from '../pings/store/collections.js';
import type { DemoAccount } from './account.js';
import type { DemoBuyer } from './buyer.js';
import { DEMO_BUYERS, type DemoBuyerName } from './buyerRules.js';
import { postJson, postLead, type IngestReply } from './post.js';
import { isTaken } from './receipts.js';
import { differencesOf } from './totals.js';

/** What a buyer would pay, and what the supplier would get of it. */
export interface DemoBid extends Pick<Bid, 'source' | 'price' | 'bid'> {
  buyer: DemoBuyerName;
  /** Latency of its bid, where it was pinged. */
  latency_ms: number | null;
}

export interface DemoAuction {
  state: string;
  ping_id: string | null;
  /** How long the supplier waited for the bids. */
  ping_ms: number;
  /** Best first. */
  bids: DemoBid[];
  lead_id: string | null;
  http: number | null;
  answer: string;
  /** What each side pays and gets, and what is kept; null: it was not sold. */
  sale: { buyer: DemoBuyerName; price: Micros; cost: Micros; kept: Micros } | null;
  problems: string[];
}

export interface AuctionRun {
  ingestUrl: string;
  account: DemoAccount;
  buyer: DemoBuyer;
  leads: LeadCollections['leads'];
  pings: PingCollections['pings'];
}

/**
 * The fields that the ping of the auction contains, and those that only the post adds; no other lead has the same.
 * @param run as of `demoLeads`
 */
function auctionLead(run: number): Record<'sent' | 'withheld', Record<string, string>> {
  return {
    sent: { state: 'CA', zip_code: '94103' },
    withheld: {
      first_name: 'Rosa',
      last_name: 'Auction',
      phone: `${20_000_000 + run}99`,
      email: `rosa.auction.${run.toString(36)}@example.com`,
    },
  };
}

/** Steady's bid for this state is better than Premier's price. */
const EXPECTED: readonly DemoBuyerName[] = ['steady', 'premier', 'open'];
const TIMEOUT_MS = 15_000;
const POLL_INTERVAL_MS = 50;

const Answer = z.object({
  ping_id: z.string().optional(),
  buyers: z.array(z.object({ buyer_id: z.string(), bid_price: z.number() })).default([]),
  reason: z.string().optional(),
  error: z.string().optional(),
  message: z.string().optional(),
});

/**
 * @param seed as of `demoLeads`
 * @throws {Error} when the service does not answer at all
 */
export async function runAuction(run: AuctionRun, seed: number): Promise<DemoAuction> {
  const { account } = run;
  const { sent, withheld } = auctionLead(seed);
  const ids = {
    flo_campaign_id: account.campaigns.pingPost,
    flo_supplier_id: account.suppliers.web.id,
  };
  const call = { ingestUrl: run.ingestUrl, apiKey: account.suppliers.web.api_key };
  const pinged = await postJson('/api/v1/ping', { ...call, body: { ...ids, ...sent } });
  const answer = Answer.parse(pinged.answer);
  const seen = { state: String(sent.state), ping_ms: pinged.ms };
  if (answer.ping_id === undefined) {
    const why = answer.message ?? answer.reason ?? answer.error ?? 'no reason';
    const nothing = { ping_id: null, bids: [], lead_id: null, http: null, answer: '', sale: null };
    return { ...seen, ...nothing, problems: [`the ping got no bids: ${why}`] };
  }
  const ping_id = pingIdOf(answer.ping_id);
  const bids = await storedBids(ping_id, run);
  const body = { ...ids, ...sent, ...withheld, flo_ping_id: answer.ping_id };
  const reply = await postLead({ ...call, body });
  const decided = await decidedLeads(run, [reply], TIMEOUT_MS);
  const sale = saleOf(decided.get(reply.leadId ?? ''), account);
  const shown = answer.buyers.map((one) => `${nameOf(one.buyer_id, account)} ${one.bid_price}`);
  const outcome = { lead_id: reply.leadId, http: reply.http, answer: reply.answer, sale };
  const problems = problemsOf({ bids, shown, ...outcome }, run);
  return { ...seen, ping_id, bids, ...outcome, problems };
}

async function storedBids(pingId: string, { pings, account }: AuctionRun): Promise<DemoBid[]> {
  const stored = await pings.findOne({ _id: pingId });
  return (stored?.bids ?? []).flatMap(({ buyer_id, source, price, bid, latency_ms = null }) => {
    const buyer = nameOf(buyer_id, account);
    return buyer === null ? [] : [{ buyer, source, price, bid, latency_ms }];
  });
}

export const nameOf = (id: string, { buyers }: DemoAccount): DemoBuyerName | null =>
  DEMO_BUYERS.find((name) => buyers[name].id === id) ?? null;

/** The leads by id, once none of them is open; or as they are when the timeout ends. */
export async function decidedLeads(
  { leads }: AuctionRun,
  replies: readonly IngestReply[],
  timeoutMs: number,
): Promise<Map<string, Lead>> {
  const ids = replies.flatMap(({ leadId }) => leadId ?? []);
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await leads.find({ _id: { $in: ids } }).toArray();
    if (found.every((lead) => !isOpen(lead.status)) || Date.now() > deadline)
      return new Map(found.map((lead) => [lead._id, lead]));
    await wait(POLL_INTERVAL_MS);
  }
}

function saleOf(lead: Lead | undefined, account: DemoAccount): DemoAuction['sale'] {
  const [sale] = lead?.sales ?? [];
  const buyer = sale ? nameOf(sale.buyer_id, account) : null;
  if (!sale || buyer === null) return null;
  return { buyer, price: sale.price, cost: sale.cost, kept: sale.price - sale.cost };
}

interface Seen extends Pick<DemoAuction, 'bids' | 'lead_id' | 'http' | 'answer' | 'sale'> {
  /** What the supplier was shown, best first. */
  shown: string[];
}

/** Whatever is otherwise than it must be. */
function problemsOf({ bids, shown, lead_id, http, answer, sale }: Seen, run: AuctionRun): string[] {
  const [best] = bids;
  const taken = run.buyer.receipts().filter((one) => one.lead_id === lead_id && isTaken(one));
  const [receipt] = taken;
  const stored = bids.map(({ buyer, bid }) => `${buyer} ${fromMicros(bid)}`);
  return differencesOf([
    ['bidders', EXPECTED.join(', '), bids.map(({ buyer }) => buyer).join(', ')],
    ['shown bids', stored.join(', '), shown.join(', ')],
    ['answer', '201 ACCEPTED', `${http} ${answer}`],
    ['buyer', best?.buyer, sale?.buyer],
    ['price', best?.price, sale?.price],
    ['cost', best?.bid, sale?.cost],
    ['leads taken', 1, taken.length],
    ['price at the buyer', best?.price, receipt?.price],
  ]);
}
