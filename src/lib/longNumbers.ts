/** Whole numbers that a double (IEEE 754, what JavaScript calls a number) would change: ids of 17 and more digits. */

const DECIMAL = /^([+-]?)([0-9]*)\.?([0-9]*)(?:e([+-]?[0-9]{1,4}))?$/i;
/** No double has more digits. */
const DIGITS_MAX = 400;

/**
 * The digits of a whole number beyond ±2^53, however it is written; null for any other text, for smaller
 * numbers, and for those too large to be a double.
 */
export function longDigits(text: string): string | null {
  const written = text.trim();
  const size = written.length > DIGITS_MAX ? 0 : Math.abs(Number(written));
  if (!Number.isFinite(size) || size <= Number.MAX_SAFE_INTEGER) return null;
  const [, sign = '', whole = '', fraction = '', power = '0'] = DECIMAL.exec(written) ?? [];
  const digits = `${whole}${fraction}`.replace(/0+$/, '');
  const zeros = whole.length + Number(power) - digits.length;
  if (digits === '' || zeros < 0 || zeros > DIGITS_MAX) return null;
  const plain = `${digits}${'0'.repeat(zeros)}`.replace(/^0+/, '');
  return sign === '-' ? `-${plain}` : plain;
}

/**
 * The same where the double would change these digits. A double is known by its shortest digits, so that 1e30 keeps
 * its own.
 */
export function lostDigits(text: string): string | null {
  const digits = longDigits(text);
  return digits === null || digits === longDigits(String(Number(text))) ? null : digits;
}
