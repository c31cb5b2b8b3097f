import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { waitFor } from '../../support/waitFor.js';
import { signedHeaders } from '../../../src/platform/security/signatures.js';
import type { JournalLine } from '../evidence/evidence.js';
import type { BehaviorName } from './behaviors.js';
import { startBuyers, type Buyers, type BuyersOptions } from './client.js';

const SECRET = 'the secret of a buyer';
const TIMES = { slow: [40, 60], late: [300, 400], drip: 20 } as const;

let folder: string;
let agent: Agent;
let buyers: Buyers | undefined;
let runs = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chaos-buyers-'));
  agent = new Agent({ connections: 16 });
});
afterEach(async () => {
  await buyers?.kill();
  buyers = undefined;
});
afterAll(async () => {
  await agent.destroy();
  await rm(folder, { recursive: true });
});

async function start(options: Partial<BuyersOptions> & Pick<BuyersOptions, 'buyers'>) {
  const times = { slow: [...TIMES.slow], late: [...TIMES.late], drip: TIMES.drip } as never;
  const journal = join(folder, `${++runs}.jsonl`);
  buyers = await startBuyers({ seed: 'seed', journal, times, ...options });
  return { buyers, journal: options.journal ?? journal };
}

/** A buyer with only this behavior. */
const only = (name: BehaviorName, honoursKeys = false) =>
  ({ name, honoursKeys, mode: 'flaky', shares: { [name]: 1 } }) as const;

interface Delivered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  ms: number;
}

interface DeliverOptions {
  waitMs?: number;
  buyerId?: string;
  headers?: Record<string, string>;
}

/** Sends a lead as the service does and returns the status, or the error's code where there is no answer. */
async function deliver(
  url: string,
  leadId: string,
  { waitMs = 2_000, buyerId = 'b-1', headers = {} }: DeliverOptions = {},
): Promise<Delivered | string> {
  const body = JSON.stringify({ lead_id: leadId, buyer_id: buyerId, email: `${leadId}@a.com` });
  const started = performance.now();
  try {
    const reply = await request(url, {
      method: 'POST',
      dispatcher: agent,
      signal: AbortSignal.timeout(waitMs),
      headers: {
        'content-type': 'application/json',
        'x-lead-id': leadId,
        'idempotency-key': `${leadId}:${buyerId}`,
        ...signedHeaders([SECRET], { id: `${leadId}:${buyerId}`, body, at: new Date() }),
        ...headers,
      },
      body,
    });
    const text = await reply.body.text();
    const { statusCode: status, headers: received } = reply;
    return { status, headers: received, text, ms: performance.now() - started };
  } catch (error) {
    return (error as NodeJS.ErrnoException & { name: string }).name === 'TimeoutError'
      ? 'no answer'
      : String((error as NodeJS.ErrnoException).code);
  }
}

const steps = (lines: JournalLine[], leadId: string): string[] =>
  lines.filter((line) => line.lead_id === leadId).map((line) => `${line.decision} ${line.step}`);

/** The steps of the lead, once its request has ended. */
async function trailOf(one: Buyers, leadId: string, count = 2): Promise<string[]> {
  const read = async () => steps(await one.journal(), leadId);
  await waitFor(async () => (await read()).length >= count, {
    message: `${count} lines of ${leadId}`,
    timeoutMs: 5_000,
  });
  return read();
}

