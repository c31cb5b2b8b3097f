import { describe, expect, it } from '@jest/globals';
import { problems, rule } from './filterFixture.js';

describe('a rule is refused', () => {
  it.each([
    ['a rule that is none', ['age > 5'], 'filters[0] must be a rule { field, operator, value }'],
    ['a number', 5, 'filters[0] must be a rule'],
    [
      'a missing field',
      [{ operator: '==' }],
      'filters[0].field must name a field, such as "state"',
    ],
    [
      'an unknown field',
      [rule('agee', '>', 1)],
      '"agee" is neither a system field nor in the campaign\'s mapping',
    ],
    ['a field called __proto__', [rule('__proto__', 'IS EMPTY')], 'neither a system field'],
    ['a missing operator', [{ field: 'age', value: 1 }], 'filters[0].operator is missing'],
    [
      'a near operator',
      [rule('age', 'CONTAIN', 1)],
      '"CONTAIN" is unknown; did you mean "CONTAINS"?',
    ],
    ['another operator', [rule('age', '=', 1)], 'did you mean "=="?'],
    ['another word', [rule('age', 'equals', 1)], 'did you mean "=="?'],
    ['a swapped operator', [rule('age', '=>', 1)], 'did you mean ">="?'],
    [
      'an unknown key',
      [{ ...rule('age', '>', 1), values: [1] }],
      'unknown key "values"; a rule has field,',
    ],
    ['a missing value', [rule('age', '>')], 'filters[0].value is missing'],
    [
      'a value nobody needs',
      [rule('age', 'IS EMPTY', 5)],
      'must be left out: IS EMPTY has no value',
    ],
    ['a list for one', [rule('age', '==', [1])], 'use IN or NOT IN for a list'],
    ['empty text', [rule('case_type', '==', ' ')], 'use IS EMPTY or IS NOT EMPTY'],
    ['an object', [rule('case_type', '==', { $gt: 1 })], 'must be one text, number, true or false'],
    ['text for a number', [rule('age', '>', 'ten')], '"ten" must be a number, as age is'],
    [
      'a state nobody has',
      [rule('state', 'IN', ['CA', 'Texas'])],
      '"Texas" must be a two-letter US state code',
    ],
    ['an empty list', [rule('state', 'IN', [])], 'must list at least one value'],
    [
      'a bound that is none',
      [rule('case_type', '>', 'high')],
      'must be a number or a date such as 2026-01-31',
    ],
    [
      'an order of states',
      [rule('state', '>', 'CA')],
      '> is for fields of the types String, Number, Date',
    ],
    ['a bad pattern', [rule('case_type', 'MATCHES', '(a')], 'is not a valid pattern: '],
    ['a back reference', [rule('case_type', 'MATCHES', '(a)\\1')], 'is not a valid pattern: '],
    ['a huge pattern', [rule('case_type', 'MATCHES', 'a'.repeat(501))], 'at most 500 characters'],
    [
      'a pattern that grows',
      [rule('case_type', 'MATCHES', '((a{0,30}){0,30})b')],
      'repeats too much',
    ],
    [
      'half a day',
      [rule('incident_date', '>= N days ago', 1.5)],
      'whole number of days, 0 to 36525',
    ],
    ['no days', [rule('incident_date', '>= N days ago')], 'whole number of days'],
    ['two numbers of days', [rule('incident_date', '>= 30 days ago', 31)], 'the operator says 30'],
    ['days of a number', [rule('age', '>= N days ago', 1)], 'fields of the types String, Date'],
    [
      'zips of an age',
      [rule('age', 'IN LIST', ['90210'])],
      'fields of the types String, Zip / Postal Code',
    ],
    [
      'no zip',
      [rule('zip_code', 'IN LIST', ['9021'])],
      'as text, such as "02134"; "9021" is not one',
    ],
    ['an empty zip list', [rule('zip_code', 'IN LIST', '')], 'must list at least one zip code'],
    [
      'a radius without miles',
      [rule('zip_code', 'WITHIN RADIUS', { zips: ['90210'] })],
      'miles must be a number above 0',
    ],
    [
      'a radius that is a list',
      [rule('zip_code', 'WITHIN RADIUS', ['90210'])],
      'must be { zips, miles }',
    ],
    [
      'a radius around nowhere',
      [rule('zip_code', 'WITHIN RADIUS', { zips: ['00000'], miles: 5 })],
      'unknown: 00000',
    ],
    [
      'a key of a radius',
      [rule('zip_code', 'WITHIN RADIUS', { zips: ['90210'], miles: 5, km: 1 })],
      'unknown key "km"',
    ],
    [
      'two ids alike',
      [
        { ...rule('age', '>', 1), id: 'a' },
        { ...rule('age', '>', 2), id: 'a' },
      ],
      'filters[1].id "a" is already used; ids must differ',
    ],
    ['the id of suppression', [{ ...rule('age', '>', 1), id: 'suppression' }], 'is already used'],
    ['a long id', [{ ...rule('age', '>', 1), id: 'x'.repeat(65) }], 'at most 64 characters'],
    [
      'a long reason',
      [{ ...rule('age', '>', 1), reason: 'x'.repeat(301) }],
      'at most 300 characters',
    ],
    [
      'a schedule',
      [{ ...rule('age', '>', 1), schedule: {} }],
      'filters[0].schedule.days must list',
    ],
    [
      'two lists in one group',
      { all: [rule('age', '>', 1)], any: [] },
      'filters must be a group with one list',
    ],
    ['no list in a group', { all: 5 }, 'filters must be a group with one list of rules'],
    [
      'an empty group inside',
      { all: [rule('age', '>', 1), { any: [] }] },
      'filters.all[1] is a group without rules',
    ],
  ])('for %s', (_, input, problem) => {
    expect(problems(input).join('; ')).toContain(problem);
  });
});
