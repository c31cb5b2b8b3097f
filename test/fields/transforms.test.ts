import { describe, expect, it } from '@jest/globals';
import { compileField, transformText } from '../../src/fields/fieldReader.js';
import type { Transform } from '../../src/fields/fieldRule.js';
import { aField } from '../support/builders.js';

describe('transformText', () => {
  const table: [Transform[], string, string][] = [
    [['trim'], '  a b ', 'a b'],
    [['lowercase'], 'AbC', 'abc'],
    [['uppercase'], 'AbC', 'ABC'],
    [['titlecase'], 'MARY-ANN mcdonald', 'Mary-Ann Mcdonald'],
    [['titlecase'], "o'brien isn't élodie", "O'Brien Isn't Élodie"],
    [['phone_e164'], '(555) 123-4567', '+15551234567'],
    [['phone_e164'], 'none', 'none'],
    [['date_iso'], '1/2/2026', '2026-01-02'],
    [['date_iso'], 'soon', 'soon'],
    [['zip5'], '75001-1234', '75001'],
    [['zip5'], 'K1A 0B1', 'K1A 0B1'],
    [['digits'], '$1,250.00', '125000'],
    [['digits', 'trim'], 'abc', ''],
    [['trim', 'uppercase'], ' a ', 'A'],
    [['uppercase', 'lowercase'], 'aB', 'ab'],
    [['lowercase', 'uppercase'], 'aB', 'AB'],
    [[], ' a ', ' a '],
  ];
  it.each(table)('%j turns %j into %j', (transforms, text, result) => {
    expect(transformText(text, transforms)).toBe(result);
  });
});

describe('transforms of a field', () => {
  it('come before the check of the type', () => {
    const field = compileField(aField({ type: 'Number', transforms: ['digits'] }));
    expect(field('1,250 dollars')).toEqual({ kind: 'value', value: 1250 });
  });

  it('come before the check of the length', () => {
    const field = compileField(aField({ max_length: 3, transforms: ['trim'] }));
    expect(field('   abc   ')).toEqual({ kind: 'value', value: 'abc' });
  });

  it('come before the allowed values', () => {
    const field = compileField(aField({ allowed_values: ['Auto'], transforms: ['trim'] }));
    expect(field('  AUTO ')).toEqual({ kind: 'value', value: 'Auto' });
  });

  it('make a value absent when they leave nothing of it', () => {
    expect(compileField(aField({ transforms: ['digits'] }))('none')).toEqual({ kind: 'absent' });
  });

  it('treat a number in a text field like its text', () => {
    const field = compileField(aField({ transforms: ['phone_e164'] }));
    expect(field(5551234567)).toEqual(field('5551234567'));
  });
});
