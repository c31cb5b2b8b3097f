import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../src/lib/errors.js';
import { createGroupCommit, type GroupCommitOptions } from '../../src/lib/groupCommit.js';
import { defer, type Deferred } from '../support/http.js';
import { waitFor } from '../support/waitFor.js';

type Options = Partial<GroupCommitOptions<number, string>>;
type Results = PromiseSettledResult<string>[];

interface Handed {
  items: readonly number[];
  done: Deferred<Results>;
}

const said = (items: readonly number[]): Results =>
  items.map((item) => ({ status: 'fulfilled', value: `did ${item}` }));

/** Groups stay in flight until the test releases them. */
function heldGroups(options: Options = {}) {
  const handed: Handed[] = [];
  const groups = createGroupCommit<number, string>({
    maxInFlight: 1,
    groupMax: 10,
    queueMax: 100,
    refuseAt: () => performance.now() + 60_000,
    commit: (items) => {
      const done = defer<Results>();
      handed.push({ items, done });
      return done.promise;
    },
    ...options,
  });
  const finish = (index: number) => {
    const group = handed[index];
    if (!group) throw new Error(`Group ${index} was not handed over`);
    group.done.resolve(said(group.items));
  };
  return { groups, handed, finish, items: () => handed.map(({ items }) => items) };
}

const busy = (message: RegExp): unknown =>
  expect.objectContaining({
    code: 'unavailable',
    status: 503,
    message: expect.stringMatching(message),
    extras: expect.objectContaining({ retry_after: expect.any(Number) }),
  });

