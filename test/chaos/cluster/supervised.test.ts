import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { waitFor } from '../../support/waitFor.js';
import { supervise, type Starter, type Victim } from './supervised.js';

const WAITS = 'process.on("SIGTERM", () => process.exit(0)); setInterval(() => {}, 1000)';

describe('a process that is started again whenever it ends', () => {
  let victim: Victim | undefined;
  afterEach(() => victim?.end(0));

  /** `scripts` in turn; the last one repeats. */
  const supervised = (...scripts: string[]) => {
    const pids: number[] = [];
    const start: Starter['start'] = async (began) => {
      const script = scripts.length > 1 ? scripts.shift() : scripts[0];
      const child = spawn(process.execPath, ['-e', script ?? ''], { stdio: 'ignore' });
      const exited = once(child, 'exit');
      pids.push(child.pid ?? 0);
      began({ pid: child.pid ?? 0, exited });
      if (script !== WAITS) await exited.then(() => Promise.reject(new Error('it ended')));
    };
    const made = (victim = supervise({ name: 'one', start }));
    return { made, pids };
  };

  it('comes back after a kill, as another process, and the kill is no failure of its own', async () => {
    const { made, pids } = supervised(WAITS);
    await made.ready();
    expect(made.kill()).toBe(true);
    await waitFor(() => pids.length === 2, { message: 'it is started again' });
    await made.ready();
    expect(pids[0]).not.toBe(pids[1]);
    expect(made.counts()).toEqual({ starts: 2, failed: 0 });
  });

  it('runs a callback between the kill and the next start', async () => {
    const { made, pids } = supervised(WAITS);
    await made.ready();
    let startsThen = 0;
    made.kill(() => {
      startsThen = pids.length;
      return Promise.resolve();
    });
    await waitFor(() => pids.length === 2, { message: 'it is started again' });
    expect(startsThen).toBe(1);
  });

  it('is started again when it does not come up', async () => {
    const { made } = supervised('process.exit(1)', WAITS);
    await made.ready();
    expect(made.counts()).toEqual({ starts: 2, failed: 1 });
    expect(made.ends()).toMatchObject([{ name: 'one', served: false }]);
  });

  it('reports only unexpected ends', async () => {
    const { made, pids } = supervised(WAITS);
    await made.ready();
    made.signal('SIGTERM');
    await waitFor(() => pids.length === 2, { message: 'it is started again' });
    await made.ready();
    expect(made.ends()).toEqual([]);
    process.kill(pids[1] ?? 0, 'SIGKILL');
    await waitFor(() => pids.length === 3, { message: 'it is started again' });
    expect(made.ends()).toMatchObject([{ name: 'one', served: true }]);
    expect(made.counts()).toEqual({ starts: 3, failed: 1 });
  });

  it('sends a signal only to the process it is meant for', async () => {
    const { made, pids } = supervised(WAITS);
    await made.ready();
    expect(made.signal('SIGSTOP')).toBe(pids[0]);
    expect(made.signal('SIGCONT', (pids[0] ?? 0) + 1)).toBeNull();
    expect(made.signal('SIGCONT', pids[0])).toBe(pids[0]);
  });

  it('stays down once it is stopped', async () => {
    const { made } = supervised(WAITS);
    await made.ready();
    await made.end(5_000);
    expect(await made.alive(0)).toBe(false);
    expect(made.kill()).toBe(false);
    expect(made.counts()).toEqual({ starts: 1, failed: 0 });
  });
});
