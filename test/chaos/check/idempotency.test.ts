import { describe, it, expect } from 'vitest';
import { check } from './check.js';
import {
  capped,
  held,
  replayed,
  sold,
  soldWhenAskedAgain,
  soldWhenSentAgain,
  unmatched,
} from './endings.js';
import { aRun, rulesOf } from './stories.js';

describe('one key, one answer', () => {
  it.each([
    ['sold', sold],
    ['unmatched', unmatched],
    ['held', held],
    ['pending, and sold since', soldWhenAskedAgain],
  ])('is silent when the answer of a lead that is %s is given again', (_name, story) => {
    const run = aRun();
    replayed(run, story(run));
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('is silent when a lead was not taken, and taken when it was sent again', () => {
    const run = aRun();
    soldWhenSentAgain(run);
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('is silent when a full cap had room the second time', () => {
    const run = aRun();
    const { asked } = capped(run);
    const { intent, idempotency_key, phone, email } = asked;
    sold(run, 'holding', { intent, idempotency_key, phone, email, time: 2 });
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('key_names_two_leads: speaks when the second answer names another lead', () => {
    const run = aRun();
    const [first, other] = [unmatched(run), unmatched(run)];
    Object.assign(replayed(run, first), { lead_id: other.lead._id });
    expect(rulesOf(run.finish())).toEqual(['key_names_two_leads']);
  });

  it('answer_changed: speaks when pending became delivered', () => {
    const run = aRun();
    const again = replayed(run, soldWhenAskedAgain(run));
    Object.assign(again, { answer: 'delivered', buyer_id: 'asked_again' });
    const [violation, ...others] = check(run.finish());
    expect(others).toEqual([]);
    expect(violation?.rule).toBe('answer_changed');
    expect(violation?.total).toBe('false answers');
  });

  it('answer_changed: speaks when a sold lead is refused the second time', () => {
    const run = aRun();
    const again = replayed(run, sold(run));
    Object.assign(again, { answer: 'capped', status: 403, lead_id: null, buyer_id: null });
    expect(rulesOf(run.finish())).toContain('answer_changed');
  });
});

describe('another body under a used key', () => {
  const alter = (answer: 'key_reused' | 'delivered' | 'not_taken') => {
    const run = aRun();
    const first = sold(run);
    const again = replayed(run, first);
    const asked = run.evidence.history.find(
      (event) => event.kind === 'invoked' && event.op === again.op,
    );
    Object.assign(asked ?? {}, { altered: true });
    Object.assign(again, { answer });
    if (answer === 'not_taken') Object.assign(again, { outcome: 'fail', status: 503 });
    if (answer !== 'delivered') Object.assign(again, { lead_id: null, buyer_id: null });
    return rulesOf(run.finish());
  };

  it('is silent when it was refused', () => {
    expect(alter('key_reused')).toEqual([]);
    expect(alter('not_taken')).toEqual([]);
  });

  it('altered_body_taken: speaks when it was taken', () => {
    expect(alter('delivered')).toEqual(['altered_body_taken']);
  });

  it('key_refused_wrongly: speaks when no other body had come', () => {
    const run = aRun();
    const asked = run.asks();
    run.told(asked, { answer: 'key_reused', status: 422 });
    expect(rulesOf(run.finish())).toEqual(['key_refused_wrongly']);
    asked.idempotency_key = null;
    expect(rulesOf(run.finish())).toEqual(['key_refused_wrongly']);
  });
});
