import { describe, expect, it } from '@jest/globals';
import { formatMoney, formatMs } from '../../../cli/demo/demoReport.js';

describe('amounts', () => {
  it('shows micro-units as money of the currency', () => {
    expect(formatMoney(42_500_000, 'USD')).toBe('$42.50');
    expect(formatMoney(1_234_560_000, 'EUR')).toBe('€1,234.56');
  });

  it('shows whole milliseconds', () => {
    expect(formatMs(1_234.4)).toBe('1,234 ms');
  });
});