describe('createGroupCommit', () => {
  it('says how many items wait, and how many groups are in flight', async () => {
    const { groups, finish } = heldGroups();
    expect(groups.load()).toEqual({ waiting: 0, inFlight: 0 });
    const all = [1, 2, 3].map((item) => groups.submit(item));
    expect(groups.load()).toEqual({ waiting: 2, inFlight: 1 });
    finish(0);
    await all[0];
    await waitFor(() => groups.load().waiting === 0, { message: 'the second group is in flight' });
    expect(groups.load()).toEqual({ waiting: 0, inFlight: 1 });
    finish(1);
    await Promise.all(all);
    await groups.idle();
    expect(groups.load()).toEqual({ waiting: 0, inFlight: 0 });
  });

  it('commits a single item at once, as a group of one', async () => {
    const { groups, items, finish } = heldGroups();
    const one = groups.submit(1);
    expect(items()).toEqual([[1]]);
    finish(0);
    await expect(one).resolves.toBe('did 1');
  });

  it('waits for others although none is in flight, where it is asked to gather', async () => {
    const { groups, handed, items, finish } = heldGroups({ gatherMs: 30 });
    const first = groups.submit(1);
    await delay(5);
    expect(items()).toEqual([]);
    const second = groups.submit(2);
    await waitFor(() => handed.length === 1);
    expect(items()).toEqual([[1, 2]]);
    finish(0);
    expect(await Promise.all([first, second])).toEqual(['did 1', 'did 2']);
  });

  it('does not gather longer once a group is full, and leaves the next one its time', async () => {
    const { groups, handed, items, finish } = heldGroups({
      gatherMs: 30,
      groupMax: 2,
      maxInFlight: 2,
    });
    const all = [1, 2, 3].map((item) => groups.submit(item));
    expect(items()).toEqual([[1, 2]]);
    await waitFor(() => handed.length === 2);
    expect(items()).toEqual([[1, 2], [3]]);
    finish(0);
    finish(1);
    expect(await Promise.all(all)).toEqual(['did 1', 'did 2', 'did 3']);
  });

  it('commits items that arrived meanwhile together, in order of arrival', async () => {
    const { groups, handed, items, finish } = heldGroups();
    const all = [1, 2, 3, 4].map((item) => groups.submit(item));
    expect(items()).toEqual([[1]]);
    finish(0);
    await waitFor(() => handed.length === 2);
    expect(items()).toEqual([[1], [2, 3, 4]]);
    finish(1);
    await expect(Promise.all(all)).resolves.toEqual(['did 1', 'did 2', 'did 3', 'did 4']);
  });

  it('has up to maxInFlight groups in flight, and none of them waits for another', async () => {
    const { groups, handed, items, finish } = heldGroups({ maxInFlight: 2 });
    const all = [1, 2, 3].map((item) => groups.submit(item));
    expect(items()).toEqual([[1], [2]]);
    finish(1);
    await expect(all[1]).resolves.toBe('did 2');
    await waitFor(() => handed.length === 3);
    expect(items()).toEqual([[1], [2], [3]]);
    finish(2);
    await expect(all[2]).resolves.toBe('did 3');
    finish(0);
    await expect(all[0]).resolves.toBe('did 1');
  });

  it('starts groups at the configured interval, and full ones and the first at once', async () => {
    const { groups, items, finish } = heldGroups({ maxInFlight: 3, groupMax: 3, intervalMs: 150 });
    const from = performance.now();
    const all = [1, 2, 3].map((item) => groups.submit(item));
    expect(items()).toEqual([[1]]);
    all.push(groups.submit(4));
    expect(items()).toEqual([[1], [2, 3, 4]]);
    all.push(groups.submit(5));
    await waitFor(() => items().length === 3);
    expect(items()).toEqual([[1], [2, 3, 4], [5]]);
    expect(performance.now() - from).toBeGreaterThanOrEqual(149);
    [0, 1, 2].forEach(finish);
    expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5].map((item) => `did ${item}`));
    await groups.idle();
  });

  it('lets a partial group linger for more items while another is in flight', async () => {
    const { groups, items, finish } = heldGroups({ maxInFlight: 3, groupMax: 3, lingerMs: 150 });
    const from = performance.now();
    const all = [1, 2, 3].map((item) => groups.submit(item));
    expect(items()).toEqual([[1]]);
    all.push(groups.submit(4));
    expect(items()).toEqual([[1], [2, 3, 4]]);
    all.push(groups.submit(5), groups.submit(6));
    await waitFor(() => items().length === 3);
    expect(items()).toEqual([[1], [2, 3, 4], [5, 6]]);
    expect(performance.now() - from).toBeGreaterThanOrEqual(149);
    [0, 1, 2].forEach(finish);
    await Promise.all(all);
    await groups.idle();
  });

  it('commits a lingering group at once when no other is in flight', async () => {
    const { groups, items, finish } = heldGroups({ maxInFlight: 2, lingerMs: 60_000 });
    const all = [1, 2, 3].map((item) => groups.submit(item));
    finish(0);
    await waitFor(() => items().length === 2);
    expect(items()).toEqual([[1], [2, 3]]);
    finish(1);
    expect(await Promise.all(all)).toEqual(['did 1', 'did 2', 'did 3']);
  });

  it('calls back with the size and the time of each group', async () => {
    const settled: { size: number; tookMs: number }[] = [];
    const { groups, finish, items } = heldGroups({ onSettled: (group) => settled.push(group) });
    const all = [1, 2, 3].map((item) => groups.submit(item));
    finish(0);
    await waitFor(() => items().length === 2);
    finish(1);
    await Promise.all(all);
    await groups.idle();
    expect(settled).toEqual([
      { size: 1, tookMs: expect.any(Number) },
      { size: 2, tookMs: expect.any(Number) },
    ]);
  });

  it('puts at most the maximum into a group', async () => {
    const { groups, handed, items, finish } = heldGroups({ groupMax: 2 });
    const all = [1, 2, 3, 4].map((item) => groups.submit(item));
    finish(0);
    await waitFor(() => handed.length === 2);
    finish(1);
    await waitFor(() => handed.length === 3);
    finish(2);
    await Promise.all(all);
    expect(items()).toEqual([[1], [2, 3], [4]]);
  });

  it('refuses with 503 items beyond the queue limit, and accepts them again when it has room', async () => {
    const { groups, handed, finish } = heldGroups({ queueMax: 2 });
    const taken = [1, 2, 3].map((item) => groups.submit(item));
    await expect(groups.submit(4)).rejects.toEqual(busy(/^Too many leads are waiting/));
    finish(0);
    await waitFor(() => handed.length === 2);
    const later = groups.submit(5);
    finish(1);
    await waitFor(() => handed.length === 3);
    finish(2);
    await expect(Promise.all([...taken, later])).resolves.toEqual([
      'did 1',
      'did 2',
      'did 3',
      'did 5',
    ]);
  });

  it('refuses with 503 items that waited too long, and never commits them', async () => {
    const { groups, items, finish } = heldGroups({ refuseAt: () => performance.now() + 20 });
    const first = groups.submit(1);
    await expect(Promise.all([groups.submit(2), groups.submit(3)])).rejects.toEqual(
      busy(/^The service is too busy/),
    );
    finish(0);
    await expect(first).resolves.toBe('did 1');
    await groups.idle();
    expect(items()).toEqual([[1]]);
  });

  it('refuses late items at once', async () => {
    const { groups, items } = heldGroups({ refuseAt: () => performance.now() - 1 });
    await expect(groups.submit(1)).rejects.toEqual(busy(/^The service is too busy/));
    expect(items()).toEqual([]);
  });

  it('refuses all items of a group that fails, and continues with the next', async () => {
    const { groups, handed, finish } = heldGroups();
    const failing = groups.submit(1);
    const next = groups.submit(2);
    const down = new AppError('unavailable', 'The database is away');
    handed[0]?.done.reject(down);
    await expect(failing).rejects.toBe(down);
    await waitFor(() => handed.length === 2);
    finish(1);
    await expect(next).resolves.toBe('did 2');
  });

  it('refuses all items when the commit throws before it begins', async () => {
    const { groups } = heldGroups({
      commit: () => {
        throw new Error('no way');
      },
    });
    await expect(groups.submit(1)).rejects.toThrow('no way');
    await groups.idle();
  });

  it('refuses one item of a group alone', async () => {
    const { groups, handed, finish } = heldGroups();
    const first = groups.submit(1);
    const others = [2, 3, 4].map((item) => groups.submit(item));
    finish(0);
    await first;
    await waitFor(() => handed.length === 2);
    const reason = new AppError('campaign_paused', 'The campaign takes no leads now');
    handed[1]?.done.resolve([...said([2]), { status: 'rejected', reason }, ...said([4])]);
    await expect(Promise.allSettled(others)).resolves.toEqual([
      { status: 'fulfilled', value: 'did 2' },
      { status: 'rejected', reason },
      { status: 'fulfilled', value: 'did 4' },
    ]);
  });

  it('refuses an item that its group did not settle', async () => {
    const { groups, handed } = heldGroups();
    const forgotten = groups.submit(1);
    handed[0]?.done.resolve([]);
    await expect(forgotten).rejects.toThrow('The group settled too few items');
  });

  it('is idle when nothing waits and nothing is in flight', async () => {
    const { groups, handed, finish } = heldGroups();
    await groups.idle();
    const all = [groups.submit(1), groups.submit(2)];
    let isIdle = false;
    const idle = groups.idle().then(() => (isIdle = true));
    finish(0);
    await waitFor(() => handed.length === 2);
    expect(isIdle).toBe(false);
    finish(1);
    await idle;
    await expect(Promise.all(all)).resolves.toEqual(['did 1', 'did 2']);
  });
});
