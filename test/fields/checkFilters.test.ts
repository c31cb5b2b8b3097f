import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { evaluateFilters } from '../../src/fields/filters.js';
import type { FilterGroup } from '../../src/fields/filters.js';
import { OPERATORS } from '../../src/fields/filterRules.js';
import { check, problems, rule } from './filterFixture.js';

const normal = (input: unknown): FilterGroup | null => {
  const checked = check(input);
  if (!checked.ok) throw new Error(checked.problems.join('; '));
  return checked.value;
};

describe('filters as they are written', () => {
  it.each([[null], [undefined], [[]], [{ all: [] }], [{ any: [] }]])('may be none: %j', (input) => {
    expect(check(input)).toEqual({ ok: true, value: null });
  });

  it('may be a bare list, which means all, also in nested groups', () => {
    const [a, b] = [rule('age', '>=', 18), rule('owner', '==', 'yes')];
    const [f1, f2] = [
      { id: 'f1', field: 'age', operator: '>=', value: 18 },
      { id: 'f2', field: 'owner', operator: '==', value: true },
    ];
    expect(normal([a, b])).toEqual({ all: [f1, f2] });
    expect(normal(a)).toEqual({ all: [f1] });
    expect(normal({ any: [[a, b]] })).toEqual({ any: [{ all: [f1, f2] }] });
  });

  it('get ids in their order, skipping ids in use', () => {
    const own = { ...rule('age', '<', 5), id: 'f2' };
    const group = normal({ any: [rule('age', '>', 1), { all: [rule('age', '>', 2), own] }] });
    expect(group).toMatchObject({ any: [{ id: 'f1' }, { all: [{ id: 'f3' }, { id: 'f2' }] }] });
  });

  it('treat null as absent, and keep reason and schedule in their normal form', () => {
    const schedule = { days: ['Saturday'], from: '9:00', to: '9:00' };
    const given = { ...rule('age', '>', 1), id: null, reason: ' Adults only ', schedule };
    expect(normal([given])).toEqual({
      all: [
        {
          id: 'f1',
          field: 'age',
          operator: '>',
          value: 1,
          reason: 'Adults only',
          schedule: [{ days: ['sat'], from: '00:00', to: '24:00' }],
        },
      ],
    });
    expect(normal([{ ...given, reason: null, schedule: null }])).toEqual({
      all: [{ id: 'f1', field: 'age', operator: '>', value: 1 }],
    });
  });

  it.each([
    [rule('state', 'in', 'tx'), { operator: 'IN', value: ['TX'] }],
    [rule('state', ' Not   In ', ['tx', 'TX', 'ca']), { operator: 'NOT IN', value: ['TX', 'CA'] }],
    [rule('case_type', 'NOT CONTAINS', 'x'), { operator: 'DOES NOT CONTAIN', value: 'x' }],
    [rule('case_type', 'is_empty'), { operator: 'IS EMPTY' }],
    [rule('case_type', 'IS NOT EMPTY', ''), { operator: 'IS NOT EMPTY' }],
    [rule('incident_date', '>= 730 days ago'), { operator: '>= N days ago', value: 730 }],
    [rule('incident_date', '<= 1 day ago', 1), { operator: '<= N days ago', value: 1 }],
    [rule('incident_date', '>= n DAYS AGO', '30'), { operator: '>= N days ago', value: 30 }],
    [rule('incident_date', '==', '1/31/2026'), { value: '2026-01-31' }],
    [rule('incident_date', '>', '2026-01-31'), { value: '2026-01-31' }],
    [rule('phone', '==', '(555) 123-4567'), { value: '+15551234567' }],
    [rule('phone', 'MATCHES', 'E.164'), { value: '^\\+[1-9][0-9]{1,14}$' }],
    [rule('zip_code', '==', '90210-1234'), { value: '90210' }],
    [rule('age', '>=', '18'), { value: 18 }],
    [rule('case_type', '>=', '18'), { value: '18' }],
    [
      rule('zip_code', 'In List', '90210, 10001 90210'),
      { operator: 'IN LIST', value: ['10001', '90210'] },
    ],
    [rule('zip_code', 'IN LIST', [90210, '02134-0001']), { value: ['02134', '90210'] }],
    [
      rule('zip_code', 'Within Radius', { zips: ['90210'], miles: 12.5 }),
      { operator: 'WITHIN RADIUS', value: { zips: ['90210'], miles: 12.5 } },
    ],
  ])('are stored in their normal form: %j', (input, stored) => {
    expect(normal([input])).toMatchObject({ all: [stored] });
  });
});

