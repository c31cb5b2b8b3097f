import { describe, expect, it } from '@jest/globals';
import { createPaint } from '../../../cli/output/paint.js';
import { formatTable } from '../../../cli/output/table.js';

describe('formatTable', () => {
  const columns = [{ title: 'Lead' }, { title: 'Price', align: 'right' }] as const;
  const rows = [
    ['Maria', '$42.50'],
    ['A longer name', ''],
  ];

  it('aligns columns and leaves no blanks at line ends', () => {
    expect(formatTable(columns, rows, createPaint(false)).split('\n')).toEqual([
      'Lead            Price',
      'Maria          $42.50',
      'A longer name',
    ]);
  });

  it('aligns colored text by its visible width', () => {
    const paint = createPaint(true);
    const painted = formatTable(columns, [[paint.green('Maria'), '$1.00']], paint);
    // eslint-disable-next-line no-control-regex
    expect(painted.replaceAll(/\u001b\[\d+m/g, '')).toBe('Lead   Price\nMaria  $1.00');
    expect(painted).toContain('\u001b[32mMaria\u001b[39m');
  });

  it('is one line per row, whatever a cell contains', () => {
    const text = formatTable(columns, [['two\r\nlines', '$1.00']], createPaint(false));
    expect(text).toBe('Lead       Price\ntwo lines  $1.00');
  });

  it('aligns signs of several code points as they are seen', () => {
    const text = formatTable(columns, [['👨‍👩‍👧 Smith', '$1.00']], createPaint(false));
    expect(text).toBe('Lead      Price\n👨‍👩‍👧 Smith  $1.00');
  });

  it('is as long as its rows, thousands of them too', () => {
    const many = Array.from({ length: 200_000 }, (_, n) => [String(n), '']);
    expect(formatTable(columns, many, createPaint(false)).split('\n')).toHaveLength(200_001);
  });
});
