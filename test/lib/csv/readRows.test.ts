import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readRows, type CsvRow } from '../../../src/lib/csv/readRows.js';

/** The text in chunks of a few bytes, as a network may split it. */
function* pieces(text: string, size: number): Generator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function rowsOf(text: string, size = 7): Promise<CsvRow[]> {
  const source = (async function* () {
    for (const piece of pieces(text, size)) yield await Promise.resolve(piece);
  })();
  const rows: CsvRow[] = [];
  for await (const some of readRows(source)) rows.push(...some);
  return rows;
}
const row = (line: number, ...cells: string[]): CsvRow => ({ line, cells });

describe('readRows', () => {
  it.each([
    ['LF', 'a,b\n1,2\n', [row(1, 'a', 'b'), row(2, '1', '2')]],
    ['CRLF and a BOM', '\ufeffa,b\r\n1,2\r\n', [row(1, 'a', 'b'), row(2, '1', '2')]],
    ['CR', 'a\r1\r2', [row(1, 'a'), row(2, '1'), row(3, '2')]],
    ['blank lines', '\n\na\n \n1\n\n', [row(3, 'a'), row(5, '1')]],
    ['no end of line', 'a\n1', [row(1, 'a'), row(2, '1')]],
    ['nothing', '', []],
    ['semicolons', 'a;b\n1,5;2\n', [row(1, 'a', 'b'), row(2, '1,5', '2')]],
    ['tabs', 'a\tb\n\t"x\ty"\n', [row(1, 'a', 'b'), row(2, '', 'x\ty')]],
    ['quotes', '"a","b"\n"1, 2", "say ""hi""" \n', [row(1, 'a', 'b'), row(2, '1, 2', 'say "hi"')]],
    [
      'a line break in quotes',
      'a,b\n"x\ny",2\n3,4\n',
      [row(1, 'a', 'b'), row(2, 'x\ny', '2'), row(4, '3', '4')],
    ],
    [
      'rows of any length',
      'a,b\n1\n1,2,3\n',
      [row(1, 'a', 'b'), row(2, '1'), row(3, '1', '2', '3')],
    ],
    ['a stray quote', 'a,b\n6" pipe,2\n', [row(1, 'a', 'b'), row(2, '6" pipe', '2')]],
    ['text after a quote', 'a,b\n"1" x,2\n', [row(1, 'a', 'b'), row(2, '1 x', '2')]],
  ])('reads %s', async (_what, text, expected) => {
    for (const size of [1, 3, 1_000]) expect(await rowsOf(text, size)).toEqual(expected);
  });

  it('loses only the row whose quote is never closed', async () => {
    const rest = Array.from({ length: 50 }, (_, n) => `n${n},m${n}\n`).join('');
    const rows = await rowsOf(`a,b\n"open,1\n${rest}`);
    expect(rows).toHaveLength(52);
    expect(rows[1]).toEqual({ line: 2, fault: 'open_quote' });
    expect(rows[2]).toEqual(row(3, 'n0', 'm0'));
    expect(rows[51]).toEqual(row(52, 'n49', 'm49'));
  });

  it('does not close a missing quote with the quote of a later row', async () => {
    expect(await rowsOf('a,b\n"open,1\n2,3\n"Doe, J","4"\n')).toEqual([
      row(1, 'a', 'b'),
      { line: 2, fault: 'open_quote' },
      row(3, '2', '3'),
      row(4, 'Doe, J', '4'),
    ]);
  });

  it('skips a row that is too long, however long it is', async () => {
    const rows = await rowsOf(`a\n${'x'.repeat(100_000)}\n1\n`, 10_000);
    expect(rows).toEqual([row(1, 'a'), { line: 2, fault: 'too_long' }, row(3, '1')]);
  });

  it('reads back whatever was written by the rules of RFC 4180', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '5', ',', '"', ' ', '\n', 'é'),
      maxLength: 6,
    });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { maxLength: 6 });
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 9 }), async (cells, size) => {
        const text = ['h,h', ...cells.map((line) => line.map(quoted).join(','))].join('\r\n');
        const read = await rowsOf(text, size);
        expect(read.slice(1).map((one) => ('cells' in one ? one.cells : one))).toEqual(
          cells.map((line) => line.map((one) => one.trim())),
        );
      }),
    );
  });
});
