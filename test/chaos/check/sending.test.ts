import { describe, it, expect } from '@jest/globals';
import { duplicate, sold, soldWhenAskedAgain, soldWhenSentAgain, capped } from './endings.js';
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
  it.each([
    [4_500, []],
    [4_501, ['sent_after_its_time']],
  ])('judges a request that arrived %s ms after its row', (ms, rules) => {
    const run = aRun();
    const { row } = sold(run);
    const [decided] = run.evidence.journal;
    if (decided) decided.at = row.created_at.getTime() + ms;
    expect(rulesOf(run.finish())).toEqual(rules);
  });
});

describe('sent_after_its_time, on a machine without time', () => {
  it.each([
    ['then', 7_000, []],
    ['for a part of that time', 2_000, ['sent_after_its_time']],
  ])('judges a late request when the harness stood still %s', (_name, until, rules) => {
    const run = aRun();
    const { row } = sold(run);
    const opened = row.created_at.getTime();
    run.evidence.journal.forEach((line) => (line.at = opened + 9_000));
    run.fault({ type: 'lag', targets: ['harness'], at: opened, ended: opened + until });
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
