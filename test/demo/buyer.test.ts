import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startDemoBuyer } from '../../src/demo/buyer.js';
import type { DemoBuyer } from '../../src/demo/buyer.js';
import { SLOW_MS } from '../../src/demo/buyerRules.js';
import type { DemoBuyerName } from '../../src/demo/buyerRules.js';

const started: DemoBuyer[] = [];
afterEach(() => Promise.all(started.splice(0).map((buyer) => buyer.stop())));

async function start(port?: number): Promise<DemoBuyer> {
  const buyer = await startDemoBuyer(port);
  started.push(buyer);
  return buyer;
}

let count = 0;
async function send(buyer: DemoBuyer, name: DemoBuyerName, lead: object, key?: string) {
  count += 1;
  const response = await fetch(buyer.url(name), {
    method: 'POST',
    headers: { 'idempotency-key': key ?? `key-${count}` },
    body: JSON.stringify({ lead_id: `lead-${count}`, price: 10.25, ...lead }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('the demo buyers, asked for bids', () => {
  const asked = async (buyer: DemoBuyer, name: DemoBuyerName, ping: object) => {
    const body = JSON.stringify({ ping_id: '0123456789', ...ping });
    const response = await fetch(`${buyer.url(name)}/ping`, { method: 'POST', body });
    return [response.status, await response.json()];
  };

  it('bid by the state, and with a reference of their own', async () => {
    const buyer = await start();
    const bid = (bid_price: number) => ({ accept: true, bid_price, bid_id: 'steady-23456789' });
    expect(await asked(buyer, 'steady', { state: 'CA' })).toEqual([200, bid(61.5)]);
    expect(await asked(buyer, 'steady', { state: 'NY' })).toEqual([200, bid(44)]);
    expect(await asked(buyer, 'steady', {})).toEqual([200, bid(30)]);
    for (const [name, state] of [
      ['steady', 'WY'],
      ['open', 'CA'],
    ] as const)
      expect(await asked(buyer, name, { state })).toMatchObject([200, { accept: false }]);
    expect(buyer.totals('steady').requests).toBe(0);
  });

  it('bid nothing while they are down', async () => {
    const buyer = await start();
    buyer.setDown('steady', true);
    expect(await asked(buyer, 'steady', { state: 'CA' })).toMatchObject([503, {}]);
  });
});

describe('the demo buyers', () => {
  it.each([
    ['premier', { state: 'CA' }, 200, undefined],
    ['premier', { state: 'NY' }, 422, 'state_not_served'],
    ['premier', {}, 422, 'state_not_served'],
    ['premier', { state: 'CA', last_name: 'Refused' }, 422, 'budget_too_small'],
    ['steady', { state: 'NY' }, 200, undefined],
    ['steady', { last_name: 'Unwanted' }, 422, 'already_a_customer'],
    ['open', {}, 200, undefined],
    ['open', { last_name: 'Refused' }, 200, undefined],
  ] as const)('%s answers %j with %i', async (name, lead, status, reason) => {
    const reply = await send(await start(), name, lead);
    expect(reply.status).toBe(status);
    expect(reply.body.reason).toBe(reason);
  });

  it('steady answers some leads slowly', async () => {
    const buyer = await start();
    const from = performance.now();
    expect((await send(buyer, 'steady', { last_name: 'Slow' })).status).toBe(200);
    expect(performance.now() - from).toBeGreaterThanOrEqual(SLOW_MS - 5);
  });

  it('counts a repeated key once and answers it as before', async () => {
    const buyer = await start();
    const lead = { lead_id: 'a', state: 'CA' };
    await send(buyer, 'premier', lead, 'same');
    expect((await send(buyer, 'premier', { ...lead, state: 'NY' }, 'same')).status).toBe(200);
    expect(buyer.totals('premier')).toEqual({
      requests: 2,
      accepted: 1,
      refused: 0,
      unavailable: 0,
      amount: 10_250_000,
    });
    expect(buyer.receipts().map(({ result, repeated }) => [result, repeated])).toEqual([
      ['accepted', false],
      ['accepted', true],
    ]);
  });

  it('owe the agreed price, whatever price a request names', async () => {
    const buyer = await start();
    buyer.agree({ direct: 'direct', pingPost: 'auction', oneBuyer: 'one' });
    await send(buyer, 'premier', { campaign_id: 'direct', state: 'CA' });
    await send(buyer, 'steady', { campaign_id: 'auction', state: 'NY' });
    await send(buyer, 'steady', { campaign_id: 'one' });
    await send(buyer, 'open', { campaign_id: 'of somebody else' });
    expect(buyer.receipts().map(({ price }) => price)).toEqual([
      42_500_000, 44_000_000, 31_000_000, 10_250_000,
    ]);
  });

  it('answers 503 while it is down, and records nothing', async () => {
    const buyer = await start();
    buyer.setDown('steady', true);
    expect((await send(buyer, 'steady', {}, 'k')).status).toBe(503);
    expect((await send(buyer, 'open', {}, 'k')).status).toBe(200);
    buyer.setDown('steady', false);
    expect((await send(buyer, 'steady', {}, 'k')).status).toBe(200);
    expect(buyer.totals('steady')).toMatchObject({ requests: 2, accepted: 1, unavailable: 1 });
  });

  it('can be taken down and up over HTTP, and shows its totals', async () => {
    const buyer = await start();
    await fetch(`${buyer.url('steady')}/down`, { method: 'POST' });
    expect((await send(buyer, 'steady', {})).status).toBe(503);
    await fetch(`${buyer.url('steady')}/up`, { method: 'POST' });
    expect((await send(buyer, 'steady', {})).status).toBe(200);
    const totals = await (await fetch(buyer.rootUrl)).json();
    expect(totals).toMatchObject({ steady: { accepted: 1, unavailable: 1 } });
  });

  it('refuses a body that is not a lead', async () => {
    const buyer = await start();
    const post = (url: string, body: string) => fetch(url, { method: 'POST', body });
    expect((await post(buyer.url('open'), '{')).status).toBe(400);
    expect((await post(buyer.url('open'), '[]')).status).toBe(400);
    expect((await post(`${buyer.rootUrl}/nobody`, '{}')).status).toBe(404);
    expect((await fetch(buyer.url('open'))).status).toBe(404);
  });

  it('uses the given port, or another when that is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const taken = (other.address() as AddressInfo).port;
    const moved = await start(taken);
    expect(new URL(moved.rootUrl).port).not.toBe(String(taken));
    await new Promise((resolve) => other.close(resolve));
    expect(new URL((await start(taken)).rootUrl).port).toBe(String(taken));
  });
});
