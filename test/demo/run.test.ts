import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ensureDemoAccount } from '../../src/demo/account.js';
import type { DemoAccount } from '../../src/demo/account.js';
import { startDemoBuyer } from '../../src/demo/buyer.js';
import type { DemoBuyer } from '../../src/demo/buyer.js';
import { demoLeads } from '../../src/demo/leads.js';
import type { DemoLead } from '../../src/demo/leads.js';
import { runDemo } from '../../src/demo/run.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import type { PingDoc } from '../../src/pings/store/pingDocs.js';
import { keyring } from '../account/values.js';
import { openDatabase } from '../support/database.js';

let database: Awaited<ReturnType<typeof openDatabase>>;
let buyer: DemoBuyer;
let account: DemoAccount;
let server: Server;
const leads = demoLeads(7);
/** How the stand-in for the service deviates from what is expected. */
let change: (lead: DemoLead) => Partial<DemoLead['expected']> = () => ({});
/** The recorded price of the auction's best bid, in currency units. */
let booked = 61.5;

beforeAll(async () => {
  database = await openDatabase();
  buyer = await startDemoBuyer();
  account = await ensureDemoAccount(
    { collections: database.collections, keyring, policy: { allowPrivate: true } },
    (name) => buyer.url(name),
    null,
  );
});
afterAll(async () => {
  await buyer.stop();
  await database.drop();
});

/** Stands in for the service: gives the n-th request the expected result of the n-th lead. */
beforeEach(async () => {
  change = () => ({});
  booked = 61.5;
  let count = 0;
  server = createServer((request, response) => {
    const body = json(request);
    if (request.url === '/api/v1/ping') {
      void bid().then((answer) => response.end(JSON.stringify(answer)));
      return;
    }
    void body.then((lead) => (lead.flo_ping_id === undefined ? take(response) : buy(response)));
  });
  const buy = async (response: ServerResponse): Promise<void> => {
    const id = randomUUID();
    const price = booked * 1e6;
    await sell(id, { final: 'ACCEPTED', buyer: 'steady' }, { price, cost: 52_270_000 });
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: { id, status: 'ACCEPTED', buyer_id: null } }));
  };
  const take = (response: ServerResponse): void => {
    const lead = leads[count++]!;
    const { http, answer, ...rest } = { ...lead.expected, ...change(lead) };
    const id = randomUUID();
    void sell(id, rest).then(() => {
      response.writeHead(http, { 'content-type': 'application/json' });
      const data = { id, status: answer, buyer_id: null, delivery: rest.delivery ?? 'delivered' };
      const error = { error: answer, message: 'No.', lead_id: rest.final ? id : undefined };
      response.end(JSON.stringify(http < 300 ? { data } : error));
    });
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

async function json(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
}

/** Every demo buyer bids 15 percent less than it pays. */
async function bid(): Promise<object> {
  const prices = { steady: 61.5, premier: 55, open: 12 };
  const bids = Object.entries(prices).map(([name, price]) => ({
    buyer_id: account.buyers[name as 'steady'].id,
    source: 'static',
    net: 0,
    price: price * 1e6,
    bid: Math.floor(price * 85) * 1e4,
  }));
  const _id = randomUUID();
  await database.collections.pings.insertOne({ _id, bids } as unknown as PingDoc);
  const buyers = bids.map(({ buyer_id, bid: amount }) => ({ buyer_id, bid_price: amount / 1e6 }));
  return { accepted: true, ping_id: _id, buyers };
}

type Outcome = Pick<DemoLead['expected'], 'final' | 'buyer' | 'delivery'>;

async function sell(
  id: string,
  { final, buyer: name, delivery }: Outcome,
  money = { price: 5_000_000, cost: 0 },
): Promise<void> {
  if (!final) return;
  const sales = name
    ? [{ buyer_id: account.buyers[name].id, attempt: 1, ...money, at: new Date() }]
    : [];
  const now = new Date();
  const row = { _id: id, status: final, sales, trail: [], created_at: now, decided_at: now };
  await database.collections.leads.insertOne(row as unknown as Lead);
  if (!name) return;
  const send = () =>
    fetch(buyer.url(name), {
      method: 'POST',
      headers: { 'idempotency-key': id },
      body: JSON.stringify({
        lead_id: id,
        price: name === 'steady' && money.cost > 0 ? 61.5 : 5,
        state: 'CA',
      }),
    });
  // The answer comes before the buyer has recovered: retry until it accepts the lead.
  const deliver = async (): Promise<void> => {
    if (!(await send()).ok) return deliver();
  };
  if (delivery === 'pending') {
    const { leads: stored } = database.collections;
    await stored.updateOne({ _id: id }, { $set: { status: 'PENDING', sales: [] } });
    void deliver().then(() => stored.updateOne({ _id: id }, { $set: { status: final, sales } }));
    return;
  }
  await deliver();
}

const run = () =>
  runDemo(
    {
      ingestUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      account,
      buyer,
      leads: database.collections.leads,
      pings: database.collections.pings,
      onAuction: () => undefined,
      onAnswer: () => undefined,
      onWaiting: () => undefined,
    },
    leads,
    7,
  );

describe('runDemo', () => {
  it('passes when every lead has the expected result', async () => {
    const report = await run();
    expect(report.problems).toEqual([]);
    expect(report.ok).toBe(true);
    expect(report.leads.map(({ n, status }) => [n, status])).toEqual(
      leads.map(({ n, expected }) => [n, expected.final]),
    );
    expect(report.shown?._id).toBe(report.leads.at(-1)?.lead_id);
  });

  it('shows an auction: the bids, the winner, and what each side pays', async () => {
    const { auction } = await run();
    expect(auction).toMatchObject({
      bids: [
        { buyer: 'steady', price: 61_500_000, bid: 52_270_000 },
        { buyer: 'premier', price: 55_000_000, bid: 46_750_000 },
        { buyer: 'open', price: 12_000_000, bid: 10_200_000 },
      ],
      http: 201,
      answer: 'ACCEPTED',
      problems: [],
      sale: { buyer: 'steady', price: 61_500_000, cost: 52_270_000, kept: 9_230_000 },
    });
  });

  it('finds an auction whose price was not kept', async () => {
    booked = 60;
    expect((await run()).problems).toEqual(['auction: price 60000000 instead of 61500000']);
  });

  it('reports each difference with its lead', async () => {
    change = ({ n }) => (n === 16 ? { answer: 'UNMATCHED', final: 'UNMATCHED' } : {});
    const report = await run();
    expect(report.ok).toBe(false);
    expect(report.problems).toEqual([
      'lead 16: answer UNMATCHED instead of DUPLICATE, final status UNMATCHED instead of DUPLICATE',
    ]);
  });

  it('finds a lead that went to another buyer', async () => {
    change = ({ n }) => (n === 6 ? { buyer: 'open' } : {});
    expect((await run()).problems).toEqual(['lead 6: buyer open instead of steady']);
  });

  it('finds an answer without its delivery', async () => {
    change = ({ n }) => (n === 1 ? { delivery: 'pending' } : {});
    expect((await run()).problems).toEqual(['lead 1: delivery pending instead of delivered']);
  });

  it('finds a lead that a buyer accepted and that is not recorded', async () => {
    await fetch(buyer.url('open'), {
      method: 'POST',
      body: JSON.stringify({ lead_id: 'nobody-knows-it', price: 5 }),
    });
    expect((await run()).problems).toEqual([
      'open took lead nobody-knows-it, which is not in the record',
    ]);
  });
});
