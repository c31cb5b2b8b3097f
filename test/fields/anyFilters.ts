/** Arbitrary filters, and arbitrary fields for them. */
import fc from 'fast-check';
import type { FilterGroup, FilterNode, FilterRule, Operator } from '../../src/fields/filters.js';
import { OPERATORS } from '../../src/fields/filterRules.js';
import type { Scalar } from '../../src/fields/values.js';

export const scalar = fc.constantFrom<Scalar>(
  'a',
  'A',
  'b',
  'ab',
  ' B ',
  '1',
  '0',
  'true',
  '-0',
  '1.0',
  '2026-11-20',
  '2026-11-21',
  '90210',
  '90001',
  '00000',
  1,
  0,
  2,
  90210,
  true,
  false,
);
const lists: Operator[] = ['IN', 'NOT IN'];
const anyValue = (operator: Operator): fc.Arbitrary<FilterRule['value']> => {
  if (operator.endsWith('days ago')) return fc.constantFrom(0, 1, 2);
  if (operator === 'IN LIST') return fc.subarray(['90210', '90001', '10001']);
  if (operator === 'WITHIN RADIUS') return fc.constant({ zips: ['90210'], miles: 20 });
  if (operator === 'MATCHES') return fc.constantFrom('a', '^b', '[0-9]$', '^$');
  return lists.includes(operator) ? fc.array(scalar, { maxLength: 3 }) : scalar;
};
export const anyRule = fc.constantFrom(...OPERATORS).chain((operator) =>
  fc.record({
    id: fc.uuid(),
    field: fc.constantFrom('x', 'y', 'z'),
    operator: fc.constant(operator),
    value: anyValue(operator),
  }),
);
export const { group } = fc.letrec<{ node: FilterNode; group: FilterGroup }>((tie) => ({
  node: fc.oneof({ maxDepth: 3, withCrossShrink: true }, anyRule, tie('group')),
  group: fc.oneof(
    fc.record({ all: fc.array(tie('node'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
  ),
}));
export const anyFields = fc.dictionary(fc.constantFrom('x', 'y', 'z'), scalar);
