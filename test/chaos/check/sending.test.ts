import { describe, it, expect } from 'vitest';
import { capped, duplicate, held, sold, soldWhenAskedAgain, soldWhenSentAgain } from './endings.js';
import { aRun, rulesOf } from './stories.js';

describe('key_changed', () => {
  it('is silent when a lead is sent again under the same key', () => {
    const run = aRun();
    soldWhenAskedAgain(run);
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('speaks when it is sent again under another', () => {
    const run = aRun();
    soldWhenAskedAgain(run);
    run.evidence.journal
      .filter(({ decision }) => decision === 'replayed')
      .forEach((line) => (line.idempotency_key = 'another'));
    expect(rulesOf(run.finish())).toEqual(['key_changed']);
  });
});

describe('resent_blindly', () => {
  it('is silent when the buyer had said that it did not take the lead', () => {
    const run = aRun();
    const { row } = sold(run);
    const [decided, answered] = run.evidence.journal;
    if (decided && answered) decided.decision = answered.decision = 'busy';
    run.request(row, 'accepted', 'answered', 500);
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it.each(['hung', 'reset', 'rejected'] as const)('speaks after a request that was %s', (word) => {
    const run = aRun();
    const { row } = sold(run);
    const [decided, answered] = run.evidence.journal;
    if (decided && answered) decided.decision = answered.decision = word;
    run.request(row, 'accepted', 'answered', 500);
    expect(rulesOf(run.finish())).toEqual(['resent_blindly']);
  });

  it('is silent at a buyer that honours keys', () => {
    const run = aRun();
    const { row } = sold(run, 'asked_again');
    const [decided, answered] = run.evidence.journal;
    if (decided && answered) decided.decision = answered.decision = 'hung';
    run.request(row, 'accepted', 'answered', 500);
    expect(rulesOf(run.finish())).toEqual([]);
  });
});

describe('sent_after_its_time', () => {
  /** A worker was stopped when it had the row's permission; the request arrives so long after that had ended. */
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

  it('is silent when no process stood still: then the request was long on its way', () => {
    const { run, row, stop } = late(6_000);
    stop.ended = row.created_at.getTime();
    stop.at = stop.ended - 5_000;
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('is silent when its own sender had waited for the answer in vain before it arrived', () => {
    const run = aRun();
    const { row } = held(run);
    const arrived = row.send_by.getTime() + 6_000;
    run.evidence.journal.forEach((line) => (line.at = arrived));
    run.fault({ type: 'stop', targets: ['worker'], at: arrived - 9_000, ended: arrived });
    row.reason = 'no answer in time';
    expect(rulesOf(run.finish())).toEqual([]);
    // Another run has taken up the row, and the one that was stopped goes on.
    row.reason = 'no_answer_recorded';
    expect(rulesOf(run.finish())).toEqual(['sent_after_its_time']);
  });

  it.each([
    ['all', 6_000, []],
    ['a part', 2_000, ['sent_after_its_time']],
  ])('allows for the machine having no time: %s of it', (_name, ms, rules) => {
    const { run, row } = late(6_000);
    const at = row.send_by.getTime();
    run.fault({ type: 'lag', targets: ['harness'], at, ended: at + ms });
    expect(rulesOf(run.finish())).toEqual(rules);
  });
});

describe('sent_without_row', () => {
  it('speaks of a request to a buyer that the lead has no row for', () => {
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

  it('speaks of a withdrawn lead', () => {
    const run = aRun();
    const { lead } = soldWhenSentAgain(run).first;
    run.request(run.row(lead, 'holding', { state: 'rejected' }), 'rejected');
    expect(rulesOf(run.finish())).toEqual(['sent_for_closed_lead']);
  });

  it('speaks of a duplicate', () => {
    const run = aRun();
    const { lead } = duplicate(run, sold(run));
    run.request(run.row(lead, 'holding', { state: 'rejected' }), 'rejected');
    expect(rulesOf(run.finish())).toEqual(['sent_for_closed_lead']);
  });

  it('speaks of a lead that the filters refused', () => {
    const run = aRun();
    const { lead, answer } = capped(run);
    delete lead.refusal;
    Object.assign(answer, { answer: 'rejected', status: 422, lead_id: lead._id });
    run.request(run.row(lead, 'holding', { state: 'rejected' }), 'rejected');
    expect(rulesOf(run.finish())).toEqual(['sent_for_closed_lead']);
  });
});
