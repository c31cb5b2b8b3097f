import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Agent, request } from 'undici';
import { startFakeBuyer, type FakeBuyer } from '../../support/fakeBuyer.js';
import { startProxy, type Proxy } from './proxy.js';

let target: FakeBuyer;
let proxy: Proxy;
let agent: Agent;

beforeEach(async () => {
  target = await startFakeBuyer();
  proxy = await startProxy({ target: `${target.url}/a`, seed: 'seed' });
  agent = new Agent({ connections: 1 });
});
afterEach(async () => {
  await agent.destroy();
  await proxy.stop();
  await target.stop();
});

/** The status, or how the request failed. */
async function send(leadId = 'lead', waitMs = 2_000): Promise<number | string> {
  try {
    const reply = await request(proxy.url, {
      method: 'POST',
      dispatcher: agent,
      signal: AbortSignal.timeout(waitMs),
      headers: { 'content-type': 'application/json', 'idempotency-key': leadId },
      body: JSON.stringify({ lead_id: leadId, text: 'x'.repeat(100_000) }),
    });
    await reply.body.text();
    return reply.statusCode;
  } catch (error) {
    const { name, code } = error as NodeJS.ErrnoException;
    if (name === 'TimeoutError') return 'no answer';
    return code === 'ECONNREFUSED' ? 'refused' : 'broken';
  }
}

describe('the proxy', () => {
  it('forwards everything by default', async () => {
    for (let n = 0; n < 3; n++) expect(await send()).toBe(200);
    expect(proxy.url).toMatch(/\/a$/);
    expect(target.requests.map(({ path }) => path)).toEqual(['/a', '/a', '/a']);
    expect(proxy.counts()).toMatchObject({ connections: 1, turns: 3, cut_before: 0 });
  });

  it('cuts before anything of the request is forwarded, in open connections too', async () => {
    expect(await send('first')).toBe(200);
    await proxy.mode('cut_before');
    expect(await send('second')).toBe('broken');
    await proxy.mode('pass');
    expect(await send('third')).toBe(200);
    expect(target.requests.map(({ leadId }) => leadId)).toEqual(['first', 'third']);
    expect(proxy.counts()).toMatchObject({ cut_before: 1 });
  });

  it.each(['cut_after', 'cut_mid_answer'] as const)(
    'lets the request through and not the answer: %s',
    async (mode) => {
      await proxy.mode(mode);
      expect(await send()).toBe('broken');
      expect(target.accepted()).toEqual(['lead']);
      expect(proxy.counts()).toMatchObject({ [mode]: 1 });
    },
  );

  it('hangs, delivers nothing late, and closes hanging connections when it is repaired', async () => {
    await proxy.mode('hang');
    expect(await send('left', 100)).toBe('no answer');
    const waiting = send('waited');
    while (proxy.counts().hang < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await proxy.mode('pass');
    expect(await waiting).toBe('broken');
    expect(await send('after')).toBe(200);
    expect(target.requests.map(({ leadId }) => leadId)).toEqual(['after']);
  });

  it('refuses connections, and resets those that are open', async () => {
    expect(await send()).toBe(200);
    await proxy.mode('refuse');
    expect(['refused', 'broken']).toContain(await send());
    expect(await send()).toBe('refused');
    await proxy.mode('pass');
    expect(await send()).toBe(200);
  });

  it('breaks the configured share, the same way for the same seed', async () => {
    await proxy.mix({ cut_before: 0.2, cut_after: 0.2 });
    const outcomes: (number | string)[] = [];
    for (let n = 0; n < 60; n++) outcomes.push(await send(`lead-${n}`));
    const broken = outcomes.filter((one) => one === 'broken').length;
    expect(broken).toBeGreaterThan(10);
    expect(broken).toBeLessThan(40);
    const { cut_before, cut_after, turns } = proxy.counts();
    expect(cut_before + cut_after).toBe(broken);
    expect(turns).toBe(60);

    const again = await startProxy({ target: `${target.url}/a`, seed: 'seed' });
    await again.mix({ cut_before: 0.2, cut_after: 0.2 });
    const first = proxy;
    proxy = again;
    const repeated: (number | string)[] = [];
    for (let n = 0; n < 60; n++) repeated.push(await send(`lead-${n}`));
    await first.stop();
    expect(repeated).toEqual(outcomes);
  });

  it('closes the connection when its target is gone', async () => {
    expect(await send()).toBe(200);
    await target.stop();
    expect(await send()).toBe('broken');
    target = await startFakeBuyer();
  });

  it('refuses a target that names no port', async () => {
    await expect(startProxy({ target: 'localhost', seed: 's' })).rejects.toThrow(
      "A proxy's target must be a URL or host:port, not localhost",
    );
  });
});
