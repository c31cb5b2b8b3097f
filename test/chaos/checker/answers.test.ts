import { describe, it, expect } from '@jest/globals';
import { check } from './check.js';
import {
  capped,
  duplicate,
  held,
  sold,
  soldWhenSentAgain,
  unmatched,
  type Told,
} from './endings.js';
import { aRun, rulesOf, type StoryRun } from './stories.js';

describe('answer_not_true', () => {
  it.each<[string, (run: StoryRun) => Told, string]>([
    ['delivered', unmatched, 'lead lead1 is UNMATCHED'],
    ['delivered', held, 'lead lead1 is PENDING'],
    ['pending', unmatched, 'lead lead1 is UNMATCHED'],
    ['unmatched', sold, 'lead lead1 is ACCEPTED by buyer holding'],
    ['duplicate', unmatched, 'lead lead1 is UNMATCHED'],
    ['rejected', sold, 'lead lead1 is ACCEPTED by buyer holding'],
  ])('reports when the answer was %s and the record differs', (answer, story, why) => {
    const run = aRun();
    const told = story(run);
    expect(rulesOf(run.finish())).toEqual([]);
    Object.assign(told.answer, { answer });
    const [violation, ...others] = check(run.finish());
    expect(others).toEqual([]);
    expect(violation?.rule).toBe('answer_not_true');
    expect(violation?.what).toBe(`operation 1 was answered ${answer} with lead lead1, but ${why}`);
  });

  it('reports when another buyer was named', () => {
    const run = aRun();
    sold(run).answer.buyer_id = 'assuming';
    expect(rulesOf(run.finish())).toEqual(['answer_not_true']);
  });

  it('reports when another original was named', () => {
    const run = aRun();
    const { answer } = duplicate(run, sold(run));
    answer.duplicate_of = 'lead2';
    expect(rulesOf(run.finish())).toEqual(['answer_not_true']);
  });

  it("reports when the answer names another supplier's lead", () => {
    const run = aRun();
    const { answer } = sold(run);
    const other = sold(run, 'holding');
    Object.assign(answer, { lead_id: other.lead._id });
    other.lead.supplier_id = 's2';
    expect(check(run.finish()).map(({ what }) => what)).toContainEqual(
      expect.stringContaining('is of campaign c1, supplier s2'),
    );
  });
});

describe('other answers', () => {
  it('unexpected_answer: reports every status that the contract does not have', () => {
    const run = aRun();
    run.told(run.asks(), { outcome: 'info', answer: 'unexpected', status: 500, error: 'internal' });
    expect(check(run.finish()).map(({ what }) => what)).toEqual([
      'operation 1 was answered unexpected (status 500 internal)',
    ]);
  });

  it('answer_without_lead: reports an acceptance that names no lead', () => {
    const run = aRun();
    sold(run).answer.lead_id = null;
    expect(rulesOf(run.finish())).toEqual(['answer_without_lead']);
  });
});

describe('refused_but_taken', () => {
  it('is silent when the lead was withdrawn, and sold when it was sent again', () => {
    const run = aRun();
    soldWhenSentAgain(run);
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it.each(['UNMATCHED', 'NEW'] as const)('reports when the lead is %s', (status) => {
    const run = aRun();
    const { first } = soldWhenSentAgain(run);
    first.lead.status = status;
    expect(rulesOf(run.finish())).toContain('refused_but_taken');
  });

  it.each([50, 60_000])('reports when the lead was created %s ms after the refusal', (ms) => {
    const run = aRun();
    const { answer, lead } = sold(run);
    Object.assign(answer, { answer: 'not_taken', outcome: 'fail', status: 503 });
    Object.assign(answer, { lead_id: null, buyer_id: null });
    lead.created_at = new Date(answer.at + ms);
    expect(rulesOf(run.finish())).toEqual(['refused_but_taken']);
  });

  it.each([
    ['429', { answer: 'limited', outcome: 'fail', status: 429 }],
    ['a connection that was never there', { answer: null, outcome: 'fail', status: null }],
  ] as const)('reports when a lead was sold after %s', (_name, answer) => {
    const run = aRun();
    const told = sold(run).answer;
    Object.assign(told, answer, { lead_id: null, buyer_id: null });
    const [violation, ...others] = check(run.finish());
    expect(others).toEqual([]);
    expect(violation?.rule).toBe('refused_but_taken');
    expect(violation?.total).toBe('false answers');
  });

  it('is silent when an operation whose answer never came may have made the lead', () => {
    const run = aRun();
    const { asked, answer } = sold(run);
    Object.assign(answer, { answer: 'not_taken', outcome: 'fail', status: 503 });
    Object.assign(answer, { lead_id: null, buyer_id: null });
    const { intent, idempotency_key, phone, email } = asked;
    const earlier = { intent, idempotency_key, phone, email, at: asked.at - 900 };
    run.told(run.asks(earlier), { outcome: 'info', status: null, error: 'ECONNRESET' });
    expect(rulesOf(run.finish())).toEqual([]);
  });
});

describe('capped_without_refusal', () => {
  it('is silent when the lead was refused for the cap', () => {
    const run = aRun();
    const { lead } = capped(run);
    expect(rulesOf(run.finish())).toEqual([]);
    // A promise to a twin of the request: one key was given two answers.
    lead.status = 'EXPIRED';
    expect(rulesOf(run.finish())).toContain('capped_without_refusal');
  });

  it('reports when it was sold, and when it is missing', () => {
    const run = aRun();
    const { answer } = sold(run);
    Object.assign(answer, { answer: 'capped', status: 403, lead_id: null, buyer_id: null });
    expect(rulesOf(run.finish())).toEqual(['refused_but_taken', 'capped_without_refusal']);

    const other = aRun();
    other.told(other.asks(), { answer: 'capped', status: 403 });
    expect(rulesOf(other.finish())).toEqual(['capped_without_refusal']);
  });
});
