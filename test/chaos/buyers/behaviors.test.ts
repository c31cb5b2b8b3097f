import { describe, expect, it } from '@jest/globals';
import { behaviorOf, BEHAVIORS, TIMES, type Asked } from './behaviors.js';

const asked = (over: Partial<Asked> = {}): Asked => ({
  seed: 'seven',
  buyer: 'a',
  leadId: 'lead',
  time: 1,
  mode: 'flaky',
  habits: {},
  times: TIMES,
  first: null,
  ...over,
});

const many = (over: Partial<Asked>, count = 2_000) =>
  Array.from({ length: count }, (_, n) => behaviorOf(asked({ leadId: `lead ${n}`, ...over })));

describe('what a buyer does', () => {
  it('is the same for the same seed, buyer, lead and request, and differs for another seed', () => {
    const names = (seed: string) => many({ seed }, 200).map(({ name }) => name);
    expect(names('seven')).toEqual(names('seven'));
    expect(names('seven')).not.toEqual(names('eight'));
  });

  it('includes every behavior while the buyer is flaky, and is mostly to accept', () => {
    const names = many({}).map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(BEHAVIORS));
    expect(names.filter((name) => name === 'accept').length).toBeGreaterThan(1_000);
  });

  it('is to accept while it is healthy, except for the share that it rejects', () => {
    expect(new Set(many({ mode: 'well' }).map(({ decision }) => decision))).toEqual(
      new Set(['accepted']),
    );
    const picky = many({ mode: 'well', habits: { rejects: 0.2 } });
    const rejected = picky.filter(({ decision }) => decision === 'rejected').length;
    expect(rejected).toBeGreaterThan(300);
    expect(rejected).toBeLessThan(500);
  });

  it('never accepts a lead while it is busy or limited, and may accept it while it hangs', () => {
    const decisions = (mode: Asked['mode']) => new Set(many({ mode }).map((one) => one.decision));
    expect(decisions('busy')).toEqual(new Set(['busy']));
    expect(decisions('limited')).toEqual(new Set(['limited']));
    expect(decisions('hanging')).toEqual(new Set(['hung', 'accepted']));
  });

  it('repeats its answer where it honors keys: an acceptance and a refusal stay the same', () => {
    const after = (first: Asked['first']) => new Set(many({ first }).map((one) => one.decision));
    const passing = ['busy', 'limited', 'garbage', 'hung', 'reset'];
    expect(after('accepted')).toEqual(new Set(['replayed', ...passing]));
    expect(after('rejected')).toEqual(new Set(['rejected', ...passing]));
  });

  it('never answers a complete 2xx without accepting the lead', () => {
    const wrong = many({}).filter(
      ({ decision, answer }) =>
        decision !== 'accepted' &&
        (answer.way === 'whole' || answer.way === 'drip') &&
        answer.status >= 200 &&
        answer.status < 300,
    );
    expect(wrong).toEqual([]);
  });
});
