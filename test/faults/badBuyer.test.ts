/** The result of a lead when its buyer misbehaves: the verdict on the trail and in the row, and the final buyer. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answer, startPeer, type Peer } from '../support/peers.js';
import { say, sayAndEnd, type Act } from '../support/rawBuyer.js';
import { SILENCES } from './misbehavior.js';
import { startRawScene, type BadBuyer, type Posted, type RawScene } from './rawScene.js';

type Result = 'accepted' | 'rejected' | 'not_taken' | 'unknown';

interface Verdict {
  reason: RegExp | string;
  http_status?: number;
}
interface Case extends BadBuyer, Verdict {
  result: Result;
}

/** The buyer's own rule: the JSON of an acceptance says so. */
const RULE = { response: { accept_when: { path: 'status', equals: 'ok' } } };
const HUGE = `{"status":"ok","filler":"${'x'.repeat(10_000_000)}"}`;
const GARBAGE = '<html>\u0001</html>';

const answers = (text: string, result: Result, verdict: Verdict, more: BadBuyer = {}): Case => ({
  result,
  ...verdict,
  acts: [say(text)],
  ...more,
});
const says = (result: Result, status: string, headers: Record<string, string> = {}): Case => {
  const code = Number(status.slice(0, 3));
  const redirects = code < 400 ? '; redirects are not followed' : '';
  const reason = `The buyer answered ${code}${redirects}`;
  return answers(answer(status, '{}', headers), result, { reason, http_status: code });
};
const OK = { reason: 'The buyer answered 200', http_status: 200 };
const TEAPOT: Verdict = { reason: 'unreadable_answer', http_status: 200 };

const CASES: Record<string, Case> = {
  'says 200 with garbage': answers(answer('200 OK', GARBAGE), 'accepted', OK),
  'says 200 with garbage, read by a rule': answers(answer('200 OK', GARBAGE), 'rejected', TEAPOT, {
    delivery: RULE,
  }),
  'answers with 10 MB': answers(answer('200 OK', HUGE), 'accepted', OK),
  'answers with 10 MB, read by a rule': answers(answer('200 OK', HUGE), 'rejected', TEAPOT, {
    delivery: RULE,
  }),
  'says more than the length it named': answers(
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}{"more":true}',
    'accepted',
    OK,
  ),
  'names no length and ends the line': {
    ...answers('', 'accepted', OK),
    acts: [sayAndEnd('HTTP/1.1 200 OK\r\n\r\n{"ok":true}')],
  },
  'ends the line with its answer': {
    ...answers('', 'accepted', OK),
    acts: [sayAndEnd(answer('200 OK', '{}', { Connection: 'close' }))],
  },
  'says 103 Early Hints first': answers(
    `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${answer('200 OK')}`,
    'accepted',
    OK,
  ),
  // Any 1xx may come unasked (RFC 9110, 15.2), but the HTTP client treats this one as a broken answer: it is held.
  'says 100 Continue first, unasked': answers(
    `HTTP/1.1 100 Continue\r\n\r\n${answer('200 OK')}`,
    'unknown',
    { reason: /^bad response/ },
  ),
  'refuses it': says('rejected', '422 Unprocessable Content'),
  'does not know the address': says('rejected', '404 Not Found'),
  'says 503': says('not_taken', '503 Service Unavailable'),
  'says 503, read by a rule': {
    ...says('not_taken', '503 Service Unavailable'),
    delivery: RULE,
  },
  'says 500': says('not_taken', '500 Internal Server Error'),
  'says 408': says('not_taken', '408 Request Timeout'),
  'says 429 for some seconds': says('not_taken', '429 Too Many Requests', { 'Retry-After': '7' }),
  'says 429 until a date': says('not_taken', '429 Too Many Requests', {
    'Retry-After': new Date(Date.now() + 60_000).toUTCString(),
  }),
  ...Object.fromEntries(
    ['301 Moved Permanently', '302 Found', '307 Temporary Redirect', '308 Permanent Redirect'].map(
      (status) => [`says ${status}`, says('not_taken', status, { Location: '/elsewhere' })],
    ),
  ),
  'says a status that HTTP has not': {
    ...says('unknown', '799 Whatever'),
    reason: 'The buyer answered 799, which is no status of HTTP',
  },
  ...Object.fromEntries(
    Object.entries(SILENCES).map(([name, { act, ...rest }]): [string, Case] => [
      name,
      { ...rest, acts: [act], result: 'unknown' },
    ]),
  ),
};

/** Few enough that no case waits for the others. */
const AT_ONCE = 6;

/** The rest of the record after each verdict: answer, rows, leads counted, requests. */
const AFTER: Record<Result, { said: object; rows: string[]; counted: number[]; good: number }> = {
  accepted: { said: { delivery: 'delivered' }, rows: ['accepted'], counted: [1, 0], good: 0 },
  rejected: {
    said: { delivery: 'delivered' },
    rows: ['rejected', 'accepted'],
    counted: [0, 1],
    good: 1,
  },
  not_taken: {
    said: { delivery: 'delivered' },
    rows: ['failed', 'accepted'],
    counted: [0, 1],
    good: 1,
  },
  // The default policy holds it: no other buyer is asked, and its reservation stays.
  unknown: { said: { delivery: 'pending' }, rows: ['unknown'], counted: [1, 0], good: 0 },
};

