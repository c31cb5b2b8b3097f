import { describe, expect, it } from '@jest/globals';
import { csvLine } from '../../../src/api/partner/csv.js';

describe('a line of CSV', () => {
  it.each(['=1+1', '+15551234567', '-2', '@name', '\tx', '\rx'])(
    'has no cell that a spreadsheet would execute: %j',
    (text) => {
      expect(csvLine([text]).replace(/^"/, '')).toMatch(/^'/);
    },
  );

  it('leaves numbers unchanged, and absent values empty', () => {
    expect(csvLine([-2.5, null, true, 'a'])).toBe('-2.5,,true,a\r\n');
  });

  it('quotes cells with quotes, commas and line breaks', () => {
    expect(csvLine(['say "hi"', 'a,b', 'c\nd'])).toBe('"say ""hi""","a,b","c\nd"\r\n');
  });
});
