import { describe, it, expect } from '@jest/globals';
import { checkOutboundUrl } from '../../../../src/platform/outbound/publicAddress.js';
import { ELSEWHERE, MALFORMED, REACHABLE } from './hosts.js';
import { useScene } from './scene.js';

const { at, send } = useScene();
const refused = expect.stringMatching(
  /^the URL must not point to .+ not a public address$/,
) as unknown;

describe('with private addresses allowed, the listener sees a request', () => {
  it.each(REACHABLE)('to http://%s', async (host) => {
    const { reply, visits } = await send(`http://${host}:PORT/`, { allowPrivate: true });
    expect(reply).toMatchObject({ kind: 'answered', body: 'inside' });
    expect(visits).toMatchObject([{ received: expect.stringMatching(/^POST \/ HTTP/) as unknown }]);
  });

  it('to https://127.0.0.1', async () => {
    const { visits } = await send('https://127.0.0.1:PORT/', { allowPrivate: true });
    expect(visits).toHaveLength(1);
  });
});

describe('the listener sees nothing', () => {
  it.each(REACHABLE)('of http://%s, this machine', async (host) => {
    const { reply, visits, attempts } = await send(`http://${host}:PORT/`);
    expect(visits).toEqual([]);
    expect(attempts).toEqual([]);
    expect(reply).toEqual({ kind: 'not_sent', reason: refused });
  });

  it.each(ELSEWHERE)('of http://%s, a place that is not public', async (host) => {
    const { reply, visits, attempts } = await send(`http://${host}:PORT/`);
    expect(visits).toEqual([]);
    expect(attempts).toEqual([]);
    expect(reply).toEqual({ kind: 'not_sent', reason: refused });
  });

  it.each(MALFORMED)('of http://%s, which is not a host', async (host) => {
    const { reply, visits, attempts } = await send(`http://${host}:PORT/`);
    expect(visits).toEqual([]);
    expect(attempts).toEqual([]);
    expect(reply).toMatchObject({ reason: expect.stringContaining('an absolute URL') as unknown });
  });

  it.each(['127.0.0.1', '2130706433', '0', '[::1]', '[::ffff:7f00:1]'])(
    'of https://%s, not even a greeting',
    async (host) => {
      const { reply, visits } = await send(`https://${host}:PORT/`);
      expect(visits).toEqual([]);
      expect(reply).toEqual({ kind: 'not_sent', reason: refused });
    },
  );
});

it('a forbidden address cannot be saved either', () => {
  const urls = [...REACHABLE, ...ELSEWHERE, ...MALFORMED].map((host) => at(`http://${host}:PORT/`));
  const saved = urls.filter((url) => checkOutboundUrl(url, { allowPrivate: false }) === null);
  expect(saved).toEqual([]);
});
