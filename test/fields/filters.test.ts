import { describe, expect, it } from '@jest/globals';
import { evaluateFilters as evaluate } from '../../src/fields/filters.js';
import type { FilterGroup, FilterRule, Operator } from '../../src/fields/filters.js';
import type { Fields } from '../../src/fields/values.js';
import { aRule, context, evaluateFilters, passes } from './filterContext.js';

describe('evaluateFilters', () => {
  const tx: FilterRule = { id: 'tx', field: 'state', operator: '==', value: 'TX' };
  const adult: FilterRule = { id: 'adult', field: 'age', operator: 'IN', value: [18, 19] };

  it('passes every lead without filters', () => {
    expect(evaluateFilters(null, {})).toEqual([]);
    expect(evaluateFilters({ all: [] }, {})).toEqual([]);
    expect(evaluateFilters({ any: [] }, {})).toEqual([]);
  });

  it('names every failing rule of an all group, with the value it checked', () => {
    expect(evaluateFilters({ all: [tx, adult] }, { state: 'NV' })).toEqual([
      {
        filter_id: 'tx',
        field: 'state',
        operator: '==',
        value: 'TX',
        actual: 'NV',
        message: 'state must be TX',
      },
      {
        filter_id: 'adult',
        field: 'age',
        operator: 'IN',
        value: [18, 19],
        message: 'age must be one of: 18, 19',
      },
    ]);
  });

  it('names all rules of an any group when none holds, and none when one does', () => {
    const group: FilterGroup = { any: [tx, adult] };
    const ids = (fields: Fields) => evaluateFilters(group, fields).map((f) => f.filter_id);
    expect(ids({ state: 'NV', age: 17 })).toEqual(['tx', 'adult']);
    expect(ids({ state: 'NV', age: 18 })).toEqual([]);
    expect(ids({ state: 'TX', age: 17 })).toEqual([]);
  });

  it('nests groups: (A and B) or (C and D)', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((field) => ({
      ...aRule(field, '==', 1),
      id: field,
    }));
    const group: FilterGroup = { any: [{ all: [a!, b!] }, { all: [c!, d!] }] };
    const ids = (fields: Fields) => evaluateFilters(group, fields).map((f) => f.filter_id);
    expect(ids({ a: 1, b: 1 })).toEqual([]);
    expect(ids({ c: 1, d: 1 })).toEqual([]);
    expect(ids({ a: 1, c: 1 })).toEqual(['b', 'd']);
  });

  it.each([
    ['==', 'A', 'state must be A'],
    ['!=', 'A', 'state must not be A'],
    ['IN', ['A', 'B'], 'state must be one of: A, B'],
    ['NOT IN', ['NV'], 'state must not be one of: NV'],
    ['IS EMPTY', undefined, 'state must be empty'],
    ['>', 5, 'state must be more than 5'],
    ['>', '2026-01-31', 'state must be after 2026-01-31'],
    ['<', 5, 'state must be less than 5'],
    ['<', '2026-01-31', 'state must be before 2026-01-31'],
    ['>=', 18, 'state must be at least 18'],
    ['>=', '2026-01-31', 'state must be on or after 2026-01-31'],
    ['<=', 18, 'state must be at most 18'],
    ['<=', '2026-01-31', 'state must be on or before 2026-01-31'],
    ['CONTAINS', 'a b', 'state must contain a b'],
    ['DOES NOT CONTAIN', 'N', 'state must not contain N'],
    ['MATCHES', '^A', 'state must match the pattern ^A'],
    ['>= N days ago', 730, 'state must be on or after 2024-11-21 (730 days ago)'],
    ['<= N days ago', 1, 'state must be on or before 2026-11-20 (1 days ago)'],
    ['IN LIST', ['90210', '10001'], 'state must be one of the zip codes 90210, 10001'],
    [
      'WITHIN RADIUS',
      { zips: ['90210'], miles: 25 },
      'state must be a zip code within 25 miles of 90210; the zip code is not known',
    ],
    [
      'WITHIN RADIUS',
      { zips: ['90210', '10001'], miles: 25 },
      'state must be a zip code within 25 miles of one of: 90210, 10001; the zip code is not known',
    ],
  ] as [Operator, FilterRule['value'], string][])(
    'describes what %s requires',
    (operator, value, message) => {
      const state = operator === '!=' ? 'A' : 'NV';
      expect(
        evaluateFilters({ all: [aRule('state', operator, value)] }, { state })[0]?.message,
      ).toBe(message);
    },
  );

  it("returns the rule's own reason when it has one", () => {
    const group: FilterGroup = { all: [{ ...tx, reason: 'Texas only, please' }] };
    expect(evaluateFilters(group, {})[0]?.message).toBe('Texas only, please');
  });

  it('shows the supplier only the beginning of a long list', () => {
    const zips = Array.from({ length: 500 }, (_, i) => `z${i}`);
    const group: FilterGroup = {
      all: [
        aRule('zip_code', 'IN', zips),
        aRule('zip_code', 'WITHIN RADIUS', { zips, miles: 1 }),
        aRule('state', 'IS NOT EMPTY'),
      ],
    };
    const [list, radius, empty] = evaluateFilters(group, { zip_code: 'x' });
    expect(list?.message.length).toBeLessThan(150);
    expect(list?.message).toMatch(/, … \(500 in all\)$/);
    expect(list?.value).toEqual(zips.slice(0, 20));
    expect(radius?.value).toEqual({ zips: zips.slice(0, 20), miles: 1 });
    expect(empty?.value).toBeNull();
  });

  it('never needs a second, for any pattern and value', () => {
    const patterns = ['(a*)*b', '(a|aa)+$', '(.*)(.*)(.*)(.*)(.*)x', '^(([a-z])+.)+[A-Z]([a-z])+$'];
    const started = process.cpuUsage();
    for (const pattern of patterns) {
      expect(passes(aRule('f', 'MATCHES', pattern), { f: `${'a'.repeat(9_999)}!` })).toBe(false);
    }
    // Processor time, in microseconds: other programs do not count.
    expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
  });

  it('looks up a value among a hundred thousand without scanning them', () => {
    const zips = Array.from({ length: 100_000 }, (_, i) => String(i).padStart(5, '0'));
    const group: FilterGroup = { all: [aRule('f', 'NOT IN', zips), aRule('f', 'IN LIST', zips)] };
    evaluateFilters(group, { f: 'x' });
    const started = process.cpuUsage();
    for (let i = 0; i < 1_000; i += 1) evaluateFilters(group, { f: 'x' });
    // Processor time, in microseconds: other programs do not count.
    expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
  });
});

