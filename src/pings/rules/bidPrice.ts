/** The price in a buyer's answer, whatever its form. */
import { MONEY_MAX, toMicros, WIRE_STEP, type Micros } from '../../fields/money.js';

export type BidPrice =
  | { kind: 'price'; price: Micros }
  | { kind: 'none'; reason: 'no_bid_price' | 'malformed' | 'negative_bid' | 'absurd_bid' };

const PRICE_MAX = toMicros(MONEY_MAX.bid);
/** More digits than the highest price has. */
const TOO_LONG = 8;
/** Maximum characters of decimal text, including white space around it. */
const TEXT_MAX = 64;
const DECIMAL = /^([+-]?)(?:0*([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))$/;

const none = (reason: (BidPrice & { kind: 'none' })['reason']): BidPrice => ({
  kind: 'none',
  reason,
});

/** A number or decimal text from 0 to 1,000,000, rounded down to four decimals by its digits, without any float. */
export function readBidPrice(value: unknown): BidPrice {
  if (value === undefined || value === null || value === '') return none('no_bid_price');
  if (typeof value === 'number') return ofNumber(value);
  if (typeof value !== 'string' || value.length > TEXT_MAX) return none('malformed');
  return ofText(value.trim());
}

/** The shortest text of a number has its digits; only very large and very small numbers have exponents. */
function ofNumber(value: number): BidPrice {
  if (Number.isNaN(value)) return none('malformed');
  if (value < 0) return none('negative_bid');
  if (value > 2 * 10 ** (TOO_LONG - 1)) return none('absurd_bid');
  return ofText(value < 1e-4 ? '0' : String(value));
}

function ofText(text: string): BidPrice {
  const found = DECIMAL.exec(text);
  if (!found) return none('malformed');
  const [, sign, whole = '0', after = '', only = ''] = found;
  const decimals = after + only;
  if (sign === '-' && /[1-9]/.test(whole + decimals)) return none('negative_bid');
  if (whole.length >= TOO_LONG) return none('absurd_bid');
  const steps = Number(`${whole}${decimals.slice(0, 4).padEnd(4, '0')}`);
  const price = steps * WIRE_STEP;
  return price > PRICE_MAX ? none('absurd_bid') : { kind: 'price', price };
}
