import { performance } from 'node:perf_hooks';
import { describe, it, expect } from '@jest/globals';
import { post, timed, useDoor } from './doorFixture.js';
import { answer } from '../../support/peers.js';

const { door, peer } = useDoor();

describe('a request that waits for a connection', () => {
  /** Hangs on every request with the body "hang", answers the others. */
  const moody = () =>
    peer({
      onData: (socket, chunk) => {
        if (!chunk.includes('hang')) socket.write(answer('200 OK', 'done'));
      },
    });

  it.each([1, 2])(
    'is not_sent, and never seen, when its sendBy passes first (%d connections)',
    async (connectionsPerOrigin) => {
      const buyer = await moody();
      const http = door({ connectionsPerOrigin });
      const hanging = Array.from({ length: connectionsPerOrigin }, () =>
        http.send(post(buyer.url, { body: 'hang', timeoutMs: 500 })),
      );
      const { value, ms } = await timed(() =>
        http.send(post(buyer.url, { body: 'late', sendBy: performance.now() + 150 })),
      );
      expect(value).toEqual({
        kind: 'not_sent',
        reason: 'no connection was free in time to send it',
      });
      expect(ms).toBeLessThan(350);
      for (const reply of await Promise.all(hanging)) expect(reply.kind).toBe('no_answer');
      // The connection is free again, and the request that waited too long stays unsent.
      expect(await http.send(post(buyer.url, { body: 'next' }))).toMatchObject({ body: 'done' });
      expect(buyer.received).toContain('next');
      expect(buyer.received).not.toContain('late');
    },
  );

  it('is not_sent when its sendBy passed while the process was held up', async () => {
    const buyer = await moody();
    const http = door();
    await http.send(post(buyer.url, { body: 'first' }));
    const late = http.send(post(buyer.url, { body: 'late', sendBy: performance.now() + 20 }));
    const until = performance.now() + 150;
    while (performance.now() < until);
    // It was this process that stood still: no evidence about the buyer.
    expect(await late).toMatchObject({ kind: 'not_sent', late: true });
    expect(await http.send(post(buyer.url, { body: 'next' }))).toMatchObject({ body: 'done' });
    expect(buyer.received).not.toContain('late');
  });

  it('is sent when a connection frees up in time', async () => {
    const buyer = await moody();
    const http = door({ connectionsPerOrigin: 1 });
    const hanging = http.send(post(buyer.url, { body: 'hang', timeoutMs: 100 }));
    const waiting = await http.send(
      post(buyer.url, { body: 'waits', sendBy: performance.now() + 1_500 }),
    );
    expect(waiting).toMatchObject({ kind: 'answered', body: 'done' });
    expect((await hanging).kind).toBe('no_answer');
  });
});