describe('filters are refused', () => {
  it('with every problem in a sentence', () => {
    const found = problems({ any: [rule('agee', '=', 1), { all: [rule('age', '>', 'x')] }] });
    expect(found).toEqual([
      'filters.any[0].field "agee" is neither a system field nor in the campaign\'s mapping',
      'filters.any[0].operator "=" is unknown; did you mean "=="?',
      'filters.any[1].all[0].value "x" must be a number, as age is',
    ]);
  });

  it('deeper than ten groups, but not at ten', () => {
    const nested = (depth: number): unknown =>
      depth === 0 ? rule('age', '>', 1) : { all: [nested(depth - 1)] };
    expect(problems(nested(10))).toEqual([]);
    expect(problems(nested(11)).join()).toContain(
      'is too deep: groups can be nested at most 10 deep',
    );
    expect(problems(nested(2_000)).join()).toContain('is too deep');
  });

  it('over 500 rules or 100,000 zip codes', () => {
    const rules = (count: number) => Array.from({ length: count }, () => rule('age', '>', 1));
    expect(problems(rules(500))).toEqual([]);
    expect(problems(rules(501))).toEqual(['filters must have at most 500 rules; these have 501']);
    const zips = Array.from({ length: 100_000 }, (_, code) => String(code).padStart(5, '0'));
    const list = rule('zip_code', 'IN LIST', zips);
    expect(problems([list])).toEqual([]);
    expect(problems([list, rule('zip_code', 'IN LIST', ['90210'])]).join()).toContain(
      'at most 100000 values in total',
    );
    expect(problems([rule('zip_code', 'IN LIST', [...zips, '90210'])]).join()).toContain(
      'must list at most 100000 zip codes',
    );
  });

  it('with the first problems only when there are hundreds', () => {
    const found = problems(Array.from({ length: 300 }, () => 5));
    expect(found).toHaveLength(51);
    expect(found.at(-1)).toBe('250 more problems');
  });
});

describe('any input', () => {
  const anything = fc.oneof(
    fc.anything(),
    fc.record(
      {
        field: fc.constantFrom('age', 'state', 'zip_code', 'case_type', 'incident_date', 'owner'),
        operator: fc.constantFrom(...OPERATORS, '>= 3 days ago', 'not contains'),
        value: fc.oneof(
          fc.constantFrom<unknown>('CA', '90210', '2026-01-31', 5, true, ['90210'], ['CA', 'TX']),
          fc.constant({ zips: ['90210'], miles: 5 }),
          fc.anything(),
        ),
        id: fc.constantFrom('a', 'f1', 'f2', undefined),
      },
      { requiredKeys: ['field', 'operator'] },
    ),
  );
  const input = fc.oneof(
    fc.array(anything, { maxLength: 4 }),
    fc.record({ all: fc.array(anything, { maxLength: 2 }) }),
    fc.record({ any: fc.array(anything, { maxLength: 3 }) }),
  );
  const context = { now: new Date('2026-11-21T12:00:00Z'), timeZone: 'UTC' };

  it('is refused with sentences or gives filters that can be evaluated, and read again are the same', () => {
    fc.assert(
      fc.property(input, (written) => {
        const checked = check(written);
        if (!checked.ok) {
          expect(checked.problems.length).toBeGreaterThan(0);
          return;
        }
        evaluateFilters(checked.value, { age: 5, zip_code: '90210', state: 'CA' }, context);
        const stored: unknown = JSON.parse(JSON.stringify(checked.value));
        expect(check(stored)).toEqual({ ok: true, value: stored });
      }),
    );
  });
});