describe('a rule with a schedule', () => {
  const weekend: FilterRule = {
    id: 'weekend',
    field: 'state',
    operator: '==',
    value: 'TX',
    schedule: [{ days: ['sat', 'sun'], from: '07:00', to: '24:00' }],
  };
  const adult: FilterRule = { id: 'adult', field: 'age', operator: '>=', value: 18 };
  const ids = (group: FilterGroup, now: string) =>
    evaluate(group, { state: 'NV' }, { ...context, now: new Date(now) }).map((f) => f.filter_id);

  it('applies inside it, by the clock of the account', () => {
    expect(ids({ all: [weekend] }, '2026-11-21T12:00:00Z')).toEqual(['weekend']);
    expect(ids({ all: [weekend] }, '2026-11-23T04:59:00Z')).toEqual(['weekend']);
  });

  it('refuses no lead outside it', () => {
    expect(ids({ all: [weekend] }, '2026-11-21T11:59:00Z')).toEqual([]);
    expect(ids({ any: [weekend] }, '2026-11-21T11:59:00Z')).toEqual([]);
    expect(ids({ all: [weekend, adult] }, '2026-11-21T11:59:00Z')).toEqual(['adult']);
  });

  it('does not open an any group that has another rule', () => {
    expect(ids({ any: [weekend, adult] }, '2026-11-21T11:59:00Z')).toEqual(['adult']);
    expect(ids({ any: [{ all: [weekend] }, adult] }, '2026-11-21T11:59:00Z')).toEqual(['adult']);
  });
});
