/** Visitors treated as bots, proofs of work by browsers, and limits. */
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Challenge } from 'altcha-lib/types';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SuspectReason } from '../../../src/leads/rules/origin.js';
import { startTestbed, type Market, type Testbed } from '../../support/testbed.js';
import { waitFor } from '../../support/waitFor.js';
import {
  aDefinition,
  openVisited,
  someAnswers,
  tokensAt,
  type Answer,
  type Site,
} from '../support/visitors.js';

describe('a visitor', () => {
  let testbed: Testbed;

  beforeAll(async () => {
    testbed = await startTestbed({ settings: { TRUST_PROXY: 'true' } });
  });
  afterAll(() => testbed.stop());

  let visitors = 0;
  /** An IP address that no other visitor of this file has. */
  const anAddress = (): string => `198.51.${++visitors % 250}.${process.pid % 250}`;

  const open = (perMinute = 6_000) => {
    const protection = { submissions_per_minute: perMinute };
    return openVisited(testbed, {}, aDefinition({ protection }));
  };
  const countsOf = (site: Site) =>
    testbed.collections.funnelCounts.find({ funnel_id: site.funnel._id }).toArray();

  /** How often the metric counted submits with this result. */
  const submitsOf = async (result: string): Promise<number> => {
    const { values } = await testbed.service.deps.metrics.funnelSubmits.get();
    return values.find(({ labels }) => labels.result === result)?.value ?? 0;
  };

  /** The value that a browser sends as `w` for the page of this token. */
  async function work({ funnel }: Site, token: string): Promise<string> {
    const address = `${testbed.url}/f/${funnel.slug}/challenge?t=${encodeURIComponent(token)}`;
    const headers = { 'x-forwarded-for': anAddress() };
    const { body } = await request(address, { headers });
    const challenge = (await body.json()) as Challenge;
    const solution = await solveChallenge({ challenge, deriveKey });
    return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
  }

  describe('that is treated as a bot', () => {
    type Sent = (site: Site) => Promise<Record<string, string>>;
    const suspects: [SuspectReason, Sent][] = [
      ['honeypot', (site) => Promise.resolve({ t: site.token(), website: 'https://spam.example' })],
      ['too_fast', (site) => Promise.resolve({ t: site.token({ agoMs: 500 }) })],
      ['no_proof', (site) => Promise.resolve({ t: site.token(), w: 'bm90aGluZw==' })],
      ['reused_proof', async (site) => ({ t: site.token(), w: await work(site, site.token()) })],
    ];
    it.each(suspects)(
      '(%s) is thanked; its lead is kept as REJECTED, and counted',
      async (reason, sent) => {
        const { site, leads, sentTo } = await open();
        const before = await submitsOf(reason);
        const form = { ...someAnswers(), ...(await sent(site)) };
        const answer = await site.post(form, { ip: anAddress() });
        expect([answer.status, answer.end]).toEqual([303, 'thanks']);
        // Submitted again, it makes no other lead.
        expect((await site.post(form, { ip: anAddress() })).end).toBe('thanks');
        const [lead, ...others] = await leads();
        expect(others).toEqual([]);
        expect(lead).toMatchObject({ status: 'REJECTED', origin: { suspect: reason } });
        expect(sentTo('only')).toEqual([]);
        await waitFor(
          async () => {
            expect(await countsOf(site)).toMatchObject([{ submits: 0, suspects: { [reason]: 1 } }]);
            return true;
          },
          { message: 'counted' },
        );
        expect(await submitsOf(reason)).toBe(before + 1);
      },
    );
  });

  describe('of a funnel that gets more submits than it expects', () => {
    const busy = async (): Promise<Market & { site: Site }> => {
      const market = await open(1);
      const first = { t: market.site.token(), ...someAnswers() };
      expect((await market.site.post(first, { ip: anAddress() })).end).toBe('thanks');
      return market;
    };

    it('must prove work by its script, and then is accepted', async () => {
      const { site, leads } = await busy();
      const t = site.token();
      const form = { t, ...someAnswers() };
      const asked = await site.post(form, { ip: anAddress(), isScript: true });
      expect([asked.status, asked.json]).toEqual([429, { outcome: 'work' }]);
      expect(await leads()).toHaveLength(1);
      const done = { ...form, w: await work(site, t) };
      const taken = await site.post(done, { ip: anAddress(), isScript: true });
      expect(taken.json).toMatchObject({ outcome: 'thanks' });
      expect(await leads()).toMatchObject([{ status: 'ACCEPTED' }, { status: 'ACCEPTED' }]);
    });

    it('must wait without scripts, and then is accepted with the answers that the page kept', async () => {
      const { site, leads } = await busy();
      const answers = someAnswers();
      const asked = await site.post({ t: site.token(), ...answers }, { ip: anAddress() });
      expect([asked.status, asked.headers['retry-after']]).toEqual([429, '10']);
      expect(asked.text).toContain(answers['f.email'] ?? '-');
      const again = /name="t" value="([^"]+)"/.exec(asked.text)?.[1] ?? '';
      const early = await site.post({ t: again, ...answers }, { ip: anAddress() });
      expect(early.status).toBe(429);
      const read = tokensAt(0).readToken(again);
      if (read.kind !== 'valid') throw new Error('The page has no token');
      const waited = tokensAt(0).postpone(read.page, new Date());
      const taken = await site.post({ t: waited, ...answers }, { ip: anAddress() });
      expect(taken.end).toBe('thanks');
      expect(await leads()).toHaveLength(2);
    });
  });

  /** Submits twenty pages at once; returns the answers of those that must wait. */
  async function flood(site: Site, ipOf: (n: number) => string): Promise<Answer[]> {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => {
        const form = { t: site.token(), ...someAnswers({ 'f.source': 'renter' }) };
        return site.post(form, { ip: ipOf(n) });
      }),
    );
    return answers.filter(({ status }) => status === 429);
  }

  it('may submit ten times a minute from one address, and keeps the answers of further pages', async () => {
    const { site, leads } = await open();
    const ip = anAddress();
    const late = await flood(site, () => ip);
    // The limit allows one more for every six seconds of the test.
    expect(late.length).toBeLessThanOrEqual(10);
    expect(late.length).toBeGreaterThan(5);
    expect(Number(late[0]?.headers['retry-after'])).toBeGreaterThan(0);
    expect(late[0]?.text).toContain('@example.com');
    expect((await site.post({ t: site.token(), ...someAnswers() }, { ip: anAddress() })).end).toBe(
      'thanks',
    );
    expect(await leads()).toHaveLength(1);
  });

  it('counts together with its whole IPv6 network', async () => {
    const { site } = await open();
    const network = `2001:db8:${process.pid.toString(16)}:${(++visitors).toString(16)}`;
    expect((await flood(site, (n) => `${network}::${n + 1}`)).length).toBeGreaterThan(5);
  });

  it('gets no challenge for a page of another funnel', async () => {
    const [one, other] = [await open(), await open()];
    const token = encodeURIComponent(other.site.token());
    const address = `${testbed.url}/f/${one.site.funnel.slug}/challenge?t=${token}`;
    const { statusCode, body } = await request(address);
    await body.dump();
    expect(statusCode).toBe(404);
  });
});