async function expectVerdict(posted: Posted, wanted: Case): Promise<void> {
  const { said, rows, counted, good } = AFTER[wanted.result];
  const { bad = '', good: next = '' } = posted.account.buyers;
  const buyer_id = { accepted: bad, rejected: next, not_taken: next, unknown: null }[wanted.result];
  expect(posted.answer).toMatchObject({
    status: 201,
    data: { status: 'ACCEPTED', buyer_id, ...said },
  });
  const lead = await posted.lead();
  expect(lead).toMatchObject({ status: buyer_id ? 'ACCEPTED' : 'PENDING', buyer_id });
  const stored = await posted.rows();
  expect(stored.map(({ state }) => state)).toEqual(rows);
  const [row] = stored;
  expect(row?.reason).toEqual(
    typeof wanted.reason === 'string' ? wanted.reason : expect.stringMatching(wanted.reason),
  );
  expect(row?.http_status).toBe(wanted.http_status);
  expect(row?.excerpt?.length ?? 0).toBeLessThanOrEqual(500);
  const noted = lead.trail.find((entry) => entry.step === 'delivery' && entry.buyer_id === bad);
  expect(noted).toMatchObject({ result: wanted.result, reason: row?.reason });
  expect(noted?.detail?.http_status).toBe(wanted.http_status);
  expect(posted.sentTo('good')).toHaveLength(good);
  expect(await posted.wrongCounts()).toEqual([]);
  const counters = [bad, next].map((id) => `buyer:${posted.account.campaignId}:${id}`);
  const docs = await scene.bed.collections.caps.find({ _id: { $in: counters } }).toArray();
  const count = (id: string) => docs.find(({ _id }) => _id === id)?.total.count ?? 0;
  expect(counters.map(count)).toEqual(counted);
}

let scene: RawScene;
beforeAll(async () => {
  scene = await startRawScene();
});
afterAll(() => scene.stop());

describe('a buyer that', () => {
  const posted = new Map<string, Posted>();

  beforeAll(async () => {
    // A worker's first tasks are slow.
    await scene.post({});
    const left = Object.entries(CASES);
    const postSome = async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        const [name, bad] = next;
        posted.set(name, await scene.post(bad));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, postSome));
  });

  it.each(Object.entries(CASES))('%s', async (name, wanted) => {
    const one = posted.get(name);
    if (!one) throw new Error('It was not posted');
    await expectVerdict(one, wanted);
    expect(one.sentTo('bad')).toHaveLength(1);
    expect(scene.buyer.requests('/elsewhere')).toEqual([]);
  });
});

describe('a buyer that is not reached at all', () => {
  const peers: Peer[] = [];
  afterAll(() => Promise.all(peers.map((peer) => peer.close())));
  const peer = async (behaviour: Parameters<typeof startPeer>[0]): Promise<Peer> => {
    const started = await startPeer(behaviour);
    peers.push(started);
    return started;
  };
  const notTaken = async (url: string, reason: RegExp, timeout_ms = 5_000) => {
    const one = await scene.post({ delivery: { url, timeout_ms } });
    await expectVerdict(one, { result: 'not_taken', reason });
  };

  it('because it refuses connections', async () => {
    const gone = await startPeer({});
    await gone.close();
    await notTaken(gone.url, /ECONNREFUSED/);
  });

  it('because its name has no address', async () => {
    await notTaken('http://buyer.invalid/leads', /buyer\.invalid/);
  });

  it('because its TLS port does not speak TLS', async () => {
    const plain = await peer({ onData: (socket) => socket.write(answer('200 OK')) });
    await notTaken(plain.url.replace('http:', 'https:'), /./);
    expect(plain.received).not.toContain('@example.com');
  });

  it('because its TLS handshake does not finish in time', async () => {
    const mute = await peer({});
    await notTaken(mute.url.replace('http:', 'https:'), /./, 500);
  });
});

describe('a buyer that does not read before it speaks', () => {
  const post = async (onConnect: Act) => {
    const peer = await startPeer({ onConnect });
    const one = await scene.post({ delivery: { url: peer.url, timeout_ms: 1_000 } });
    await peer.close();
    return one;
  };

  it('has it when it accepted at once, before the request was read', async () => {
    const one = await post((socket) => {
      socket.pause();
      socket.write(answer('200 OK'));
    });
    await expectVerdict(one, { result: 'accepted', ...OK });
  });

  it('may have it when it resets at once, and the lead is never sold to both', async () => {
    const one = await post((socket) => socket.resetAndDestroy());
    const [row] = await one.rows();
    // From here it is unknown whether a byte was in transit when the connection was reset.
    const result = row?.state === 'unknown' ? 'unknown' : 'not_taken';
    await expectVerdict(one, { result, reason: /ECONNRESET|EPIPE|closed/ });
  });
});
