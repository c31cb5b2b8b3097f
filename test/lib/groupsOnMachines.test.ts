/** The whole of group commit under fake time, on machines of different speed. */
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createGroupCommit } from '../../src/lib/groupCommit.js';
import { endSharedService } from '../support/sharedService.js';

describe('groups fit themselves to the machine', () => {
  /** Milliseconds of its one processor. */
  interface MachineCost {
    group: number;
    item: number;
  }
  interface GroupRun {
    at: number;
    size: number;
  }

  const SLOW = { group: 60, item: 1.5 };
  const FAST = { group: 15, item: 1 };
  const GROUP_MAX = 128;
  const LEAST_MS = 100;
  const ITEM_TIME_MS = 2_700;

  // Its timers would be replaced too.
  beforeAll(endSharedService);
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

  async function allDone(work: readonly Promise<unknown>[]) {
    let isDone = false;
    const all = Promise.all(work).finally(() => (isDone = true));
    const done = () => isDone;
    while (!done()) await jest.advanceTimersByTimeAsync(100);
    await all;
  }

  /** A machine whose processor works for one group after the other. */
  function aMachine() {
    let cost: MachineCost = FAST;
    let freeAt = 0;
    const runs: GroupRun[] = [];
    const tookMs: number[] = [];
    const groups = createGroupCommit<number, undefined>({
      maxInFlight: 4,
      groupMax: GROUP_MAX,
      lingerMs: LEAST_MS,
      queueMax: 1_000,
      refuseAt: () => performance.now() + ITEM_TIME_MS,
      commit: async (items) => {
        const now = performance.now();
        runs.push({ at: now, size: items.length });
        freeAt = Math.max(now, freeAt) + cost.group + cost.item * items.length;
        await pause(freeAt - now);
        return items.map(() => ({ status: 'fulfilled', value: undefined }));
      },
    });
    const request = async () => {
      const from = performance.now();
      await groups.submit(1);
      tookMs.push(performance.now() - from);
    };
    const meanSize = (from: number) => {
      const late = runs.filter(({ at }) => at >= from);
      return late.reduce((sum, { size }) => sum + size, 0) / late.length;
    };
    return { request, runs, tookMs, meanSize, become: (next: MachineCost) => void (cost = next) };
  }
  type TestMachine = ReturnType<typeof aMachine>;

  /** Each client sends its next request when it has read the answer to the last, up to 200 ms later. */
  async function keepOpen({ request }: TestMachine, open: number, ms: number) {
    const until = performance.now() + ms;
    const clients = Array.from({ length: open }, async (_, n) => {
      for (let turn = 0; performance.now() < until; turn++) {
        await pause((n * 37 + turn * 61) % 200);
        await request();
      }
    });
    await allDone(clients);
  }

  async function send({ request }: TestMachine, perSecond: number, ms: number) {
    const all: Promise<void>[] = [];
    for (let sent = 0; sent < (ms * perSecond) / 1_000; sent++) {
      all.push(request());
      await jest.advanceTimersByTimeAsync(1_000 / perSecond);
    }
    await allDone(all);
  }

  it('a slow machine with many open requests has large groups', async () => {
    const machine = aMachine();
    machine.become(SLOW);
    const from = performance.now();
    await keepOpen(machine, 256, 20_000);
    // A wait of 100 ms whatever the machine makes them half as large.
    expect(machine.meanSize(from + 5_000)).toBeGreaterThan(80);
    expect(Math.max(...machine.tookMs)).toBeLessThan(ITEM_TIME_MS);
  });

  it('a fast machine at low rates has each request wait for the group in flight at most', async () => {
    const machine = aMachine();
    await send(machine, 100, 3_000);
    expect(Math.max(...machine.tookMs)).toBeLessThan(3 * FAST.group);
  });

  it('groups are small and quick again two seconds after a slow machine has become fast', async () => {
    const machine = aMachine();
    machine.become({ group: 700, item: 1 });
    await send(machine, 20, 8_000);
    machine.become(FAST);
    await send(machine, 100, 2_000);
    machine.tookMs.length = 0;
    await send(machine, 100, 1_000);
    expect(Math.max(...machine.tookMs)).toBeLessThan(3 * FAST.group);
  });

  it('a lone request starts at once after groups of seconds', async () => {
    const machine = aMachine();
    machine.become({ group: 2_000, item: 0 });
    await send(machine, 1, 5_000);
    await jest.advanceTimersByTimeAsync(60_000);
    machine.become(FAST);
    machine.tookMs.length = 0;
    await send(machine, 1, 1_000);
    expect(machine.tookMs).toEqual([FAST.group + FAST.item]);
  });

  it('servers that hang hold no request in the queue for longer than a quarter of its time', async () => {
    const machine = aMachine();
    const hung = { group: 2_000, item: 0 };
    machine.become(hung);
    const all = Array.from({ length: 4 }, async (_, n) => {
      await pause(n * 700);
      return machine.request();
    });
    await allDone(all);
    const starts = machine.runs.map(({ at }) => at - (machine.runs[0]?.at ?? 0));
    starts.forEach((at, n) => expect(at - n * 700).toBeLessThanOrEqual(ITEM_TIME_MS / 4 + 1));
  });
});
