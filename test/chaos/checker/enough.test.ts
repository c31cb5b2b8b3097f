import { describe, expect, it } from '@jest/globals';
import type { Aim, Evidence, ProcessEnd } from '../evidence/evidence.js';
import { check } from './check.js';
import { sold, soldWhenSentAgain } from './endings.js';
import { aRun, rulesOf, T0, type StoryRun } from './stories.js';

const AIM: Aim = { rate: 20, seconds: 26, kills: 10, whole: false };

const judged = (run: StoryRun, about: Partial<Pick<Evidence, 'aim' | 'ends'>>) =>
  Object.assign(run.finish(), about);

const times = (count: number, story: (run: StoryRun) => unknown): StoryRun => {
  const run = aRun();
  for (let n = 0; n < count; n++) story(run);
  return run;
};

describe('too_little_tested', () => {
  it('reports a run in which every request got 503', () => {
    const run = times(520, (told) =>
      told.told(told.asks(), { answer: 'not_taken', outcome: 'fail', status: 503 }),
    );
    const [violation, ...others] = check(judged(run, { aim: AIM }));
    expect(others).toEqual([]);
    expect(violation).toEqual({
      total: 'untested',
      rule: 'too_little_tested',
      what: '0 leads were acknowledged; a run like this needs 10',
    });
  });

  it.each([
    [9, { rate: 20, seconds: 26 }, ['too_little_tested']],
    [10, { rate: 20, seconds: 26 }, []],
    [1_399, { rate: 100, seconds: 700 }, ['too_little_tested']],
    [1, { rate: 1, seconds: 5 }, []],
  ])('compares %s acknowledged leads at %o with what the run planned', (count, load, rules) => {
    expect(rulesOf(judged(times(count, sold), { aim: { ...AIM, ...load } }))).toEqual(rules);
  });

  it('requires rare states only with all faults and campaigns, and more of them in a longer run', () => {
    const wanted = (aim: Partial<Aim>) =>
      check(judged(times(30, soldWhenSentAgain), { aim: { ...AIM, whole: true, ...aim } })).map(
        ({ what }) => what,
      );
    const needs = (count: number) => [`4 rare states were met; a run like this needs ${count}`];
    expect(wanted({})).toEqual(needs(10));
    expect(wanted({ seconds: 29, kills: 4 })).toEqual([]);
    const long = check(
      judged(times(30, soldWhenSentAgain), {
        aim: { rate: 115, seconds: 2_700, kills: 200, whole: true },
      }),
    );
    expect(long.map(({ what }) => what)).toContain(needs(30)[0]);
  });

  it('requires nothing of evidence that is not from a run', () => {
    expect(rulesOf(aRun().finish())).toEqual([]);
  });
});

describe('process_ended', () => {
  const end = (more: Partial<ProcessEnd> = {}): ProcessEnd => ({
    at: T0 + 60_000,
    name: 'worker-1',
    served: true,
    ...more,
  });

  it('reports a process that ended while it served, whatever was killed', () => {
    const run = aRun();
    run.fault({ type: 'kill', targets: ['mongod'], at: T0 + 59_000 });
    const [violation] = check(judged(run, { ends: [end()] }));
    expect(violation).toEqual({
      total: 'crashed',
      rule: 'process_ended',
      what: 'worker-1 ended by itself at 2026-11-21T12:01:00.000Z, while it served',
    });
  });

  it('is silent only about one that could not start because a server was down', () => {
    const ends = [end({ served: false })];
    expect(rulesOf(judged(aRun(), { ends }))).toEqual(['process_ended']);
    const struck = (at: number, target: string) => {
      const run = aRun();
      run.fault({ type: 'kill', targets: [target], at });
      return rulesOf(judged(run, { ends }));
    };
    expect(struck(T0 + 50_000, 'temporal')).toEqual([]);
    expect(struck(T0, 'temporal')).toEqual(['process_ended']);
    expect(struck(T0 + 50_000, 'delivery')).toEqual(['process_ended']);
  });
});
