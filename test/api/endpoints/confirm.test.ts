import { afterEach, describe, expect, it } from '@jest/globals';
import type { HttpServer } from '../../../src/api/http/server.js';
import { send, startServer } from '../../support/http.js';

const HOSTILE = '"><script>alert(1)</script>&\'';

describe('the page by which a recipient confirms', () => {
  let server: HttpServer;
  afterEach(() => server.close(0));

  it('escapes names, addresses and links', async () => {
    const asked = { organization: HOSTILE, address: HOSTILE };
    server = await startServer({
      confirmations: {
        read: () => Promise.resolve(asked),
        confirm: () => Promise.resolve(asked),
      },
    });
    const path = `/mail/confirm?token=${encodeURIComponent(HOSTILE)}`;
    const replies = [
      await send(server.url + path),
      await send(`${server.url}/mail/confirm`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ token: HOSTILE }).toString(),
      }),
    ];
    for (const { status, text, headers } of replies) {
      expect(status).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(text).toContain('&#60;script&#62;alert(1)&#60;/script&#62;&#38;&#39;');
      expect(text).not.toContain('<script');
      expect(text).not.toContain('""');
    }
  });

  it('shows nothing of an invalid link', async () => {
    server = await startServer();
    const { status, text } = await send(
      `${server.url}/mail/confirm?token=${encodeURIComponent(HOSTILE)}`,
    );
    expect(status).toBe(400);
    expect(text).not.toContain('alert');
  });
});