describe("the buyers' journal", () => {
  it('has each decision on disk before its answer arrives, even if the process is killed then', async () => {
    const { buyers, journal } = await start({ buyers: [{ name: 'a', honoursKeys: true }] });
    const leads = Array.from({ length: 40 }, (_, n) => `lead-${n}`);
    const answered: string[] = [];
    const all = leads.map(async (lead) => {
      const answer = await deliver(buyers.url('a'), lead);
      if (typeof answer === 'string') return;
      answered.push(lead);
      if (answered.length === 5) await buyers.kill();
    });
    await Promise.all(all);
    const written = await readFile(journal, 'utf8');
    expect(answered.length).toBeGreaterThanOrEqual(5);
    for (const lead of answered) {
      expect(written).toContain(`"step":"decided","buyer_id":"b-1","lead_id":"${lead}"`);
    }
  });

  it('restores what buyers remember after a restart, without an incomplete last line', async () => {
    const { buyers, journal } = await start({ buyers: [{ name: 'a', honoursKeys: true }] });
    await deliver(buyers.url('a'), 'kept');
    await trailOf(buyers, 'kept');
    const url = buyers.url('a');
    await buyers.kill();
    expect(await deliver(url, 'refused')).toBe('ECONNREFUSED');
    await writeFile(journal, '{"at":1,"request":99,"st', { flag: 'a' });
    await buyers.restart();
    expect(buyers.url('a')).toBe(url);
    expect(await deliver(url, 'kept')).toMatchObject({ status: 200 });
    expect(await trailOf(buyers, 'kept', 4)).toEqual([
      'accepted decided',
      'accepted answered',
      'replayed decided',
      'replayed answered',
    ]);
    expect((await buyers.journal()).map(({ request }) => request)).toEqual([1, 1, 2, 2]);
  });

  it('names the defect of a request that breaks the contract', async () => {
    const { buyers } = await start({ buyers: [{ name: 'a', honoursKeys: true }] });
    await buyers.introduce({ a: { buyer_id: 'b-1', signing_secret: SECRET } });
    const wrong: DeliverOptions[] = [
      { headers: { 'idempotency-key': '' } },
      { headers: { 'x-lead-id': 'another' } },
      { headers: { 'x-leaddistro-signature': '' } },
      { headers: { 'x-leaddistro-signature': 'a'.repeat(64) } },
      { headers: { 'webhook-id': 'another' } },
      { headers: { 'webhook-timestamp': 'now' } },
      { headers: { 'webhook-signature': 'v1,false' } },
      { buyerId: 'b-2' },
    ];
    for (const options of wrong) {
      expect(await deliver(buyers.url('a'), 'odd', options)).toMatchObject({ status: 400 });
    }
    const decided = (await buyers.journal()).filter(({ step }) => step === 'decided');
    expect(decided.map(({ decision, flaw }) => [decision, flaw])).toEqual([
      ['garbage', 'there is no Idempotency-Key'],
      ['garbage', 'X-Lead-Id is another, lead_id is odd'],
      ['garbage', 'X-LeadDistro-Signature is ""'],
      ['garbage', 'the signature is false'],
      ['garbage', 'webhook-id is "another"'],
      ['garbage', 'webhook-timestamp is "now"'],
      ['garbage', 'webhook-signature is false'],
      ['garbage', 'buyer_id is b-2, but this is b-1'],
    ]);
    expect(await deliver(buyers.url('a'), 'right')).toMatchObject({ status: 200 });
  });
});

