import { describe, expect, it } from '@jest/globals';
import { filterLines, filterText, filterTree } from '../../../../src/web/app/lib/filterWords.js';

const rule = (field: string, operator: string, value?: unknown) => ({ field, operator, value });

describe('filters in words', () => {
  it('are read as they are nested', () => {
    const five = {
      all: [
        rule('state', 'IN', ['CA', 'TX']),
        {
          any: [
            rule('age', '>=', 18),
            {
              all: [
                rule('zip', 'IS NOT EMPTY'),
                {
                  any: [
                    rule('a', '==', 1),
                    { all: [rule('b', '!=', true), rule('c', 'MATCHES', '^x')] },
                  ],
                },
              ],
            },
          ],
        },
      ],
    };
    expect(filterLines(five)).toEqual([
      'All of these:',
      '  state is one of CA, TX',
      '  One of these:',
      '    age is at least 18',
      '    All of these:',
      '      zip is not empty',
      '      One of these:',
      '        a is 1',
      '        All of these:',
      '          b is not true',
      '          c matches ^x',
    ]);
    expect(filterText(five)).toBe(
      'state is one of CA, TX and (age is at least 18 or (zip is not empty and (a is 1 or (b is not true and c matches ^x))))',
    );
  });

  it('have no groups that say nothing', () => {
    for (const none of [null, undefined, [], { all: [] }, { any: [{ all: [] }] }]) {
      expect(filterTree(none)).toBeNull();
      expect(filterLines(none)).toEqual(['none']);
    }
    const one = { all: [{ any: [[rule('city', 'CONTAINS', 'Zürich')]] }] };
    expect(filterTree(one)).toEqual({ rule: 'city contains Zürich' });
    const flat = { all: [rule('a', '<', 1), [rule('b', '>', 2)], { all: [rule('c', '<=', 3)] }] };
    expect(filterText(flat)).toBe('a is less than 1 and b is more than 2 and c is at most 3');
  });

  it.each([
    [rule('born', '>= N days ago', 30), 'born is not before 30 days ago'],
    [rule('born', '<= N days ago', 30), 'born is not after 30 days ago'],
    [
      rule('zip', 'WITHIN RADIUS', { zips: ['90210'], miles: 25 }),
      'zip is within 25 miles of 90210',
    ],
    [
      rule(
        'zip',
        'NOT IN',
        Array.from({ length: 25 }, (_, n) => n),
      ),
      /^zip is none of 0, .*, 19 and 5 more$/,
    ],
    [{ ...rule('a', 'IS EMPTY'), schedule: [{}] }, 'a is empty (at certain hours)'],
    [rule('a', 'toString', '<b>'), 'a toString <b>'],
  ])('say what each rule wants: %j', (given, said) => {
    expect(filterText(given)).toMatch(said);
  });
});
