/** Decisions and their explanations go by the clock of the account: here it is Sunday there, and Monday in UTC. */
import { describe, expect, it } from '@jest/globals';
import type { Plan } from '../../../src/account/rules/plan.js';
import { stepText } from '../../../src/routing/explain/explainSteps.js';
import { screenLead } from '../../../src/routing/rules/screen.js';
import { aBuyer, aPlan, aSupplier, someFields } from '../../support/builders.js';
import { entry, subject } from '../explain/explained.js';
import { decide } from './decide.js';

/** In New York, the zone of `aPlan`, 22:00 on Sunday, the last of May. */
const now = new Date('2026-06-01T02:00:00Z');
const recent = { id: 'f1', field: 'incident_date', operator: '>= N days ago' as const, value: 0 };
const filters: Plan['filters'] = { all: [recent] };

describe('a decision in the evening', () => {
  it.each([
    ['2026-05-31', 'pass'],
    ['2026-05-30', 'rejected'],
  ])('takes %s for a day of the account: %s', (incident_date, kind) => {
    const lead = { fields: someFields({ incident_date }), is_test: false, seed: 'l1' };
    expect(screenLead({ lead, plan: aPlan({ filters }), now })).toMatchObject({ kind });
  });

  it.each([
    ['is open', '21:00', '23:00', 'ACCEPTED'],
    ['has closed', '19:00', '21:00', 'PENDING'],
  ])('finds a buyer that holds leads when it %s', (_state, from, to, status) => {
    const schedule = [{ days: ['sun' as const], from, to }];
    const buyers = [aBuyer({ when_closed: 'HOLD', schedule })];
    const lead = { fields: someFields(), is_test: false, seed: 'l1', supplier_id: 's1' };
    const plan = aPlan({ suppliers: { s1: aSupplier() }, buyers });
    expect(decide(lead, plan, { now })).toMatchObject({ status });
  });

  it('is explained by the day of the account', () => {
    const failures = [
      { filter_id: 'f1', field: 'incident_date', operator: '>= N days ago', actual: '2026-05-30' },
    ];
    const failed = { ...entry('filters', 'failed', { detail: { failures } }), at: now };
    expect(stepText(failed, subject({}, aPlan({ filters }))).text).toBe(
      'The filters of the campaign refuse it: incident_date must be on or after 2026-05-31 (0 days ago) (it is 2026-05-30).',
    );
  });
});
