import { describe, it, expect } from '@jest/globals';
import { check } from './check.js';
import { duplicate, sold, soldWhenSentAgain, unmatched, type Told } from './endings.js';
import { aCampaign, aRun, rulesOf } from './stories.js';

const whyOf = (run: ReturnType<typeof aRun>): string[] =>
  check(run.finish()).map(({ rule, what }) => `${rule}: ${what}`);

describe('two_winners', () => {
  it('is silent about duplicates of a sold lead', () => {
    const run = aRun();
    const first = sold(run);
    duplicate(run, first);
    duplicate(run, first);
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('reports when two leads of one phone are both sold', () => {
    const run = aRun();
    const { asked } = sold(run);
    sold(run, 'holding', { phone: asked.phone });
    const [violation, ...others] = check(run.finish());
    expect(others).toEqual([]);
    expect(violation?.rule).toBe('two_winners');
    expect(violation?.total).toBe('doubled');
    expect(violation?.what).toContain(`both have phone ${asked.phone}`);
  });

  it('is silent without a duplicate check, and about test leads', () => {
    const run = aRun([aCampaign({ dedupe_fields: [] })]);
    const { asked } = sold(run);
    sold(run, 'holding', { phone: asked.phone });
    expect(rulesOf(run.finish())).toEqual([]);

    const other = aRun();
    const first = sold(other);
    const second = sold(other, 'holding', { phone: first.asked.phone });
    Object.assign(second.lead, { is_test: true, price: 0, cost: 0, profit: 0 });
    second.lead.sales.forEach((sale) => Object.assign(sale, { price: 0, cost: 0 }));
    second.row.reserved = null;
    expect(rulesOf(other.finish())).toEqual([]);
  });

  it('is silent when the first one ended unsold', () => {
    const run = aRun();
    const { asked } = unmatched(run);
    sold(run, 'holding', { phone: asked.phone, email: asked.email });
    expect(rulesOf(run.finish())).toEqual([]);
  });
});

/** A duplicate that shares only one value. */
function duplicateOn(run: ReturnType<typeof aRun>, field: 'phone' | 'email', of: Told): Told {
  const told = duplicate(run, of);
  const other = field === 'phone' ? 'email' : 'phone';
  const value = `${other}-of-${told.lead._id}`;
  told.asked[other] = told.lead.fields[other] = value;
  if (other === 'phone') told.asked.phone = told.lead.fields.phone = `+1666000${told.asked.op}000`;
  return told;
}

describe('no_winner', () => {
  it('reports when of two leads each is a duplicate of the other', () => {
    const run = aRun();
    const first = sold(run);
    const second = duplicate(run, first);
    const evidence = run.finish();
    Object.assign(first.lead, { status: 'DUPLICATE', duplicate_of: second.lead._id });
    Object.assign(first.lead, { buyer_id: null, sales: [], price: 0, cost: 0, profit: 0 });
    evidence.record.deliveries = [];
    evidence.record.caps = [];
    evidence.journal = [];
    Object.assign(first.answer, { answer: 'duplicate', duplicate_of: second.lead._id });
    const violations = check(evidence);
    expect(violations.map(({ rule }) => rule)).toEqual(['no_winner']);
    expect(violations[0]?.total).toBe('false answers');
  });

  it('is silent when a lead lost to one that then lost on the next field', () => {
    const run = aRun();
    const winner = sold(run);
    const beaten = duplicateOn(run, 'email', winner);
    duplicateOn(run, 'phone', beaten);
    expect(whyOf(run)).toEqual([]);
  });
});

describe('false_duplicate', () => {
  it('reports an original that is missing', () => {
    const run = aRun();
    const { lead, answer } = duplicate(run, sold(run));
    lead.duplicate_of = answer.duplicate_of = 'lead9';
    expect(whyOf(run)).toEqual([
      'false_duplicate: lead lead2 is DUPLICATE and names lead9 as its original, which the record does not have',
    ]);
  });

  it('reports an original that shares no value', () => {
    const run = aRun();
    const [first, other] = [sold(run), sold(run)];
    const { lead, answer } = duplicate(run, first);
    lead.duplicate_of = answer.duplicate_of = other.lead._id;
    expect(whyOf(run)).toEqual([
      'false_duplicate: lead lead3 is DUPLICATE and names lead2 as its original, which shares no value with it',
    ]);
  });

  it('reports an original that was withdrawn', () => {
    const run = aRun();
    const { first } = soldWhenSentAgain(run);
    const { lead, answer } = duplicate(run, first);
    lead.duplicate_of = answer.duplicate_of = first.lead._id;
    expect(rulesOf(run.finish())).toEqual(['false_duplicate']);
  });

  it('reports an original that had ended unsold well before, and only that', () => {
    const run = aRun();
    const first = unmatched(run);
    const { lead } = duplicate(run, first);
    expect(rulesOf(run.finish())).toEqual([]);
    lead.created_at = new Date((first.lead.decided_at?.getTime() ?? 0) + 30_001);
    expect(rulesOf(run.finish())).toEqual(['false_duplicate']);
  });
});
