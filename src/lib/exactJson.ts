/** JSON from outside, whose long numbers are ids: a double would change their last digits. */
import { lostDigits } from './longNumbers.js';

/** A number of 16 and more digits where a value begins. Cheaper than to parse, and found in nearly no body. */
const HAS_LONG_NUMBER = /(?:^|[[:,])\s*-?\d[\d.]{15}/;
/** Each string as a whole, so that nothing in it is taken for a number. */
const STRING_OR_LONG_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.]{15}[\d.e+-]*/gi;
const INTEGER = /^-?\d+$/;

/**
 * As `JSON.parse`, but a whole number beyond ±2^53 becomes the text of its digits: always where it is written as an
 * integer, and as it is written otherwise (`7615917337430043418.0`) where a double would change it. Every other
 * value is what it is there. The text is marked and parsed again rather than revived: that costs no call per value, no
 * recursion, and works in every browser.
 * @throws {SyntaxError} as `JSON.parse`
 */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!HAS_LONG_NUMBER.test(text)) return value;
  return JSON.parse(text.replace(STRING_OR_LONG_NUMBER, quoted));
}

const quoted = (token: string): string =>
  !token.startsWith('"') && mustBeText(token) ? `"${token}"` : token;

const mustBeText = (number: string): boolean =>
  INTEGER.test(number)
    ? Math.abs(Number(number)) > Number.MAX_SAFE_INTEGER
    : lostDigits(number) !== null;
