import { describe, expect, it, jest } from '@jest/globals';
import type { ProcessResult } from '../../workflows/messages.js';
import { createFirstRun, FIRST_LEASE_MS } from '../../src/distribution/firstRun.js';
import { SHORT_LEASE_MS } from '../../src/distribution/sell.js';
import { after, aLead, NOW } from '../support/storedRows.js';

const RESULT: ProcessResult = { verdicts: [], open: ['l1'], dueInMs: 5 };

/** A run at time 0 of the monotonic clock; `pass` lets time go by. */
function aRun() {
  let elapsed = 0;
  const clock = { now: () => NOW, monotonic: () => elapsed, random: () => 0 };
  const run = createFirstRun(clock);
  return {
    run,
    decide: jest.fn(() => Promise.resolve(RESULT)),
    pass: (ms: number) => (elapsed += ms),
  };
}

describe('the first run of leads that are about to be inserted', () => {
  it('leases them, as acquired once', () => {
    const { run } = aRun();
    const lead = aLead({ _id: 'l1' });
    const leased = { ...lead, run: run.lease.id, lease_until: after(FIRST_LEASE_MS), takes: 1 };
    expect(run.leaseLead(lead)).toEqual(leased);
    expect(lead).toMatchObject({ run: null, takes: 0 });
  });

  it('begins once, cannot be called off after that, and its workflow receives its result', async () => {
    const { run, decide } = aRun();
    expect(await run.begin(decide)).toEqual(RESULT);
    expect(run.callOff()).toBe(false);
    await expect(run.begin(decide)).rejects.toThrow('called off');
    expect(decide).toHaveBeenCalledTimes(1);
    expect(await run.result).toEqual(RESULT);
  });

  it('is called off, does not begin after that, and its workflow ends without leads', async () => {
    const { run, decide } = aRun();
    expect(run.callOff()).toBe(true);
    await expect(run.begin(decide)).rejects.toThrow('called off');
    expect(run.callOff()).toBe(true);
    expect(decide).not.toHaveBeenCalled();
    expect(await run.result).toEqual({ verdicts: [], open: [], dueInMs: 0 });
  });

  it('does not begin when its lease ends soon', async () => {
    const { run, decide, pass } = aRun();
    pass(FIRST_LEASE_MS - SHORT_LEASE_MS + 1);
    await expect(run.begin(decide)).rejects.toThrow('ends soon');
    expect(run.callOff()).toBe(true);
  });
});
