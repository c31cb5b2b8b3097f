import { buyerHeaderPlace } from '../../src/account/rules/sealedPlaces.js';
import { sealedBefore } from '../support/sealedBefore.js';
import { describe, expect, it } from '@jest/globals';
import { createKeyring } from '../../src/platform/security/seal.js';
import { isSigned, signMessage } from '../../src/platform/security/signatures.js';
import type { HealthSample } from '../../src/deliveries/destinations/recordHealth.js';
import { systemClock } from '../../src/lib/clock.js';
import type { TransportReply } from '../../src/platform/outbound/reply.js';
import { SYSTEM_FIELDS } from '../../src/fields/mapping.js';
import type { BuyerPing } from '../../src/account/rules/pingSettings.js';
import type { BuyerTerms } from '../../src/account/rules/plan.js';
import type { OutboundHttp } from '../../src/platform/outbound/http.js';
import { askBuyers } from '../../src/pings/askBuyers.js';
import { aBuyer, someFields } from '../support/builders.js';
import { timed, useDoor } from '../platform/outbound/doorFixture.js';
import { answer, startPeer } from '../support/peers.js';

const { answering, door, peer } = useDoor();
const UNIT = 1_000_000;
const SECRET = 'a secret of this installation';
const keyring = createKeyring(SECRET);
const signing_secret = sealedBefore(SECRET, 'the secret of the buyer');
/** Allowance for a slow machine. */
const SLOW_MS = 5_000;

const asked = (buyer_id: string, url: string, ping: Partial<BuyerPing> = {}): BuyerTerms =>
  aBuyer({
    buyer_id,
    signing_secret,
    ping: { url, timeout_ms: SLOW_MS, fields: [], headers: {}, ...ping },
  });

async function ask(
  bidders: BuyerTerms[],
  {
    deadline_ms = 2 * SLOW_MS,
    outbound,
  }: { deadline_ms?: number; outbound?: Pick<OutboundHttp, 'send'> } = {},
) {
  const sample: HealthSample[] = [];
  const bids = await askBuyers(
    {
      plan: { org_id: 'o1', campaign_id: 'c1', fields: SYSTEM_FIELDS },
      ping_id: 'p1',
      is_test: false,
      fields: someFields(),
      bidders,
      deadline_ms,
    },
    {
      outbound: outbound ?? door(),
      keyring,
      clock: systemClock,
      health: { record: (one) => sample.push(one) },
    },
  );
  return { bids, sample, reasons: reasonsOf(bids) };
}

const reasonsOf = (bids: Awaited<ReturnType<typeof askBuyers>>) =>
  Object.fromEntries(
    [...bids].map(([id, bid]) => [id, bid.kind === 'bid' ? bid.price : bid.reason]),
  );

const bidding = (price: number, more = {}) =>
  answer('200 OK', JSON.stringify({ bid_price: price, ...more }));

