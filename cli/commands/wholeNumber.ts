/** Options that take a whole number. */
import { InvalidArgumentError } from 'commander';

/** Reads the value of an option. @throws {InvalidArgumentError} for other text, and beyond the limits */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = text.trim() === '' ? NaN : Number(text);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
