/** Plays the demo: sends the leads, waits for the open ones, and checks both sides of every sale. */
import type { LeadStatus } from '../leads/rules/leadStatus.js';
import type { Lead } from '../leads/rules/lead.js';
import type { Micros } from '../fields/money.js';
import type { DemoAccount } from './account.js';
import { decidedLeads, nameOf, runAuction, type AuctionRun, type DemoAuction } from './auction.js';
import type { DemoBuyerName } from './buyerRules.js';
import type { DemoLead, Expected } from './leads.js';
import { postLead, type IngestReply } from './post.js';
import type { Receipt } from './receipts.js';
import { compareTotals, differencesOf, unknownReceipts, type BuyerComparison } from './totals.js';

export interface DemoOutcome {
  n: number;
  title: string;
  lead_id: string | null;
  http: number;
  answer: string;
  delivery: string | null;
  /** What the lead is in the end; null when none was kept. */
  status: LeadStatus | null;
  buyer: DemoBuyerName | null;
  price: Micros | null;
  /** How long the supplier waited for its answer. */
  answer_ms: number;
  /** From arrival to decision, where the answer was `pending`. */
  decided_ms: number | null;
  /** What differs from what must happen; null when nothing does. */
  problem: string | null;
}

export interface DemoReport {
  ok: boolean;
  leads: DemoOutcome[];
  /** The lead that waited for its buyer. */
  shown: Pick<Lead, '_id' | 'trail' | 'created_at'> | null;
  buyers: BuyerComparison[];
  auction: DemoAuction;
  problems: string[];
}

export interface DemoRun extends AuctionRun {
  /** Told when it is over. */
  onAuction: (auction: DemoAuction) => void;
  /** Told after each answer. */
  onAnswer: (lead: DemoLead, reply: IngestReply) => void;
  /** Told once, when only waiting is left. */
  onWaiting: () => void;
}

/** How long a lead whose buyer has come back may take: the breaker probes within 5 s, back-off is shorter. */
const DECISION_TIMEOUT_MS = 60_000;

/**
 * @param seed gives the lead of the auction a phone and an email of its own, as `demoLeads` has it
 * @throws {Error} when the service does not answer at all
 */
export async function runDemo(
  run: DemoRun,
  leads: readonly DemoLead[],
  seed: number,
): Promise<DemoReport> {
  // Before any buyer is down: one that rests does not bid.
  const auction = await runAuction(run, seed);
  run.onAuction(auction);
  const replies: IngestReply[] = [];
  try {
    for (const lead of leads) {
      run.buyer.setDown('steady', lead.outage);
      const reply = await postLead(callOf(run, lead));
      replies.push(reply);
      run.onAnswer(lead, reply);
    }
  } finally {
    run.buyer.setDown('steady', false);
  }
  run.onWaiting();
  const stored = await decidedLeads(run, replies, DECISION_TIMEOUT_MS);
  const outcomes = leads.map((lead, index) => {
    const reply = replies[index];
    if (!reply) throw new Error(`Lead ${lead.n} was not sent`);
    return outcomeOf(lead, reply, stored.get(reply.leadId ?? ''), run.account);
  });
  const receipts = run.buyer.receipts();
  const totals = compareTotals([...stored.values()], receipts, run.account.buyers);
  const recorded = await recordedIds(run, receipts);
  const problems = [
    ...outcomes.flatMap(({ n, problem }) => (problem === null ? [] : [`lead ${n}: ${problem}`])),
    ...totals.problems,
    ...unknownReceipts(receipts, (id) => recorded.has(id)),
    ...auction.problems.map((problem) => `auction: ${problem}`),
  ];
  const waited = outcomes.find((outcome) => outcome.delivery === 'pending');
  return {
    ok: problems.length === 0,
    leads: outcomes,
    shown: stored.get(waited?.lead_id ?? '') ?? null,
    buyers: totals.buyers,
    auction,
    problems,
  };
}

function callOf({ ingestUrl, account }: DemoRun, lead: DemoLead) {
  const supplier = account.suppliers[lead.supplier];
  const body = {
    flo_campaign_id: account.campaigns[lead.campaign],
    flo_supplier_id: supplier.id,
    ...lead.fields,
  };
  return { ingestUrl, apiKey: supplier.api_key, body };
}

/** Which of the leads that the buyers were sent are in the record: of this run or of an earlier one. */
async function recordedIds(run: DemoRun, receipts: readonly Receipt[]): Promise<Set<string>> {
  const ids = [...new Set(receipts.map(({ lead_id }) => lead_id))];
  const found = await run.leads.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
  return new Set(found.map(({ _id }) => _id));
}

function outcomeOf(
  lead: DemoLead,
  reply: IngestReply,
  stored: Lead | undefined,
  account: DemoAccount,
): DemoOutcome {
  const sale = stored?.sales[0];
  const buyer = sale ? nameOf(sale.buyer_id, account) : null;
  const seen = {
    http: reply.http,
    answer: reply.answer,
    delivery: reply.delivery,
    status: stored?.status ?? null,
    buyer,
  };
  return {
    n: lead.n,
    title: lead.title,
    lead_id: reply.leadId,
    ...seen,
    price: sale?.price ?? null,
    answer_ms: reply.ms,
    decided_ms:
      reply.delivery === 'pending' && stored?.decided_at
        ? stored.decided_at.getTime() - stored.created_at.getTime()
        : null,
    problem: differences(lead.expected, seen, reply.message),
  };
}

type Seen = Pick<DemoOutcome, 'http' | 'answer' | 'delivery' | 'status' | 'buyer'>;

function differences(expected: Expected, seen: Seen, message: string | null): string | null {
  const sold = expected.final === 'ACCEPTED';
  const wrong = differencesOf([
    ['status code', expected.http, seen.http],
    ['answer', expected.answer, seen.answer],
    ['delivery', sold ? (expected.delivery ?? 'delivered') : seen.delivery, seen.delivery],
    ['final status', expected.final, seen.status],
    ['buyer', expected.buyer, seen.buyer],
  ]);
  if (wrong.length === 0) return null;
  return wrong.join(', ') + (message === null ? '' : ` (${message})`);
}
