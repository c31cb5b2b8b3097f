/**
 * Money inside the service: integer micro-units of the account's currency (1.00 = 1,000,000). What an amount may be is
 * defined here for everything that reads one: settings, bids, answers of buyers, outcomes.
 */
export type Micros = number;

const MICROS = 1_000_000;

/** The finest step of an amount on the wire: four decimals (contract 1.2). */
export const WIRE_STEPS = 10_000;
/** The same step, in micro-units. */
export const WIRE_STEP: Micros = MICROS / WIRE_STEPS;

/** The greatest amounts, in whole units. */
export const MONEY_MAX = {
  /** What can be counted exactly: of settings, and of a price in the answer to a delivery. */
  exact: Math.floor(Number.MAX_SAFE_INTEGER / MICROS),
  /** Of a revenue or a value in an outcome. */
  outcome: 1_000_000_000,
  /** Of a live bid. */
  bid: 1_000_000,
};

/**
 * An amount of 0 or more as written on the wire, in micro-units; null when it is none: negative, above `most`, too large
 * to count exactly, finer than four decimals, or no number.
 */
export const readMicros = (amount: unknown, most = Infinity): Micros | null =>
  typeof amount === 'number' && amount >= 0 && amount <= most ? exactMicros(amount) : null;

/**
 * An amount as written on the wire, in micro-units.
 * @throws {RangeError} when it is not a finite number, has more than four decimals or is too large to count
 * exactly (9,007,199,254 is the end)
 */
export function toMicros(amount: number): Micros {
  const micros = exactMicros(amount);
  if (micros !== null) return micros;
  if (Number.isFinite(amount) && Math.abs(amount) > MONEY_MAX.exact)
    throw new RangeError(`An amount is at most ${MONEY_MAX.exact}; ${amount} is too large`);
  throw new RangeError(`An amount is a number with at most 4 decimals; ${amount} is not`);
}

function exactMicros(amount: number): Micros | null {
  const steps = Math.round(amount * WIRE_STEPS);
  const micros = steps * WIRE_STEP + 0;
  return Number.isSafeInteger(micros) && steps / WIRE_STEPS === amount ? micros : null;
}

/** Micro-units as an amount on the wire, rounded half up to four decimals. */
export const fromMicros = (micros: Micros): number =>
  Math.round(micros / WIRE_STEP) / WIRE_STEPS + 0;