describe('askBuyers', () => {
  it('returns the bid of each buyer, and skips those that need not be asked', async () => {
    const [one, two] = [
      await answering(bidding(12.5, { bid_id: 'x1' })),
      await answering(bidding(7)),
    ];
    const { bids, sample } = await ask([
      asked('b1', one.url),
      aBuyer({ buyer_id: 'b2' }),
      asked('b3', two.url),
    ]);
    const latency_ms = expect.any(Number);
    expect([...bids]).toEqual([
      ['b1', { kind: 'bid', price: 12_500_000, reference: 'x1', latency_ms }],
      ['b3', { kind: 'bid', price: 7 * UNIT, latency_ms }],
    ]);
    expect(
      sample.map(({ buyer_id, org_id, verdict }) => [buyer_id, org_id, verdict.result]),
    ).toEqual(
      expect.arrayContaining([
        ['b1', 'o1', 'accepted'],
        ['b3', 'o1', 'accepted'],
      ]),
    );
    expect((await ask([])).bids.size).toBe(0);
  });

  it('sends the values of headers opened, sealed or as an earlier release stored them', async () => {
    const buyer = await answering(bidding(1));
    const headers = {
      'X-Sealed': keyring.sealEqual('one', buyerHeaderPlace('b1', 'X-Sealed')),
      'X-Plain': 'two',
    };
    await ask([asked('b1', buyer.url, { headers })]);
    expect(buyer.received).toMatch(/x-sealed: one\r\n/i);
    expect(buyer.received).toMatch(/x-plain: two\r\n/i);
  });

  it('signs the bytes that it sends, and sends only what the buyer may see', async () => {
    const buyer = await answering(bidding(1));
    await ask([
      asked('b1', `${buyer.url}/bids?k=v`, { fields: ['state'], headers: { 'X-Key': 'k' } }),
    ]);
    const [head = '', body = ''] = buyer.received.split('\r\n\r\n');
    expect(head).toMatch(/^POST \/bids\?k=v HTTP\/1\.1\r\n/);
    const signature = /x-leaddistro-signature: (\S+)/i.exec(head)?.[1] ?? '';
    expect(isSigned('the secret of the buyer', body, signature)).toBe(true);
    const header = (name: string): string =>
      new RegExp(`${name}: (\\S+)`, 'i').exec(head)?.[1] ?? '';
    const [id, timestamp] = [header('webhook-id'), Number(header('webhook-timestamp'))];
    expect(id).toBe('p1:b1');
    expect(header('webhook-signature')).toBe(
      signMessage(['the secret of the buyer'], { id, timestamp, body }),
    );
    expect(head).toMatch(/x-ping-id: p1/i);
    expect(head).toMatch(/x-key: k/i);
    expect(JSON.parse(body)).toEqual({
      ping_id: 'p1',
      campaign_id: 'c1',
      is_test: false,
      state: 'TX',
    });
  });

  it('asks all at once', async () => {
    let waiting: (() => void)[] = [];
    const buyer = await peer({
      onData: (socket) => {
        // No request is answered before all buyers have been asked.
        waiting.push(() => socket.write(bidding(3)));
        if (waiting.length < 5) return;
        waiting.forEach((write) => write());
        waiting = [];
      },
    });
    const ids = ['b1', 'b2', 'b3', 'b4', 'b5'];
    const { reasons } = await ask(ids.map((id) => asked(id, buyer.url)));
    expect(Object.values(reasons)).toEqual(ids.map(() => 3 * UNIT));
  });

  it('keeps connections alive from ping to ping', async () => {
    const buyer = await answering(bidding(2));
    const outbound = door();
    for (let n = 0; n < 10; n++) await ask([asked('b1', buyer.url)], { outbound });
    // A request that arrives while another ends may open a second one.
    expect(buyer.connections).toBeLessThanOrEqual(2);
  });

  it('reports each reason for no bid, and what it means for the health of the buyer', async () => {
    const elsewhere = await peer({});
    const gone = await startPeer({});
    await gone.close();
    const buyers = {
      resets: await peer({ onData: (socket) => socket.resetAndDestroy() }),
      garbage: await answering('\u0000\u0001 what?\r\n\r\n'),
      html: await answering(answer('200 OK', '<html>hello</html>')),
      redirects: await answering(answer('302 Found', '', { Location: elsewhere.url })),
      unwell: await answering(answer('503 Service Unavailable', '{}', { 'Retry-After': '7' })),
      busy: await answering(answer('429 Too Many Requests')),
      missing: await answering(answer('404 Not Found', '{"bid_price":4}')),
      declines: await answering(bidding(5, { accepted: false })),
      empty: await answering(answer('200 OK', '{}')),
      negative: await answering(bidding(-5)),
      absurd: await answering(bidding(2_000_000)),
      huge: await answering(answer('200 OK', `{"bid_price":5,"more":"${'x'.repeat(400_000)}"}`)),
      gone,
    };
    const { reasons, sample } = await ask(
      Object.entries(buyers).map(([id, { url }]) => asked(id, url)),
    );
    expect(reasons).toEqual({
      resets: 'unreachable',
      garbage: 'unreachable',
      html: 'malformed',
      redirects: 'http_302',
      unwell: 'http_503',
      busy: 'http_429',
      missing: 'http_404',
      declines: 'declined',
      empty: 'no_bid_price',
      negative: 'negative_bid',
      absurd: 'absurd_bid',
      huge: 'malformed',
      gone: 'unreachable',
    });
    expect(elsewhere.connections).toBe(0);
    const failed = sample.filter(({ verdict }) =>
      ['not_taken', 'unknown'].includes(verdict.result),
    );
    expect(failed.map(({ buyer_id }) => buyer_id).toSorted()).toEqual(
      ['busy', 'garbage', 'gone', 'redirects', 'resets', 'unwell'].toSorted(),
    );
    expect(sample.find(({ buyer_id }) => buyer_id === 'unwell')?.verdict).toMatchObject({
      http_status: 503,
      retry_after_ms: 7_000,
    });
    expect(sample).toHaveLength(Object.keys(buyers).length);
  });

  it('counts a bid by the rules of the buyer as healthy, at any status', async () => {
    const buyer = await answering(answer('500 Oops', '{"won":true,"bid_price":5}'));
    const response = { accept_when: { path: 'won', equals: true } };
    const { reasons, sample } = await ask([asked('b1', buyer.url, { response })]);
    expect(reasons).toEqual({ b1: 5 * UNIT });
    expect(sample[0]?.verdict.result).toBe('accepted');
  });

  it('works without a buyer whose request cannot be created', async () => {
    const buyer = await answering(bidding(1));
    const lost = sealedBefore('another installation', 'x');
    const broken = { ...asked('b1', buyer.url), signing_secret: lost };
    const { reasons, sample } = await ask([broken, asked('b2', buyer.url)]);
    expect(reasons).toEqual({ b1: 'unreachable', b2: UNIT });
    expect(sample.map(({ buyer_id }) => buyer_id)).toEqual(['b2']);
  });
});

