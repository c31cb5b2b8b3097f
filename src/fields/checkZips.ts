/** Reads zip codes and radiuses as they are set up. */
import type { Checked } from './checkSchedule.js';
import { normaliseZip } from './normalise.js';
import { isKnownZip } from './zips.js';
import type { ZipArea, ZipRadius } from './zips.js';

/** Five-digit codes as a list or as text with commas or blanks between, or such around which a radius is drawn. */
export type ZipAreaInput =
  readonly string[] | string | { zips: readonly string[] | string; miles: number };

/** More than there are. */
const MOST_ZIPS = 100_000;
const MOST_CENTRES = 1_000;
/** Half the way around the earth. */
const MOST_MILES = 12_450;
const LONGEST_TEXT = 2_000_000;

/** A list or a radius in its normal form, or what is wrong with it ("must …"). An empty list is no area: null. */
export function checkZipArea(input: unknown): Checked<ZipArea | null> {
  if (input === null || input === undefined) return { ok: true, value: null };
  if (Array.isArray(input) && input.length === 0) return { ok: true, value: null };
  return typeof input === 'object' && !Array.isArray(input) ? checkRadius(input) : checkZips(input);
}

/** A list, each code once, cut to five digits, in order; a code need not be known. */
export function checkZips(input: unknown): Checked<string[]> {
  const zips = readZips(input, MOST_ZIPS);
  return zips.ok ? { ok: true, value: zips.value.sort() } : zips;
}

/** `{ zips, miles }`; every centre must be in the table. */
export function checkRadius(input: unknown): Checked<ZipRadius> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return failed('must be { zips, miles }, such as { "zips": ["90210"], "miles": 25 }');
  }
  const { zips: written, miles, ...others }: Record<string, unknown> = { ...input };
  const [unknownKey] = Object.keys(others);
  if (unknownKey !== undefined) {
    return failed(`has an unknown key "${unknownKey.slice(0, 40)}"; a radius has zips and miles`);
  }
  const zips = readZips(written, MOST_CENTRES);
  if (!zips.ok) return failed(...zips.problems.map((problem) => `zips ${problem}`));
  const stray = zips.value.filter((zip) => !isKnownZip(zip));
  if (stray.length > 0) {
    return failed(`zips must be known US zip codes; unknown: ${stray.slice(0, 5).join(', ')}`);
  }
  if (typeof miles !== 'number' || !(miles > 0 && miles <= MOST_MILES)) {
    return failed(`miles must be a number above 0, at most ${MOST_MILES}`);
  }
  return { ok: true, value: { zips: zips.value, miles } };
}

const failed = (...problems: string[]): { ok: false; problems: string[] } => ({
  ok: false,
  problems,
});

function readZips(input: unknown, most: number): Checked<string[]> {
  const items = itemsOf(input);
  if (items.length === 0) return failed('must list at least one zip code, such as ["90210"]');
  if (items.length > most) return failed(`must list at most ${most} zip codes`);
  const zips = new Set<string>();
  for (const item of items) {
    const isWritten = typeof item === 'string' || typeof item === 'number';
    const zip = isWritten ? normaliseZip(String(item)) : null;
    if (zip === null) {
      const shown = isWritten ? `"${String(item).slice(0, 20)}"` : 'one that is no text';
      return failed(`must be five-digit zip codes as text, such as "02134"; ${shown} is none`);
    }
    zips.add(zip);
  }
  return { ok: true, value: [...zips] };
}

function itemsOf(input: unknown): unknown[] {
  if (Array.isArray(input)) return input;
  if (typeof input !== 'string' || input.length > LONGEST_TEXT) return [];
  return input.split(/[\s,;]+/).filter((part) => part !== '');
}
