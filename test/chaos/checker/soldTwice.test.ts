import { describe, it, expect } from '@jest/globals';
import { passedOn, replayed, sold, soldToSecond } from './endings.js';
import { aRun, rulesOf } from './stories.js';

describe('taken_by_too_many', () => {
  it('is silent when a lead was refused by one buyer and accepted by another', () => {
    const run = aRun();
    soldToSecond(run, 'asked_again', 'holding');
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('is silent when an acceptance was lost at a buyer whose policy is to pass the lead on', () => {
    const run = aRun();
    passedOn(run);
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('reports when a buyer that accepted the lead has lost it to another', () => {
    const run = aRun();
    soldToSecond(run, 'holding', 'asked_again');
    const [first] = run.evidence.journal;
    if (first) first.decision = 'accepted';
    expect(rulesOf(run.finish())).toEqual(['accept_without_sale', 'taken_by_too_many']);
  });

  it('reports when a lead was abandoned at a buyer whose policy is to hold it', () => {
    const run = aRun();
    passedOn(run);
    for (const link of run.evidence.campaigns[0]?.buyers ?? []) link.on_unknown = 'hold';
    expect(rulesOf(run.finish())).toContain('taken_by_too_many');
  });
});

describe('taken_twice', () => {
  it.each(['holding', 'asked_again'] as const)('reports a buyer that is %s', (buyer) => {
    const run = aRun();
    const { row } = sold(run, buyer);
    run.request(row, 'accepted', 'answered', 200);
    expect(rulesOf(run.finish())).toContain('taken_twice');
  });

  it('is silent when a buyer answers again from memory', () => {
    const run = aRun();
    const { row } = sold(run, 'asked_again');
    run.request(row, 'replayed', 'answered', 200);
    expect(rulesOf(run.finish())).toEqual([]);
  });
});

describe('intent_sold_twice', () => {
  it('is silent about an answer that was given again', () => {
    const run = aRun();
    replayed(run, sold(run));
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('reports when one lead became two that were both acknowledged and sold', () => {
    const run = aRun();
    const { asked } = sold(run);
    sold(run, 'holding', { intent: asked.intent, idempotency_key: null, time: 2 });
    expect(rulesOf(run.finish())).toEqual(['intent_sold_twice']);
  });
});

describe('key_sold_twice', () => {
  it('reports even if one of the two was never acknowledged', () => {
    const run = aRun();
    const first = sold(run);
    const { intent, idempotency_key } = first.asked;
    Object.assign(first.answer, { outcome: 'info', answer: null, lead_id: null, status: null });
    sold(run, 'holding', { intent, idempotency_key, time: 2 });
    expect(rulesOf(run.finish())).toEqual(['key_sold_twice']);
  });
});
