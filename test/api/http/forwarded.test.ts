import { describe, expect, it } from '@jest/globals';
import { createForwardedWatch } from '../../../src/api/http/forwarded.js';
import { openSocket, readToEnd, send, startServer } from '../../support/http.js';

describe('a proxy that is not trusted', () => {
  const watch = (trustProxy: boolean) => {
    const logged: unknown[] = [];
    return {
      logged,
      ...createForwardedWatch({
        trustProxy,
        log: { warn: (text: unknown) => void logged.push(text) } as never,
      }),
    };
  };
  const from = (remoteAddress: string, forwarded?: string) => ({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress } as never,
  });

  it('is warned of once in the log, and from then on in readiness', () => {
    const seen = watch(false);
    seen.see(from('10.0.0.7'));
    expect(seen.warning()).toBeNull();
    seen.see(from('10.0.0.7', '203.0.113.9'));
    seen.see(from('::ffff:127.0.0.1', '203.0.113.9'));
    expect(seen.warning()).toMatch(
      /X-Forwarded-For .* TRUST_PROXY is not set.* Set TRUST_PROXY=true/,
    );
    expect(seen.logged).toEqual([seen.warning()]);
  });

  it('is none where the proxy is trusted, or where any client may have sent the header', () => {
    const trusted = watch(true);
    trusted.see(from('10.0.0.7', '203.0.113.9'));
    const forged = watch(false);
    forged.see(from('198.41.0.4', '203.0.113.9'));
    expect([trusted.warning(), forged.warning()]).toEqual([null, null]);
  });
});

describe('connections of one client', () => {
  it('are closed at once beyond their bound, and another may come when one ends', async () => {
    const server = await startServer({}, { perClient: 2 });
    const held = [await openSocket(server), await openSocket(server)];
    // Loopback connections are accepted in order.
    const refused = await openSocket(server);
    expect(await readToEnd(refused).catch(() => '')).toBe('');
    held[0]?.destroy();
    let status = 0;
    for (let tries = 0; tries < 50 && status !== 200; tries += 1)
      status = (await send(`${server.url}/healthz`).catch(() => ({ status: 0 }))).status;
    expect(status).toBe(200);
    held[1]?.destroy();
    await server.close(0);
  });
});
