import { describe, it, expect } from '@jest/globals';
import { capped, duplicate, held, sold, soldWhenAskedAgain, soldWhenSentAgain } from './endings.js';
import type { JournalLine } from '../evidence/evidence.js';
import { aRun, rulesOf } from './stories.js';

describe('key_changed', () => {
  it('is silent when a lead is sent again under the same key', () => {
    const run = aRun();
    soldWhenAskedAgain(run);
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('reports when it is sent again under another', () => {
    const run = aRun();
    soldWhenAskedAgain(run);
    run.evidence.journal
      .filter(({ decision }) => decision === 'replayed')
      .forEach((line) => (line.idempotency_key = 'another'));
    expect(rulesOf(run.finish())).toEqual(['key_changed']);
  });
});

describe('resent_blindly', () => {
  it('is silent when the buyer had answered that it did not accept the lead', () => {
    const run = aRun();
    const { row } = sold(run);
    const [decided, answered] = run.evidence.journal;
    if (decided && answered) decided.decision = answered.decision = 'busy';
    run.request(row, 'accepted', 'answered', 500);
    expect(rulesOf(run.finish())).toEqual([]);
  });

  /** It is sent again after this first answer. */
  const resentAfter = (answer: Partial<JournalLine>): string[] => {
    const run = aRun();
    const { row } = sold(run);
    run.evidence.journal.forEach((line) => Object.assign(line, answer));
    run.request(row, 'accepted', 'answered', 500);
    return rulesOf(run.finish());
  };

  it.each<[string, Partial<JournalLine>]>([
    ['was truncated', { decision: 'garbage' }],
    ['had a status that HTTP does not have', { decision: 'garbage', status: 999 }],
  ])('reports after an answer that %s: it may have been an acceptance', (_name, answer) => {
    expect(resentAfter(answer)).toEqual(['resent_blindly']);
  });

  it('is silent after a redirection: the buyer did not accept the lead', () => {
    expect(resentAfter({ decision: 'garbage', status: 302 })).toEqual([]);
  });

  it('reports after an answer that cannot have been received, whatever it was', () => {
    const run = aRun();
    const { row } = sold(run);
    const [decided, ended] = run.evidence.journal;
    if (decided && ended) Object.assign(ended, { decision: (decided.decision = 'busy') });
    if (ended) ended.step = 'cut';
    run.request(row, 'accepted', 'answered', 500);
    expect(rulesOf(run.finish())).toEqual(['resent_blindly']);
  });

  it.each(['hung', 'reset', 'rejected'] as const)('reports after a request that was %s', (word) => {
    const run = aRun();
    const { row } = sold(run);
    const [decided, answered] = run.evidence.journal;
    if (decided && answered) decided.decision = answered.decision = word;
    run.request(row, 'accepted', 'answered', 500);
    expect(rulesOf(run.finish())).toEqual(['resent_blindly']);
  });

  it('is silent at a buyer that honors keys', () => {
    const run = aRun();
    const { row } = sold(run, 'asked_again');
    const [decided, answered] = run.evidence.journal;
    if (decided && answered) decided.decision = answered.decision = 'hung';
    run.request(row, 'accepted', 'answered', 500);
    expect(rulesOf(run.finish())).toEqual([]);
  });
});

describe('sent_after_its_time', () => {
  /** A worker was stopped while it had permission to send; the request arrives `ms` after the permission ended. */
  const late = (ms: number) => {
    const run = aRun();
    const { row } = sold(run);
    run.evidence.journal.forEach((line) => (line.at = row.send_by.getTime() + ms));
    row.settled_at = new Date(row.send_by.getTime() + ms + 50);
    const at = row.created_at.getTime() + 1;
    const stop = run.fault({ type: 'stop', targets: ['worker'], at, ended: at + ms });
    return { run, row, stop };
  };

  it.each([
    [2_000, []],
    [2_001, ['sent_after_its_time']],
  ])('judges a request that arrived %s ms late', (ms, rules) => {
    expect(rulesOf(late(ms).run.finish())).toEqual(rules);
  });

  it.each([
    [7_500, []],
    [7_501, ['sent_after_its_time']],
    [60_000, ['sent_after_its_time']],
  ])(
    'allows a request in transit while its sender waits, if no process was stopped: %s ms',
    (ms, rules) => {
      const { run, row, stop } = late(ms);
      stop.ended = row.created_at.getTime();
      stop.at = stop.ended - 5_000;
      run.fault({ type: 'kill', targets: ['worker'], at: row.created_at.getTime() });
      expect(rulesOf(run.finish())).toEqual(rules);
    },
  );

  it('is silent when its own sender had waited for the answer in vain before it arrived', () => {
    const run = aRun();
    const { row } = held(run);
    const arrived = row.send_by.getTime() + 6_000;
    run.evidence.journal.forEach((line) => (line.at = arrived));
    run.fault({ type: 'stop', targets: ['worker'], at: arrived - 9_000, ended: arrived });
    row.reason = 'no answer in time';
    row.settled_at = new Date(arrived - 1_000);
    expect(rulesOf(run.finish())).toEqual([]);
    row.settled_at = new Date(arrived - 2_001);
    expect(rulesOf(run.finish())).toEqual(['sent_after_its_time']);
    // Another run has resumed the row, and the stopped one continues.
    row.reason = 'no_answer_recorded';
    expect(rulesOf(run.finish())).toEqual(['sent_after_its_time']);
  });

  it.each([
    ['all', 6_000, []],
    ['a part', 2_000, ['sent_after_its_time']],
  ])('allows for a busy machine: %s of its time', (_name, ms, rules) => {
    const { run, row } = late(6_000);
    const at = row.send_by.getTime();
    run.fault({ type: 'lag', targets: ['harness'], at, ended: at + ms });
    expect(rulesOf(run.finish())).toEqual(rules);
  });
});

describe('sent_without_row', () => {
  it('reports a request to a buyer that the lead has no row for', () => {
    const run = aRun();
    sold(run);
    const stray = run.evidence.journal.map((line) => ({
      ...line,
      request: 9,
      buyer_id: 'asked_again',
      decision: 'rejected' as const,
    }));
    run.evidence.journal.push(...stray);
    expect(rulesOf(run.finish())).toEqual(['sent_without_row']);
  });
});

describe('sent_for_closed_lead', () => {
  it('is silent about a lead that was refused for the supplier after its first buyer was asked', () => {
    const run = aRun();
    const { lead } = capped(run);
    run.request(run.row(lead, 'holding', { state: 'rejected' }), 'rejected');
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('reports a withdrawn lead', () => {
    const run = aRun();
    const { lead } = soldWhenSentAgain(run).first;
    run.request(run.row(lead, 'holding', { state: 'rejected' }), 'rejected');
    expect(rulesOf(run.finish())).toEqual(['sent_for_closed_lead']);
  });

  it('reports a duplicate', () => {
    const run = aRun();
    const { lead } = duplicate(run, sold(run));
    run.request(run.row(lead, 'holding', { state: 'rejected' }), 'rejected');
    expect(rulesOf(run.finish())).toEqual(['sent_for_closed_lead']);
  });

  it('reports a lead that the filters refused', () => {
    const run = aRun();
    const { lead, answer } = capped(run);
    delete lead.refusal;
    Object.assign(answer, { answer: 'rejected', status: 422, lead_id: lead._id });
    run.request(run.row(lead, 'holding', { state: 'rejected' }), 'rejected');
    expect(rulesOf(run.finish())).toEqual(['sent_for_closed_lead']);
  });
});
