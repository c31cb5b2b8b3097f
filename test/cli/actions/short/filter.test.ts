import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseFilter } from '../../../../cli/actions/short/filter.js';
import { formatFilter } from '../../../../cli/actions/short/filterWords.js';
import { check } from '../../../fields/filterFixture.js';

const rule = (field: string, operator: string, value?: unknown) =>
  value === undefined ? { field, operator } : { field, operator, value };

describe('a filter in words', () => {
  it.each([
    ['state in CA,TX', { all: [rule('state', 'IN', ['CA', 'TX'])] }],
    ['state NOT IN (CA, TX)', { all: [rule('state', 'NOT IN', ['CA', 'TX'])] }],
    [
      'state in CA,TX and age >= 21',
      { all: [rule('state', 'IN', ['CA', 'TX']), rule('age', '>=', 21)] },
    ],
    [
      'a = 1 or b != 2 and c < 3',
      { any: [rule('a', '==', 1), { all: [rule('b', '!=', 2), rule('c', '<', 3)] }] },
    ],
    [
      '(a == 1 or b == 2) and c > -0.5',
      { all: [{ any: [rule('a', '==', 1), rule('b', '==', 2)] }, rule('c', '>', -0.5)] },
    ],
    ['((a==1))', { all: [rule('a', '==', 1)] }],
    ['email is not empty', { all: [rule('email', 'IS NOT EMPTY')] }],
    ['email is empty', { all: [rule('email', 'IS EMPTY')] }],
    ['note does not contain spam', { all: [rule('note', 'DOES NOT CONTAIN', 'spam')] }],
    ['note contains "a \\"b\\" and c"', { all: [rule('note', 'CONTAINS', 'a "b" and c')] }],
    ["last_name == 'O\\'Neil'", { all: [rule('last_name', '==', "O'Neil")] }],
    ['zip_code == 02134', { all: [rule('zip_code', '==', '02134')] }],
    ['loan == "5"', { all: [rule('loan', '==', '5')] }],
    ['id == 7615917337430043418', { all: [rule('id', '==', '7615917337430043418')] }],
    ['owner == true', { all: [rule('owner', '==', true)] }],
    ['moved >= 30 days ago', { all: [rule('moved', '>= N days ago', 30)] }],
    ['moved <= 1 day ago', { all: [rule('moved', '<= N days ago', 1)] }],
    ['zip_code in list 90210,02134', { all: [rule('zip_code', 'IN LIST', ['90210', '02134'])] }],
    [
      'zip_code within 25 miles of 90210',
      { all: [rule('zip_code', 'WITHIN RADIUS', { zips: ['90210'], miles: 25 })] },
    ],
    ['"odd name" matches ^[A-Z]+$', { all: [rule('odd name', 'MATCHES', '^[A-Z]+$')] }],
  ])('%s', (words, expected) => {
    expect(parseFilter(words)).toEqual(expected);
  });

  it.each([
    ['', 0, 'it ends where this is needed: the name of a field'],
    ['state', 5, 'it ends where this is needed: a comparison: == !='],
    ['state CA', 6, '"CA" is where this is needed: a comparison'],
    ['age => 21', 4, '"=>" is where this is needed: a comparison'],
    ['age ! 21', 4, '"!" is no comparison: write !='],
    ['state in', 8, 'it ends where this is needed: a value'],
    ['state in CA,', 12, 'it ends where this is needed: a value'],
    ['state == and', 9, '"and" is where this is needed: a value'],
    ['state in CA TX', 12, '"TX" is where this is needed: and, or or the end'],
    ['state == CA,TX', 11, 'several values need in'],
    ['state in (CA', 12, 'it ends where this is needed: , or )'],
    ['(a == 1', 7, 'it ends where this is needed: ) or and or or'],
    ['a == 1)', 6, '")" is where this is needed: and, or or the end'],
    ['a == 1 and', 10, 'the name of a field'],
    ['and == 1', 0, '"and" is where this is needed: the name of a field'],
    ['a == "x', 5, 'has a quote that is never closed'],
    ['a >= 3 days', 11, 'it ends where this is needed: ago'],
    ['zip within x miles of 90210', 11, '"x" is no number of miles'],
    ['zip within 5 of 90210', 13, 'this is needed: miles'],
    [`${'('.repeat(60)}a == 1`, 51, 'fewer parentheses'],
  ])('%j is refused at character %d', (words, at, message) => {
    expect(() => parseFilter(words)).toThrow(
      expect.objectContaining({ at, message: expect.stringContaining(message) }),
    );
  });

  it('is accepted by the service as it is read', () => {
    const words = 'state in CA,TX and (age >= 21 or owner == yes) and state is not empty';
    expect(check(parseFilter(words)).ok).toBe(true);
  });

  it('is the same filter when it is written and read again', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('and', 'OR', 'true', '5', '-0', '007', 'a b', 'x,y', '"', '\\', 'days'),
    );
    const scalar = fc.oneof(
      text,
      fc.boolean(),
      fc.integer(),
      fc
        .double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 })
        .map((one) => Math.round(one * 1e3) / 1e3 + 0),
    );
    const name = fc.string({ minLength: 1, unit: 'binary' });
    const zips = fc.array(fc.constantFrom('90210', '02134', '10001'), { minLength: 1 });
    const leaf = fc.oneof(
      fc.record({ field: name, operator: fc.constantFrom('IS EMPTY', 'IS NOT EMPTY') }),
      fc.record({
        field: name,
        operator: fc.constantFrom(
          '==',
          '!=',
          '>',
          '<',
          '>=',
          '<=',
          'CONTAINS',
          'DOES NOT CONTAIN',
          'MATCHES',
        ),
        value: scalar,
      }),
      fc.record({
        field: name,
        operator: fc.constantFrom('IN', 'NOT IN'),
        value: fc.array(scalar, { minLength: 1, maxLength: 4 }),
      }),
      fc.record({ field: name, operator: fc.constant('IN LIST'), value: zips }),
      fc.record({
        field: name,
        operator: fc.constantFrom('>= N days ago', '<= N days ago'),
        value: fc.nat(),
      }),
      fc.record({
        field: name,
        operator: fc.constant('WITHIN RADIUS'),
        value: fc.record({ zips, miles: fc.integer({ min: 1, max: 500 }) }),
      }),
    );
    const { group } = fc.letrec((tie) => ({
      group: fc.oneof(
        fc.record({ all: fc.array(tie('node'), { minLength: 2, maxLength: 4 }) }),
        fc.record({ any: fc.array(tie('node'), { minLength: 2, maxLength: 4 }) }),
      ),
      node: fc.oneof({ maxDepth: 4 }, leaf, tie('group')),
    }));
    fc.assert(
      fc.property(
        fc.oneof(
          group,
          leaf.map((one) => ({ all: [one] })),
        ),
        (filter) => {
          const words = formatFilter(filter);
          expect(words === null ? null : parseFilter(words)).toEqual(filter);
        },
      ),
    );
  });

  it.each([
    [{ all: [{ field: 'a', operator: '==', value: 1, reason: 'why' }] }],
    [{ all: [{ field: 'a', operator: '==', value: 1e21 }] }],
    [{ any: [rule('a', '==', 1)] }],
    [{ all: [] }],
    [null],
  ])('does not exist for %j, which needs JSON', (filter) => {
    expect(formatFilter(filter)).toBeNull();
  });
});
