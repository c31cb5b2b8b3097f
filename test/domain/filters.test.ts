import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { evaluateFilters, sameValue } from '../../src/domain/filters.js';
import type { FilterGroup, FilterNode, FilterRule, Operator } from '../../src/domain/filters.js';
import type { Fields, Scalar } from '../../src/domain/lead.js';

let nextId = 0;
const rule = (field: string, operator: Operator, value?: FilterRule['value']): FilterRule => ({
  id: `f${nextId++}`,
  field,
  operator,
  ...(value === undefined ? {} : { value }),
});
const passes = (node: FilterNode, fields: Fields): boolean =>
  evaluateFilters({ all: [node] }, fields).length === 0;

describe('an operator', () => {
  const table: [Scalar | undefined, Operator, FilterRule['value'], boolean][] = [
    ['TX', '==', 'tx', true],
    [' tx ', '==', 'TX', true],
    ['TX', '==', 'CA', false],
    [undefined, '==', 'TX', false],
    ['TX', '!=', 'tx', false],
    ['TX', '!=', 'CA', true],
    [undefined, '!=', 'TX', true],
    ['tx', 'IN', ['CA', 'TX'], true],
    ['NV', 'IN', ['CA', 'TX'], false],
    ['TX', 'IN', 'TX', true],
    ['TX', 'IN', [], false],
    [undefined, 'IN', ['CA'], false],
    ['tx', 'NOT IN', ['CA', 'TX'], false],
    ['NV', 'NOT IN', ['CA', 'TX'], true],
    ['NV', 'NOT IN', [], true],
    [undefined, 'NOT IN', ['CA'], true],
    [undefined, 'IS EMPTY', undefined, true],
    ['', 'IS EMPTY', undefined, true],
    ['  ', 'IS EMPTY', undefined, true],
    [0, 'IS EMPTY', undefined, false],
    [false, 'IS EMPTY', undefined, false],
    ['x', 'IS NOT EMPTY', undefined, true],
    [false, 'IS NOT EMPTY', undefined, true],
    [undefined, 'IS NOT EMPTY', undefined, false],
    ['', 'IS NOT EMPTY', undefined, false],
    [5, '==', '5.0', true],
    ['5', '==', 5, true],
    ['5x', '==', 5, false],
    [5, 'IN', [1, '5'], true],
    [true, '==', 'TRUE', true],
    ['yes', '==', true, true],
    [false, '==', 'no', true],
    [true, '==', false, false],
    [false, '!=', true, true],
    ['maybe', '==', true, false],
  ];
  it.each(table)('%j %s %j is %j', (actual, operator, value, holds) => {
    const fields: Fields = actual === undefined ? {} : { f: actual };
    expect(passes(rule('f', operator, value), fields)).toBe(holds);
  });

  it('does not confuse long ids that differ in their last digit', () => {
    expect(sameValue('10000000000000001', '10000000000000000')).toBe(false);
    expect(sameValue('1e5', '100000')).toBe(false);
  });

  it.each(['constructor', 'toString', '__proto__'])('takes %s for an absent field', (field) => {
    expect(passes(rule(field, 'IS EMPTY'), {})).toBe(true);
  });
});

describe('evaluateFilters', () => {
  const tx: FilterRule = { id: 'tx', field: 'state', operator: '==', value: 'TX' };
  const adult: FilterRule = { id: 'adult', field: 'age', operator: 'IN', value: [18, 19] };

  it('lets everybody pass without filters', () => {
    expect(evaluateFilters(null, {})).toEqual([]);
    expect(evaluateFilters({ all: [] }, {})).toEqual([]);
    expect(evaluateFilters({ any: [] }, {})).toEqual([]);
  });

  it('names every failing rule of an all group, with what it saw', () => {
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
      ...rule(field, '==', 1),
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
  ] as [Operator, FilterRule['value'], string][])(
    'says what %s wants',
    (operator, value, message) => {
      const state = operator === '!=' ? 'A' : 'NV';
      expect(
        evaluateFilters({ all: [rule('state', operator, value)] }, { state })[0]?.message,
      ).toBe(message);
    },
  );

  it("says the rule's own reason when it has one", () => {
    const group: FilterGroup = { all: [{ ...tx, reason: 'Texas only, please' }] };
    expect(evaluateFilters(group, {})[0]?.message).toBe('Texas only, please');
  });

  it('shortens a long list in the sentence', () => {
    const zips = Array.from({ length: 500 }, (_, i) => `z${i}`);
    const [failure] = evaluateFilters({ all: [rule('zip_code', 'IN', zips)] }, { zip_code: 'x' });
    expect(failure?.message.length).toBeLessThan(150);
    expect(failure?.message).toMatch(/, …$/);
  });
});

describe('evaluateFilters against a naive evaluator', () => {
  const scalar = fc.constantFrom<Scalar>('a', 'A', 'b', '1', '0', 'true', 1, 0, 2, true, false);
  const operators: Operator[] = ['==', '!=', 'IN', 'NOT IN', 'IS EMPTY', 'IS NOT EMPTY'];
  const anyRule = fc.record({
    id: fc.uuid(),
    field: fc.constantFrom('x', 'y', 'z'),
    operator: fc.constantFrom(...operators),
    value: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
  });
  const { group } = fc.letrec<{ node: FilterNode; group: FilterGroup }>((tie) => ({
    node: fc.oneof({ maxDepth: 3, withCrossShrink: true }, anyRule, tie('group')),
    group: fc.oneof(
      fc.record({ all: fc.array(tie('node'), { maxLength: 3 }) }),
      fc.record({ any: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    ),
  }));
  const anyFields = fc.dictionary(fc.constantFrom('x', 'y', 'z'), scalar);

  const holds = (node: FilterNode, fields: Fields): boolean => {
    if ('all' in node) return node.all.every((child) => holds(child, fields));
    if ('any' in node) return node.any.some((child) => holds(child, fields));
    const present = Object.hasOwn(fields, node.field);
    const equal = [node.value ?? []]
      .flat()
      .some((v) => present && sameValue(fields[node.field]!, v));
    if (node.operator === '==' || node.operator === 'IN') return equal;
    if (node.operator === '!=' || node.operator === 'NOT IN') return !equal;
    return node.operator === 'IS EMPTY' ? !present : present;
  };
  const rulesOf = (node: FilterNode): FilterRule[] => {
    if ('all' in node) return node.all.flatMap(rulesOf);
    return 'any' in node ? node.any.flatMap(rulesOf) : [node];
  };

  it('agrees on who passes, and names only rules that do not hold', () => {
    fc.assert(
      fc.property(group, anyFields, (filters, fields) => {
        const failures = evaluateFilters(filters, fields);
        expect(failures.length === 0).toBe(holds(filters, fields));
        const byId = new Map(rulesOf(filters).map((item) => [item.id, item]));
        for (const { filter_id } of failures)
          expect(holds(byId.get(filter_id)!, fields)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it('makes of each operator the opposite of its negation', () => {
    fc.assert(
      fc.property(scalar, fc.array(scalar), (actual, values) => {
        const fields = { x: actual };
        expect(passes(rule('x', 'IN', values), fields)).toBe(
          !passes(rule('x', 'NOT IN', values), fields),
        );
      }),
    );
  });

  it('compares symmetrically', () => {
    fc.assert(fc.property(scalar, scalar, (a, b) => sameValue(a, b) === sameValue(b, a)));
  });
});
