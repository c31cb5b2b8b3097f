/** Money inside the service: integer micro-units of the account's currency (1.00 = 1,000,000). */
export type Micros = number;

const MICROS = 1_000_000;

/** The finest step of an amount on the wire: four decimals (contract 1.2). */
export const WIRE_STEPS = 10_000;

/** The greatest amount that can be counted exactly, in whole units. */
const MOST = Math.floor(Number.MAX_SAFE_INTEGER / MICROS);

/**
 * An amount as written on the wire, in micro-units.
 * @throws {RangeError} when it is not a finite number, has more than four decimals or is too large to count
 * exactly (9,007,199,254 is the end)
 */
export function toMicros(amount: number): Micros {
  const steps = Math.round(amount * WIRE_STEPS);
  const micros = steps * (MICROS / WIRE_STEPS);
  if (Number.isSafeInteger(micros) && steps / WIRE_STEPS === amount) return micros + 0;
  if (Number.isFinite(amount) && !Number.isSafeInteger(micros))
    throw new RangeError(`An amount is at most ${MOST}; ${amount} is too large`);
  throw new RangeError(`An amount is a number with at most 4 decimals; ${amount} is not`);
}

/** Micro-units as an amount on the wire, rounded half up to four decimals. */
export const fromMicros = (micros: Micros): number =>
  Math.round(micros / (MICROS / WIRE_STEPS)) / WIRE_STEPS + 0;
