import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readRows } from '../../../src/lib/csv/readRows.js';
import { csvLine, csvRow, type CsvCell } from '../../../src/lib/csv/writeRow.js';

async function readBack(file: string): Promise<string[][]> {
  const source = (async function* () {
    yield await Promise.resolve(Buffer.from(file));
  })();
  const cells: string[][] = [];
  for await (const rows of readRows(source))
    cells.push(...rows.map((row) => ('cells' in row ? row.cells : [row.fault])));
  return cells;
}

describe('a line of CSV', () => {
  it('has instants as text, and nothing for a value that is absent', () => {
    expect(csvRow([new Date('2026-01-02T03:04:05Z'), null, undefined, 7, false])).toBe(
      '2026-01-02T03:04:05.000Z,,,7,false',
    );
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+15551234567', "'+15551234567"],
    ['-2', "'-2"],
    ['@name', "'@name"],
    ['\tx', `"'\tx"`],
    ['\rx', `"'\rx"`],
    ['\n=1', `"'\n'=1"`],
    [' =1', "' =1"],
    ['\u00a0=1', "'\u00a0=1"],
    ['"=1', `"'""=1"`],
    ["'=1", "''=1"],
    [" '0", "' '0"],
    ["' '0", "'' '0"],
    ["'0\t", `"''0\t"`],
    ['＝1+1', "'＝1+1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    // A file that is opened with another separator, or whose quotes then mean nothing.
    ['x;=1+1', `"x;'=1+1"`],
    ['x; =1+1', `"x;' =1+1"`],
    ['x;"=1"', `"x;'""=1"""`],
    ["x;'=1", `"x;''=1"`],
    ['x\t@y', `"x\t'@y"`],
    ['first\n=1', `"first\n'=1"`],
    ['first\r-1', `"first\r'-1"`],
    [';;+1', `";;'+1"`],
  ])('has no text that a spreadsheet would execute: %j', (text, cell) => {
    expect(csvLine([text])).toBe(`${cell}\r\n`);
    for (const separator of [';', '\t', '\n', '\r'])
      for (const part of csvLine(['a', text]).slice(2).split(separator).slice(1))
        expect(part).not.toMatch(/^["\s]*[=+\-@]/);
  });

  it.each(['a', 'a;b', 'a=b', 'a-b', "it's", "'quoted'", '1;2', 'x;y=1', '2026-01-01', '1,5'])(
    'leaves %j as it is',
    (text) => {
      expect(csvLine([text]).replaceAll('"', '')).toBe(`${text}\r\n`);
    },
  );

  it('leaves numbers unchanged, and absent values empty', () => {
    expect(csvLine([-2.5, null, true, 'a'])).toBe('-2.5,,true,a\r\n');
  });

  it('leaves a text that is a number to programs as it is, and no formula', () => {
    const cells = ['+15551234567', '-2.5', '+1-2', '=1'];
    expect(csvRow(cells, { hasPlainNumbers: true })).toBe("+15551234567,-2.5,'+1-2,'=1");
  });

  it('quotes cells with quotes, separators, line breaks and outer blanks', () => {
    const cells = ['say "hi"', 'a,b', 'a;b', 'a\tb', 'c\nd', ' e'];
    expect(csvLine(cells)).toBe('"say ""hi""","a,b","a;b","a\tb","c\nd"," e"\r\n');
  });

  it.each(["'0", " '0", "' '0", "'0\n", " ''(202) 555-0134 "])(
    'is read back as it was where the reader would take %j for a number marked as text',
    async (text) => {
      expect(await readBack(`a,b\r\n${csvLine(['x', text])}`)).toEqual([
        ['a', 'b'],
        ['x', text.trim()],
      ]);
    },
  );

  it('is read back without its outer blanks, and otherwise as it was, whatever is in it', async () => {
    const text = fc.string({
      maxLength: 12,
      unit: fc.constantFrom(...Array.from(`'"=+-@;,\t\n 0915ab＝(`)),
    });
    const rows = fc.array(fc.array(text, { minLength: 2, maxLength: 4 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(rows, fc.boolean(), async (given, hasPlainNumbers) => {
        const kept = given.map((cells) => ['x', ...cells.filter((cell) => !isForeign(cell))]);
        const file = kept.map((cells) => `${csvRow(cells as CsvCell[], { hasPlainNumbers })}\r\n`);
        const head = csvLine(['a', 'b', 'c', 'd', 'e']);
        expect((await readBack(head + file.join(''))).slice(1)).toEqual(
          kept.map((cells) => cells.map((cell) => cell.trim())),
        );
      }),
    );
  });
});

/** Line breaks alone at the end of a cell, and more of them than a row may have, are the reader's own matter. */
const isForeign = (cell: string): boolean => cell.split('\n').length > 4;

describe('a file of another program', () => {
  it.each([
    ['a phone marked as text', `phone,x\n'+12025550134,1\n`, '+12025550134'],
    ['a number marked as text', `phone,x\n'2025550134,1\n`, '2025550134'],
    ['a written number marked as text', `phone,x\n'(202) 555-0134,1\n`, '(202) 555-0134'],
    ['a number in an apostrophe and quotes', `phone,x\n"'202-555-0134",1\n`, '202-555-0134'],
    ['a mark twice', `phone,x\n''+12025550134,1\n`, "'+12025550134"],
    ['an apostrophe of a name', `phone,x\n'n Gogh,1\n`, "'n Gogh"],
    ['an apostrophe before a year', `phone,x\n'90s,1\n`, "'90s"],
    ['blanks around', `phone,x\n "  '+12025550134 " ,1\n`, '+12025550134'],
    ['semicolons', `phone;x\n'+12025550134;1\n`, '+12025550134'],
    ['tabs', `phone\tx\n'+12025550134\t1\n`, '+12025550134'],
    ['a line that names the separator', `sep=;\r\nphone;x\r\n'+12025550134;1\r\n`, '+12025550134'],
    ['a byte order mark', `\ufeffphone,x\n'+12025550134,1\n`, '+12025550134'],
    ['invisible marks', `phone,x\n\u202a'+12025550134\u202c,1\n`, '+12025550134'],
  ])('with %s', async (_, file, first) => {
    expect((await readBack(file)).at(-1)).toEqual([first, '1']);
  });
});
