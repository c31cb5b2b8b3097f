/** A local HTTP server that stands for the three demo buyers, one path each. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import {
  answerLead,
  answerPing,
  DEMO_BUYERS,
  DOWN,
  type DemoAnswer,
  type DemoBuyerName,
  steadyBid,
} from './buyerRules.js';
import { type Micros, toMicros } from '../fields/money.js';
import { lruMap } from '../lib/lruMap.js';
import { DEMO_CAMPAIGNS, type DemoCampaignKey } from './names.js';
import { createReceipts, type BuyerTotals, type Receipt } from './receipts.js';
import { BUYER_LINKS, PINGED_BUYER } from './terms.js';

const BODY_MAX_BYTES = 256 * 1024;
const REMEMBERED = 50_000;

export type DemoBuyer = Awaited<ReturnType<typeof startDemoBuyer>>;

/**
 * Listens on loopback, on `preferredPort` when it is free and on any free port otherwise. Besides leads it
 * answers pings at `POST /{buyer}/ping`, takes `POST /{buyer}/down` and `POST /{buyer}/up`, and shows its totals at `GET /`.
 */
export async function startDemoBuyer(preferredPort = 0) {
  const receipts = createReceipts(REMEMBERED);
  const answers = lruMap<string, DemoAnswer>(REMEMBERED);
  const down = new Set<DemoBuyerName>();
  const agreed = new Map<string, DemoCampaignKey>();

  function owed(name: DemoBuyerName, lead: Record<string, unknown>): Micros {
    const named = typeof lead.price === 'number' ? toMicros(lead.price) : 0;
    const campaign = agreed.get(text(lead.campaign_id));
    return campaign === undefined ? named : (owedFor(campaign, name, lead) ?? named);
  }

  function setDown(name: DemoBuyerName, isDown: boolean): void {
    if (isDown) down.add(name);
    else down.delete(name);
  }

  function takeLead(name: DemoBuyerName, key: string, lead: Record<string, unknown>): DemoAnswer {
    const known = answers.get(`${name} ${key}`);
    const answer = down.has(name) ? DOWN : (known ?? answerLead(name, lead));
    if (answer !== DOWN && !known) answers.set(`${name} ${key}`, answer);
    receipts.add({
      buyer: name,
      lead_id: text(lead.lead_id),
      idempotency_key: key,
      result: answer.result,
      repeated: answer === known,
      price: owed(name, lead),
    });
    return answer;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, path = '', command] = (request.url ?? '/').split('/');
    if (request.method === 'GET' && path === '') {
      reply(response, 200, Object.fromEntries(DEMO_BUYERS.map((b) => [b, receipts.totals(b)])));
      return;
    }
    const name = DEMO_BUYERS.find((buyer) => buyer === path);
    if (!name || request.method !== 'POST') {
      reply(response, 404, { error: 'not_found' });
      return;
    }
    if (command === 'down' || command === 'up') {
      setDown(name, command === 'down');
      reply(response, 200, { buyer: name, down: down.has(name) });
      return;
    }
    const lead = await readJson(request);
    if (!lead) {
      reply(response, 400, { error: 'malformed_body' });
      return;
    }
    if (command === 'ping') {
      if (down.has(name)) reply(response, DOWN.status, DOWN.body);
      else reply(response, 200, answerPing(name, lead));
      return;
    }
    const key = request.headers['idempotency-key'];
    const answer = takeLead(name, typeof key === 'string' ? key : text(lead.lead_id), lead);
    if (answer.delayMs > 0) await wait(answer.delayMs);
    reply(response, answer.status, answer.body);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  const port = await listen(server, preferredPort);
  return {
    /** Shows the totals of all. */
    rootUrl: `http://127.0.0.1:${port}`,
    /** Where this buyer takes its leads. */
    url: (name: DemoBuyerName): string => `http://127.0.0.1:${port}/${name}`,
    /** From now on leads of these campaigns are owed by the buyers' own terms, whatever price a request names. */
    agree(campaigns: Record<DemoCampaignKey, string>): void {
      for (const key of Object.keys(DEMO_CAMPAIGNS) as DemoCampaignKey[])
        agreed.set(campaigns[key], key);
    },
    /** While down it answers 503 to everything. */
    setDown,
    /** The newest requests, oldest of them first. */
    receipts: (): readonly Receipt[] => receipts.recent(),
    totals: (name: DemoBuyerName): BuyerTotals => receipts.totals(name),
    async stop(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: Server, preferredPort: number): Promise<number> {
  for (const port of new Set([preferredPort, 0])) {
    server.listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
      break;
    } catch (error) {
      if (port === 0) throw error;
    }
  }
  return (server.address() as AddressInfo).port;
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown> | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_MAX_BYTES) return null;
    chunks.push(chunk);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return isRecord(body) ? body : null;
  } catch {
    return null;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

// What the demo buyers owe by their own terms, so that their count of the money is not an echo of ours.

/**
 * The price of a lead by what the buyer agreed to: its bid where it bids, the price of its link otherwise.
 * Null: it agreed to nothing for this campaign.
 */
function owedFor(
  campaign: DemoCampaignKey,
  buyer: DemoBuyerName,
  lead: Record<string, unknown>,
): Micros | null {
  const isBidder = campaign === 'pingPost' && buyer === PINGED_BUYER;
  const price = isBidder ? steadyBid(lead.state) : BUYER_LINKS[campaign][buyer]?.price;
  return price === undefined ? null : toMicros(price);
}