describe('buyers', () => {
  it('accept a lead once where they honor keys, and once for each request where they do not', async () => {
    const { buyers } = await start({
      buyers: [
        { name: 'honours', honoursKeys: true },
        { name: 'forgets', honoursKeys: false },
      ],
    });
    for (const name of ['honours', 'forgets']) {
      const leads = [1, 2].map(() => deliver(buyers.url(name), name, { buyerId: name }));
      for (const answer of await Promise.all(leads)) expect(answer).toMatchObject({ status: 200 });
    }
    const decided = (lines: string[]) => lines.filter((line) => line.endsWith('decided'));
    expect(decided(await trailOf(buyers, 'honours', 4))).toEqual([
      'accepted decided',
      'replayed decided',
    ]);
    expect(decided(await trailOf(buyers, 'forgets', 4))).toEqual([
      'accepted decided',
      'accepted decided',
    ]);
  });

  it('behave as configured, as a client and the journal show', async () => {
    const cases: [BehaviorName, (answer: Delivered | string) => unknown, unknown, string][] = [
      ['accept', statusOf, 200, 'accepted answered'],
      [
        'accept_slowly',
        (one) => statusOf(one) === 200 && tookMs(one) >= 39,
        true,
        'accepted answered',
      ],
      ['accept_late', (one) => one, 'no answer', 'accepted cut'],
      ['accept_dripping', (one) => one, 'no answer', 'accepted cut'],
      ['accept_garbled', statusOf, 200, 'accepted answered'],
      ['accept_then_reset', (one) => one, 'ECONNRESET', 'accepted cut'],
      ['accept_then_hang', (one) => one, 'no answer', 'accepted cut'],
      ['reject', statusOf, 422, 'rejected answered'],
      ['busy', (one) => [statusOf(one), retryAfterOf(one)], [503, false], 'busy answered'],
      ['busy_wait', (one) => [statusOf(one), retryAfterOf(one)], [503, true], 'busy answered'],
      ['limited', (one) => [statusOf(one), retryAfterOf(one)], [429, true], 'limited answered'],
      ['hang', (one) => one, 'no answer', 'hung cut'],
      ['reset', (one) => one, 'ECONNRESET', 'reset cut'],
    ];
    const { buyers } = await start({ buyers: cases.map(([name]) => only(name)) });
    await Promise.all(
      cases.map(async ([name, see, expected, ended]) => {
        // Long for answers, because the machine may be busy; short for requests that are never answered.
        const waitMs = ended.endsWith('answered') ? 10_000 : 250;
        const answer = await deliver(buyers.url(name), name, { waitMs });
        expect([name, see(answer)]).toEqual([name, expected]);
        const [decision = ''] = ended.split(' ');
        expect(await trailOf(buyers, name)).toEqual([`${decision} decided`, ended]);
      }),
    );
  });

  it('answer with garbage that never says that the lead was accepted', async () => {
    const { buyers } = await start({ buyers: [only('garbage')] });
    const leads = Array.from({ length: 30 }, (_, n) => `lead-${n}`);
    const answers = await Promise.all(leads.map((lead) => deliver(buyers.url('garbage'), lead)));
    const seen = new Set(answers.map((one) => (typeof one === 'string' ? one : one.status)));
    // Not HTTP, half an answer, and answers with another meaning.
    expect(seen).toEqual(new Set([302, 999, 'UND_ERR_SOCKET']));
  });

  it('can each be unreachable, and come back on the same port', async () => {
    const { buyers } = await start({
      buyers: [
        { name: 'a', honoursKeys: true },
        { name: 'b', honoursKeys: true },
      ],
    });
    const ask = (name: string) => deliver(buyers.url(name), 'lead', { buyerId: name });
    await ask('a');
    await buyers.control({ buyer: 'a', mode: 'refuse' });
    expect(await ask('a')).toBe('ECONNREFUSED');
    expect(await ask('b')).toMatchObject({ status: 200 });
    await buyers.control({ buyer: 'a', mode: 'reset' });
    expect(['ECONNRESET', 'UND_ERR_SOCKET']).toContain(await ask('a'));
    await buyers.control({ mode: 'busy' });
    expect(await ask('a')).toMatchObject({ status: 503 });
    expect(await ask('b')).toMatchObject({ status: 503 });
    await buyers.control({ mode: 'well' });
    expect(await ask('a')).toMatchObject({ status: 200 });
    await expect(buyers.control({ buyer: 'c', mode: 'well' })).rejects.toThrow(
      'There is no buyer named c',
    );
  });

  it('stop gracefully, with the whole journal on disk', async () => {
    const { buyers } = await start({ buyers: [{ name: 'a', honoursKeys: true }] });
    await deliver(buyers.url('a'), 'lead');
    await buyers.stop();
    expect(steps(await buyers.journal(), 'lead')).toContain('accepted decided');
  });
});

const statusOf = (one: Delivered | string) => (typeof one === 'string' ? one : one.status);
const tookMs = (one: Delivered | string) => (typeof one === 'string' ? 0 : one.ms);
const retryAfterOf = (one: Delivered | string) =>
  typeof one !== 'string' && one.headers['retry-after'] !== undefined;
