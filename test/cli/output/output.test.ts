import { describe, expect, it } from 'vitest';
import { createPaint, wantsColour } from '../../../cli/output/paint.js';
import { cut, formatMoney, formatMs, formatTable } from '../../../cli/output/output.js';

describe('wantsColour', () => {
  it.each([
    ['a terminal', {}, true, true],
    ['a pipe', {}, false, false],
    ['NO_COLOR', { NO_COLOR: '1' }, true, false],
    ['an empty NO_COLOR', { NO_COLOR: '' }, true, true],
    ['NO_COLOR over CLICOLOR_FORCE', { NO_COLOR: '1', CLICOLOR_FORCE: '1' }, true, false],
    ['CLICOLOR_FORCE in a pipe', { CLICOLOR_FORCE: '1' }, false, true],
    ['CLICOLOR_FORCE=0 in a pipe', { CLICOLOR_FORCE: '0' }, false, false],
    ['CLICOLOR=0', { CLICOLOR: '0' }, true, false],
    ['TERM=dumb', { TERM: 'dumb' }, true, false],
  ])('follows %s', (_what, environment, isTerminal, expected) => {
    expect(wantsColour(environment, isTerminal)).toBe(expected);
  });
});

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

  it('aligns painted text by what is seen', () => {
    const paint = createPaint(true);
    const painted = formatTable(columns, [[paint.green('Maria'), '$1.00']], paint);
    // eslint-disable-next-line no-control-regex
    expect(painted.replaceAll(/\u001b\[\d+m/g, '')).toBe('Lead   Price\nMaria  $1.00');
    expect(painted).toContain('\u001b[32mMaria\u001b[39m');
  });
});

describe('values', () => {
  it('shows micro-units as money of the currency', () => {
    expect(formatMoney(42_500_000, 'USD')).toBe('$42.50');
    expect(formatMoney(1_234_560_000, 'EUR')).toBe('€1,234.56');
  });

  it('shows whole milliseconds', () => {
    expect(formatMs(1_234.4)).toBe('1,234 ms');
  });

  it('cuts long text with an ellipsis', () => {
    expect(cut('abcdef', 6)).toBe('abcdef');
    expect(cut('abcdefg', 6)).toBe('abcde…');
  });
});
