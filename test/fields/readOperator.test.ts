import { describe, expect, it } from '@jest/globals';
import { readOperator } from '../../src/fields/readOperator.js';

describe('an operator of a filter', () => {
  it.each([
    ['==', '=='],
    [' in ', 'IN'],
    ['not_in', 'NOT IN'],
    ['Not   In', 'NOT IN'],
    ['is\tempty', 'IS EMPTY'],
    ['does not contain', 'DOES NOT CONTAIN'],
    ['not contains', 'DOES NOT CONTAIN'],
  ])('is read in any case, with any blanks: %j', (text, operator) => {
    expect(readOperator(text)).toEqual({ ok: true, operator });
  });

  it.each([
    ['>= N days ago', '>= N days ago', undefined],
    ['<=n day ago', '<= N days ago', undefined],
    ['>= 730 days ago', '>= N days ago', 730],
    ['<= 1 DAY AGO', '<= N days ago', 1],
    ['>=999999999 days ago', '>= N days ago', 999_999_999],
  ])('has its number of days: %j', (text, operator, days) => {
    expect(readOperator(text)).toEqual({ ok: true, operator, ...(days && { days }) });
  });

  it.each([
    ['=', '=='],
    ['===', '=='],
    ['is', '=='],
    ['eq', '=='],
    ['equal', '=='],
    ['equals', '=='],
    ['!==', '!='],
    ['<>', '!='],
    ['=>', '>='],
    ['=<', '<='],
    ['ne', '!='],
    ['is not', '!='],
    ['not equals', '!='],
    ['gt', '>'],
    ['lt', '<'],
    ['gte', '>='],
    ['lte', '<='],
    ['empty', 'IS EMPTY'],
    ['is null', 'IS EMPTY'],
    ['exists', 'IS NOT EMPTY'],
    ['not empty', 'IS NOT EMPTY'],
    ['is not null', 'IS NOT EMPTY'],
    ['regex', 'MATCHES'],
    ['like', 'CONTAINS'],
    ['radius', 'WITHIN RADIUS'],
    ['CONTAIN', 'CONTAINS'],
    ['MATCH', 'MATCHES'],
    ['constructor', 'CONTAINS'],
    ['>= 7 weeks ago', '>= N days ago'],
    ['x >= 7 days ago', '>= N days ago'],
    ['>= 7 days ago!', '>= N days ago'],
    ['>= 1234567890 days ago', '>= N days ago'],
  ])('that is not known names the one that is meant: %j', (text, nearest) => {
    expect(readOperator(text)).toEqual({ ok: false, nearest });
  });

  it('is not read from a long text, of which only the start is looked at', () => {
    expect(readOperator(`IN${' '.repeat(38)}`)).toEqual({ ok: true, operator: 'IN' });
    expect(readOperator(`${' '.repeat(39)}IN`)).toEqual({ ok: true, operator: 'IN' });
    expect(readOperator(`${' '.repeat(40)}IN`)).toMatchObject({ ok: false });
    expect(readOperator('='.repeat(1_000_000))).toMatchObject({ ok: false });
  });
});
