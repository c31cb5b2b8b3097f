import { describe, expect, it } from '@jest/globals';
import type { ProcessResult } from '../../workflows/messages.js';
import { createFirstRun, FIRST_LEASE_MS } from '../../src/distribution/firstRun.js';
import { SHORT_LEASE_MS } from '../../src/distribution/sell.js';
import { after, aLead, NOW } from '../support/storedRows.js';

const RESULT: ProcessResult = { verdicts: [], open: ['l1'], dueInMs: 5 };

/** A run at time 0 of the monotonic clock; `pass` lets time go by. */
function aRun(started: Promise<unknown> = Promise.resolve()) {
  let elapsed = 0;
  let passed: Promise<ProcessResult> | undefined;
  const clock = { now: () => NOW, monotonic: () => elapsed, random: () => 0 };
  const run = createFirstRun(clock, (result) => {
    passed = result;
    return started;
  });
  return { run, passed: () => passed, pass: (ms: number) => (elapsed += ms) };
}

describe('the first run of leads that are about to be inserted', () => {
  it('owns them for the time of a lease, as acquired once', () => {
    const { run } = aRun();
    const lead = aLead({ _id: 'l1' });
    const own = { ...lead, run: run.lease.id, lease_until: after(FIRST_LEASE_MS), takes: 1 };
    expect(run.own(lead)).toEqual(own);
    expect(lead).toMatchObject({ run: null, takes: 0 });
  });

  it('begins, and cannot be called off after that', async () => {
    const { run, passed } = aRun();
    expect(run.begin()).toBe(true);
    expect(run.callOff()).toBe(false);
    expect(run.begin()).toBe(true);
    run.finish(Promise.resolve(RESULT));
    expect(await passed()).toEqual(RESULT);
  });

  it('is called off, does not begin after that, and its workflow ends without leads', async () => {
    const { run, passed } = aRun();
    expect(run.callOff()).toBe(true);
    expect(run.begin()).toBe(false);
    expect(run.callOff()).toBe(true);
    run.finish(Promise.resolve(RESULT));
    expect(await passed()).toEqual({ verdicts: [], open: [], dueInMs: 0 });
  });

  it('does not begin when its lease ends soon', () => {
    const { run, pass } = aRun();
    pass(FIRST_LEASE_MS - SHORT_LEASE_MS + 1);
    expect(run.begin()).toBe(false);
    expect(run.callOff()).toBe(true);
  });

  it('passes on that its workflow could not be started', async () => {
    const { run } = aRun(Promise.reject(new Error('Temporal is away')));
    await expect(run.started).rejects.toThrow('Temporal is away');
  });
});
