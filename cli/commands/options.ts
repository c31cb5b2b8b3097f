/** Options that several commands have, and how the text of an option is read. */
import { InvalidArgumentError } from 'commander';

export const JSON_FIELDS = ['--json [fields]', 'JSON; with a list, only these fields'] as const;
export const JSON_DOCUMENT = ['--json', 'print one JSON document'] as const;
export const BY = ['--by <text>', 'name of the operator, for the record'] as const;

/** Reads the value of an option. @throws {InvalidArgumentError} for other text, and beyond the limits */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = text.trim() === '' ? NaN : Number(text);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/** An instant with its zone; null for any other text. */
export function readInstant(text: string): Date | null {
  const instant = new Date(text);
  return INSTANT.test(text) && !Number.isNaN(Number(instant)) ? instant : null;
}

/** Reads an option that may be repeated. */
export const collect = (text: string, before: string[] = []): string[] => [...before, text];