describe('the time of an auction', () => {
  it('ends for each buyer at its own timeout: a hanging or slow answer is late', async () => {
    const quick = await answering(bidding(9));
    const hangs = await peer({});
    const drips = await peer({
      onData: (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"bid_price":5');
        const drip = setInterval(() => socket.write(' '), 20);
        socket.once('close', () => clearInterval(drip));
      },
    });
    const { value, ms } = await timed(() =>
      ask([
        asked('hangs', hangs.url, { timeout_ms: 150 }),
        asked('quick', quick.url),
        asked('drips', drips.url, { timeout_ms: 150 }),
      ]),
    );
    expect(value.reasons).toEqual({ hangs: 'late', quick: 9 * UNIT, drips: 'late' });
    expect(ms).toBeLessThan(SLOW_MS);
    for (const id of ['hangs', 'drips']) {
      expect(value.bids.get(id)?.latency_ms).toBeGreaterThanOrEqual(145);
    }
    const late = value.sample.filter(({ buyer_id }) => buyer_id !== 'quick');
    expect(late.map(({ verdict }) => verdict.result)).toEqual(['unknown', 'unknown']);
  });

  it('ends for all at the deadline, whatever the timeout of a buyer', async () => {
    const hangs = await peer({});
    const { value, ms } = await timed(() =>
      ask([asked('b1', hangs.url, { timeout_ms: 60_000 })], { deadline_ms: 150 }),
    );
    expect(value.reasons).toEqual({ b1: 'late' });
    expect(ms).toBeGreaterThanOrEqual(145);
    expect(ms).toBeLessThan(SLOW_MS);
  });

  it('ends even if a request never does, and later answers change nothing', async () => {
    let end: (reply: TransportReply) => void = () => undefined;
    const never = new Promise<TransportReply>((resolve) => {
      end = resolve;
    });
    const outbound = { send: () => never };
    const { bids, reasons } = await ask([asked('b1', 'http://buyer.example')], {
      outbound,
      deadline_ms: 20,
    });
    expect(reasons).toEqual({ b1: 'late' });
    end({ kind: 'answered', status: 200, headers: {}, body: '{"bid_price":5}' });
    await never;
    await new Promise(setImmediate);
    expect(reasonsOf(bids)).toEqual({ b1: 'late' });
  });
});
