/** What the author of a change is answered, and what the trail keeps of it. */
import { describe, expect, it } from '@jest/globals';
import { applyChange, firstWindowEnd } from '../../../src/outcomes/rules/applyChange.js';
import type { ChangeAsk } from '../../../src/leads/rules/saleChange.js';
import { after } from '../../support/storedRows.js';
import { aSale, change, course, RETURN, says, sold } from './soldLeads.js';

const AT = after(1_000);
const LEAD = { ...sold(aSale('b1')), _id: 'l1' };
const applied = (ask: ChangeAsk, lead = LEAD) => applyChange(lead, change(ask));

describe('the answer to a change', () => {
  it('is the sale as the change left it', () => {
    const said = { conversion_revenue: 30e6, lead_value: 900e6, note: 'rich' };
    expect(applied({ kind: 'outcome', outcome: 'converted', ...said })?.answer).toEqual({
      lead_id: 'l1',
      status: 'converted',
      outcome: 'converted',
      ...said,
      updated_at: AT,
    });
  });

  it('has null for all that was not said', () => {
    const [conversion_revenue, lead_value, note] = [null, null, null];
    const nothing = { conversion_revenue, lead_value, note, lead_id: 'l1', updated_at: AT };
    expect(applied(RETURN)?.answer).toEqual({ ...nothing, status: 'RETURNED', outcome: null });
    expect(applied({ kind: 'window' })?.answer).toEqual({
      ...nothing,
      status: 'expired',
      outcome: 'expired',
    });
  });

  it('is the same where nothing was left to change', () => {
    const returned = course(sold(aSale('b1')), change(RETURN));
    expect(applied(RETURN, returned)).toMatchObject({
      entry: null,
      answer: { status: 'RETURNED' },
    });
  });
});

describe('the entry of a change', () => {
  it('has a code for a return, and none for an outcome', () => {
    const entry = applied(RETURN)?.entry;
    expect(entry).toMatchObject({
      result: 'returned',
      reason: 'duplicate',
      buyer_id: 'b1',
      at: AT,
    });
    expect(entry?.detail).toMatchObject({ from: null, to: null, revenue: { from: 10e6, to: 0 } });
    const first = applied({ kind: 'outcome', outcome: 'pending' });
    expect(first?.entry?.reason).toBeUndefined();
    expect(first?.entry?.detail).toMatchObject({ from: null, to: 'pending', seq: 1 });
  });

  it('says from which outcome to which, and the end of a window too', () => {
    const pending = course(sold(aSale('b1')), says({ outcome: 'pending' }));
    const entry = applied({ kind: 'outcome', outcome: 'converted' }, pending)?.entry;
    expect(entry?.detail).toMatchObject({ from: 'pending', to: 'converted', seq: 2 });
    expect(applied({ kind: 'window' })?.entry).toMatchObject({ result: 'expired' });
  });
});

describe('a sale of which not everything is said', () => {
  it('keeps its value, its note and the time of its outcome', () => {
    const lead = course(
      sold(aSale('b1')),
      says({ outcome: 'pending', lead_value: 5, note: 'a' }),
      says({ outcome: 'pending' }, { at: after(5_000) }),
    );
    expect(lead.sales).toMatchObject([{ outcome_at: AT, lead_value: 5, note: 'a' }]);
  });
});

it('is due at the end of the first window that is still open', () => {
  const [early, late] = [after(10_000), after(20_000)];
  const lead = { outcome_due: after(30_000) };
  const due = (...sales: Parameters<typeof aSale>[1][]) =>
    firstWindowEnd(
      sales.map((one) => aSale('b1', one)),
      lead,
    );
  expect(due({ outcome_due: late }, { outcome_due: early })).toEqual(early);
  expect(due({ outcome_due: early, outcome: 'pending' }, { outcome_due: late })).toEqual(late);
  expect(due({})).toEqual(lead.outcome_due);
  expect(due({ outcome: 'pending' })).toBeUndefined();
  expect(firstWindowEnd([aSale('b1')], {})).toBeUndefined();
});
