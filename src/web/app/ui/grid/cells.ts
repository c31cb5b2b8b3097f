/** How the cells of a grid are written and read: what a person types or pastes becomes the value that an action takes. */

/** As actions have it. */
export type CellValue = unknown;

/** A value, or the rule that the text breaks. */
export type Reading = { value: CellValue; fault?: undefined } | { fault: string };

export interface CellKind {
  kind: 'number' | 'money' | 'choice' | 'text' | 'flag' | 'list';
  /** As a person writes it. */
  write(value: CellValue): string;
  read(text: string): Reading;
  /** Of a choice. */
  options?: readonly { value: string; label: string }[];
}

interface NumberBounds {
  min?: number;
  max?: number;
  isWhole?: boolean;
  /** An empty cell is null. */
  isOptional?: boolean;
}

const EMPTY = 'This cell needs a value.';
/** Money has at most so many decimals. */
const DECIMALS_MAX = 4;

const plainNumber = (value: CellValue): string => (typeof value === 'number' ? String(value) : '');

/** Digits in groups of three, or in none, as spreadsheets write them; a decimal comma is refused, never guessed. */
const NUMBER = /^-?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?$/;

export const numberCell = (bounds: NumberBounds): CellKind => ({
  kind: 'number',
  write: plainNumber,
  read: (text) => readNumber(text.trim(), bounds),
});

/** An amount in the account's currency, with or without its sign. */
export const moneyCell = (bounds: NumberBounds): CellKind => ({
  kind: 'money',
  write: plainNumber,
  read(text) {
    const reading = readNumber(text.trim().replace(/^\p{Sc}\s*/u, ''), { min: 0, ...bounds });
    const decimals = text.trim().split('.')[1]?.length ?? 0;
    if (reading.fault === undefined && decimals > DECIMALS_MAX)
      return { fault: `At most ${DECIMALS_MAX} decimals.` };
    return reading;
  },
});

function readNumber(text: string, bounds: NumberBounds): Reading {
  const { min = -Infinity, max = Infinity, isWhole, isOptional } = bounds;
  if (text === '') return isOptional ? { value: null } : { fault: EMPTY };
  const value = NUMBER.test(text) ? Number(text.replaceAll(',', '')) : NaN;
  if (!Number.isFinite(value))
    return { fault: `${quoted(text)} is not a number. Write 1500 or 12.50.` };
  if (isWhole && !Number.isInteger(value)) return { fault: 'A whole number.' };
  if (value < min || value > max) return { fault: rangeOf(min, max) };
  return { value };
}

const rangeOf = (min: number, max: number): string => {
  if (max === Infinity) return `At least ${min}.`;
  return min === -Infinity ? `At most ${max}.` : `From ${min} to ${max}.`;
};

const SHOWN_MAX = 40;
const quoted = (text: string): string =>
  `“${text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text}”`;

/** One of a few; typed or pasted by its label or its value. */
export const choiceCell = (options: readonly { value: string; label: string }[]): CellKind => ({
  kind: 'choice',
  options,
  write: (value) => options.find((one) => one.value === value)?.label ?? '',
  read(text) {
    const wanted = text.trim().toLowerCase();
    const found = options.find(({ value, label }) =>
      [value.toLowerCase(), label.toLowerCase()].includes(wanted),
    );
    if (found) return { value: found.value };
    return { fault: `One of ${options.map(({ label }) => label).join(', ')}.` };
  },
});

const YES = ['yes', 'true', '1', 'on'];
const NO = ['no', 'false', '0', 'off', ''];

export const flagCell: CellKind = {
  kind: 'flag',
  write: (value) => (value === true ? 'Yes' : 'No'),
  read(text) {
    const word = text.trim().toLowerCase();
    if (YES.includes(word)) return { value: true };
    return NO.includes(word) ? { value: false } : { fault: 'Yes or No.' };
  },
};

/** Words between commas, such as states. */
export const listCell = (most = Infinity): CellKind => ({
  kind: 'list',
  write: (value) => (Array.isArray(value) ? value.join(', ') : ''),
  read(text) {
    const words = text.split(/[\s,;]+/).filter((word) => word !== '');
    return words.length > most ? { fault: `At most ${most} entries.` } : { value: words };
  },
});

/** A text with a rule of its own. */
export const textCell = (of: Pick<CellKind, 'write' | 'read'>): CellKind => ({
  kind: 'text',
  ...of,
});
