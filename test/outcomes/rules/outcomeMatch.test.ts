import { describe, expect, it } from '@jest/globals';
import { lookupKeysOf } from '../../../src/leads/rules/dedupe.js';
import { matchKeys } from '../../../src/outcomes/rules/outcomeMatch.js';
import { aField } from '../../support/builders.js';

describe("the keys of a buyer's value", () => {
  it.each([
    [
      'as its type reads it',
      aField({ name: 'phone', type: 'Phone' }),
      '(555) 123-4567',
      '+15551234567',
    ],
    ['with its transforms', aField({ transforms: ['lowercase'] }), 'ABC', 'abc'],
    ['in the spelling of its allowed values', aField({ allowed_values: ['Auto'] }), 'auto', 'Auto'],
    ['also if it is not allowed any more', aField({ allowed_values: ['Auto'] }), 'Home', 'Home'],
    ['also if the field is required', aField({ required: true, ping_required: true }), 'x', 'x'],
  ])('are those of the value %s', (_how, rule, given, kept) => {
    expect(matchKeys(rule, given)).toEqual(lookupKeysOf(rule.name, kept));
  });

  it('are none for a value that no such field can have', () => {
    expect(matchKeys(aField({ name: 'age', type: 'Number' }), 'many')).toEqual([]);
    expect(matchKeys(aField({ required: true }), '')).toEqual([]);
    expect(matchKeys(aField({ max_length: 3 }), 'long')).toEqual([]);
  });
});
