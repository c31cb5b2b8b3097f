import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FilterNode, FilterRule, Operator } from '../../src/fields/filters.js';
import type { Fields, Scalar } from '../../src/fields/values.js';
import { anyFields, anyRule, group, scalar } from './anyFilters.js';
import { aRule, evaluateFilters, passes } from './filterContext.js';

describe('evaluateFilters against a naive evaluator', () => {
  const asBoolean = (value: Scalar): boolean | undefined =>
    new Map([
      ['true', true],
      ['1', true],
      ['false', false],
      ['0', false],
    ]).get(String(value));
  const isNumber = (value: Scalar) => /^-?[0-9.]+$/.test(String(value));
  const same = (a: Scalar, b: Scalar): boolean => {
    const types = [typeof a, typeof b];
    if (types.includes('boolean')) {
      return asBoolean(a) !== undefined && asBoolean(a) === asBoolean(b);
    }
    if (types.includes('number')) return isNumber(a) && isNumber(b) && Number(a) === Number(b);
    return String(a).trim().toLowerCase() === String(b).trim().toLowerCase();
  };
  const compare = (a: Scalar, b: Scalar): number | undefined => {
    if (typeof a === 'boolean' || typeof b === 'boolean') return undefined;
    if (isNumber(a) && isNumber(b)) return Math.sign(Number(a) - Number(b));
    const [first, second] = [Date.parse(String(a)), Date.parse(String(b))];
    const dates = [a, b].every((value) => String(value).startsWith('2026-'));
    return dates ? Math.sign(first - second) : undefined;
  };
  const daysAgo = (value: Scalar) =>
    String(value).startsWith('2026-')
      ? (Date.parse('2026-11-21') - Date.parse(String(value))) / 86_400_000
      : NaN;

  const holds = (node: FilterNode, fields: Fields): boolean => {
    if ('all' in node) return node.all.every((child) => holds(child, fields));
    if ('any' in node) return node.any.some((child) => holds(child, fields));
    const { operator, value } = node;
    if (!Object.hasOwn(fields, node.field)) {
      return ['!=', 'NOT IN', 'DOES NOT CONTAIN', 'IS EMPTY'].includes(operator);
    }
    const actual = fields[node.field]!;
    const values = [value].flat() as Scalar[];
    const text = String(actual).toLowerCase();
    const order = compare(actual, values[0] ?? '');
    const answers: Record<Operator, () => boolean> = {
      '==': () => same(actual, values[0]!),
      '!=': () => !same(actual, values[0]!),
      IN: () => values.some((item) => same(actual, item)),
      'NOT IN': () => values.every((item) => !same(actual, item)),
      '>': () => order === 1,
      '<': () => order === -1,
      '>=': () => order === 1 || order === 0,
      '<=': () => order === -1 || order === 0,
      CONTAINS: () => text.split(String(values[0]).toLowerCase()).length > 1,
      'DOES NOT CONTAIN': () => text.split(String(values[0]).toLowerCase()).length === 1,
      'IS EMPTY': () => false,
      'IS NOT EMPTY': () => true,
      MATCHES: () => new RegExp(String(values[0]), 'i').test(text),
      '>= N days ago': () => daysAgo(actual) <= Number(value),
      '<= N days ago': () => daysAgo(actual) >= Number(value),
      'IN LIST': () => values.includes(String(actual)),
      'WITHIN RADIUS': () => ['90210', '90001'].includes(String(actual)),
    };
    return answers[operator]();
  };
  const rulesOf = (node: FilterNode): FilterRule[] => {
    if ('all' in node) return node.all.flatMap(rulesOf);
    return 'any' in node ? node.any.flatMap(rulesOf) : [node];
  };

  it('agrees on which leads pass, and names only rules that do not hold', () => {
    fc.assert(
      fc.property(group, anyFields, (filters, fields) => {
        const failures = evaluateFilters(filters, fields);
        expect(failures.length === 0).toBe(holds(filters, fields));
        const byId = new Map(rulesOf(filters).map((item) => [item.id, item]));
        for (const { filter_id } of failures)
          expect(holds(byId.get(filter_id)!, fields)).toBe(false);
      }),
    );
  });

  it('agrees on every rule by itself', () => {
    fc.assert(
      fc.property(anyRule, anyFields, (one, fields) => {
        expect(passes(one, fields)).toBe(holds(one, fields));
      }),
    );
  });

  it('returns the same again, also for a copy', () => {
    fc.assert(
      fc.property(group, anyFields, (filters, fields) => {
        const first = JSON.stringify(evaluateFilters(filters, fields));
        expect(JSON.stringify(evaluateFilters(filters, fields))).toBe(first);
        const copies = structuredClone({ filters, fields });
        expect(JSON.stringify(evaluateFilters(copies.filters, copies.fields))).toBe(first);
      }),
    );
  });

  it('treats each operator as the opposite of its negation', () => {
    const opposites: [Operator, Operator][] = [
      ['==', '!='],
      ['IN', 'NOT IN'],
      ['CONTAINS', 'DOES NOT CONTAIN'],
      ['IS EMPTY', 'IS NOT EMPTY'],
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...opposites),
        scalar,
        anyFields,
        ([is, isNot], value, fields) => {
          expect(passes(aRule('x', is, value), fields)).toBe(
            !passes(aRule('x', isNot, value), fields),
          );
        },
      ),
    );
  });
});
