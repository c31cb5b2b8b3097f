import { describe, expect, it } from '@jest/globals';
import type { RunningServer } from '../../src/embedded/guardClient.js';
import { keepRunning, restartDelayMs, type ServerNews } from '../../src/embedded/keepRunning.js';

/** A server that has ended already, with this code. */
const ended = (code: number): RunningServer => ({
  name: 'mongod',
  pid: 1,
  process_start: '',
  exited: Promise.resolve({ name: 'mongod', code, signal: null }),
});
const lasting: RunningServer = { ...ended(0), exited: new Promise(() => undefined) };

async function newsOf(
  starts: readonly (RunningServer | Error)[],
  more: { obstacle?: string; stopsAfter?: number } = {},
): Promise<ServerNews[]> {
  const news: ServerNews[] = [];
  const settled = Promise.withResolvers<undefined>();
  const isLasting = starts.at(-1) === lasting;
  let started = 0;
  const kept = keepRunning(ended(14), {
    start: () => {
      const next = starts[started++];
      if (next instanceof Error) return Promise.reject(next);
      if (started === starts.length && isLasting) setImmediate(() => settled.resolve(undefined));
      return Promise.resolve(next ?? lasting);
    },
    tell: (one) => news.push(one),
    isStopping: () => started >= (more.stopsAfter ?? Infinity),
    obstacle: () => more.obstacle ?? null,
    delayMs: () => 0,
  });
  await Promise.race([kept, settled.promise]);
  return news;
}

describe('keepRunning', () => {
  it('starts a server again that ended by itself, and tells when it answers', async () => {
    expect(await newsOf([lasting])).toEqual([
      { kind: 'ended', name: 'mongod', how: 'it ended with code 14', restart: 1, of: 5 },
      { kind: 'back', name: 'mongod', afterMs: expect.any(Number) },
    ]);
  });

  it('gives up after five restarts, also those that failed, with the last reason', async () => {
    const news = await newsOf([
      ended(1),
      new Error('port 5 is in use'),
      ended(2),
      ended(3),
      ended(4),
    ]);
    const counted = news.flatMap((one) => (one.kind === 'ended' ? [one.restart] : []));
    expect(counted).toEqual([1, 2, 3, 4, 5]);
    expect(news.filter(({ kind }) => kind === 'back')).toHaveLength(4);
    expect(news.find((one) => one.kind === 'ended' && one.restart === 3)).toMatchObject({
      how: 'it did not start: port 5 is in use',
    });
    expect(news.at(-1)).toEqual({
      kind: 'given_up',
      name: 'mongod',
      how: 'it ended with code 4',
      why: 'it was started again 5 times in 10 minutes',
    });
  });

  it('gives up at once where it cannot be started at all', async () => {
    const news = await newsOf([], { obstacle: 'another process owns its data' });
    expect(news).toEqual([
      {
        kind: 'given_up',
        name: 'mongod',
        how: 'it ended with code 14',
        why: 'another process owns its data',
      },
    ]);
  });

  it('says nothing, and starts nothing, while the stack stops', async () => {
    expect(await newsOf([], { stopsAfter: 0 })).toEqual([]);
  });
});

it('waits a little longer before each restart', () => {
  expect([1, 2, 3, 4, 5].map(restartDelayMs)).toEqual([250, 500, 1_000, 2_000, 4_000]);
});
