import { describe, expect, it } from '@jest/globals';
import type { AnswerClass, HistoryEvent } from '../evidence/evidence.js';
import { judgeOutage, type Away } from './outage.js';

const AWAY: Away = {
  name: 'mongod stopped',
  from: 10_000,
  to: 20_000,
  serves: 20_000,
  lookedAtUntil: 30_000,
};

let ops = 0;

/** One request of a lead of its own. */
function request(at: number, tookMs: number, answer: AnswerClass | null): HistoryEvent[] {
  const op = ++ops;
  const taken = answer === 'delivered' || answer === 'pending';
  return [
    {
      kind: 'invoked',
      at,
      op,
      intent: op,
      time: 1,
      campaign_id: 'c',
      supplier_id: 's',
      idempotency_key: null,
      phone: '+12015550100',
      email: `${op}@example.com`,
    },
    {
      kind: 'completed',
      at: at + tookMs,
      op,
      answer,
      lead_id: null,
      buyer_id: null,
      outcome: taken ? 'ok' : answer === 'not_taken' ? 'fail' : 'info',
      status: taken ? 201 : 503,
      duplicate_of: null,
      replayed: false,
    },
  ];
}

const everySecond = (from: number, to: number, tookMs: number, answer: AnswerClass) =>
  Array.from({ length: (to - from) / 1_000 }, (_, second) =>
    request(from + second * 1_000, tookMs, answer),
  ).flat();

const GOOD = [
  ...request(9_900, 2_500, 'not_taken'),
  ...request(9_950, 3_000, 'cannot_tell'),
  ...everySecond(10_000, 18_000, 2_400, 'not_taken'),
  ...request(19_000, 1_500, 'delivered'),
  ...everySecond(20_000, 22_000, 900, 'not_taken'),
  ...everySecond(22_000, 30_000, 30, 'delivered'),
];

describe('an outage', () => {
  it('passes when all requests get 503 in time and leads are accepted afterwards', () => {
    const { figures, failures } = judgeOutage(GOOD, AWAY, 5);
    expect(failures).toEqual([]);
    expect(figures).toMatchObject({
      answers: { not_taken: 8, after: 1, other: 0 },
      underWay: { ok: 0, not_taken: 1, cannot_tell: 1, other: 0 },
      awayS: 10,
      slowestMs: 3_000,
      firstAfterS: 0.5,
      normalAfterS: 2,
    });
  });

  it.each<[AnswerClass]>([['delivered'], ['cannot_tell'], ['unexpected']])(
    'allows no answer %s while it lasts',
    (answer) => {
      const { failures } = judgeOutage([...GOOD, ...request(12_000, 50, answer)], AWAY, 5);
      expect(failures).toEqual([`mongod stopped: 1 answers were not 503 (${answer})`]);
    },
  );

  it('allows no answer that takes five seconds, and no missing answer', () => {
    const slow = judgeOutage([...GOOD, ...request(12_000, 5_000, 'not_taken')], AWAY, 5);
    expect(slow.failures).toEqual([
      'mongod stopped: the slowest answer took 5000 ms; less than 5000 is right',
    ]);
    const [asked] = request(12_000, 0, 'not_taken');
    const never = judgeOutage([...GOOD, ...(asked ? [asked] : [])], AWAY, 5);
    expect(never.failures).toHaveLength(1);
  });

  it('fails when leads are not accepted again before the next one', () => {
    const history = [
      ...everySecond(10_000, 18_000, 2_400, 'not_taken'),
      ...everySecond(20_000, 30_000, 30, 'not_taken'),
    ];
    expect(judgeOutage(history, AWAY, 5).failures).toEqual([
      'mongod stopped: no 201 after it',
      'mongod stopped: not back to normal before the next one',
    ]);
  });
});
