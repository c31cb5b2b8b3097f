/**
 * The values behind a step of a trail, or a buyer's missing bid, as they are shown: money in the account's currency.
 * Stored trails keep micro-units, because leads are decided again from them, byte for byte.
 */
import { fromMicros } from '../../fields/money.js';

type Detail = Readonly<Record<string, unknown>>;

/** Keys that hold money anywhere in a detail; a buyer's own text under such a key stays as it is. */
const MONEY: ReadonlySet<string> = new Set(['price', 'bid', 'net', 'min_bid', 'fixed', 'amount']);
/** Values compared with a limit: money where the limit is a budget, leads or pings otherwise. */
const COMPARED: ReadonlySet<string> = new Set(['allowed', 'counted', 'asks']);
/** Money before and after an outcome. */
const CHANGED = 'revenue';

export function shownDetail(detail: Detail): Record<string, unknown> {
  const isBudget = typeof detail.limit === 'string' && detail.limit.endsWith('_budget');
  const isMoney = (key: string): boolean => MONEY.has(key) || (isBudget && COMPARED.has(key));
  return Object.fromEntries(
    Object.entries(detail).map(([key, value]) => {
      if (isMoney(key)) return [key, currencyOf(value)];
      if (key === CHANGED && isDetail(value)) return [key, mapValues(value, currencyOf)];
      return [key, shownWithin(value)];
    }),
  );
}

const currencyOf = (value: unknown): unknown =>
  typeof value === 'number' ? fromMicros(value) : value;

function shownWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shownWithin);
  return isDetail(value) ? shownDetail(value) : value;
}

const mapValues = (detail: Detail, change: (value: unknown) => unknown): Detail =>
  Object.fromEntries(Object.entries(detail).map(([key, value]) => [key, change(value)]));

/** An instant, like every other value with a class, is a single value. */
function isDetail(value: unknown): value is Detail {
  return (
    typeof value === 'object' &&
    value !== null &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)
  );
}
