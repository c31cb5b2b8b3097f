/** Zip codes and radiuses as a person writes them: checked, brought into their normal form and published by one schema. */
import { z } from 'zod';
import { objectRules } from '../lib/schema/sentences.js';
import { normalizeZip } from './normalize.js';
import { placeOf } from './zipTable.js';

/** More than there are. */
const ZIPS_MAX = 100_000;
const CENTERS_MAX = 1_000;
/** Half the way around the earth. */
const MILES_MAX = 12_450;
const TEXT_MAX = 2_000_000;

const SOME_ZIP = 'must list at least one zip code, such as ["90210"]';
const MILES = `must be a number above 0, at most ${MILES_MAX}`;

/** Accepts anything: of 100,000 codes only the first wrong one is reported, by hand, instead of each of them. */
const Code = (z.unknown() as z.ZodType<string | number, string | number>).meta({ type: 'string' });

const listOf = (min: number, max: number) =>
  z.array(Code, SOME_ZIP).min(min, SOME_ZIP).max(max, `must list at most ${max} zip codes`);

const list = (min: number, max: number) => listOf(min, max).transform(readZips);

/** With commas or blanks between. */
const text = (max: number) =>
  z
    .string()
    .max(TEXT_MAX, `must have at most ${TEXT_MAX} characters`)
    .transform((written): (string | number)[] =>
      written.split(/[\s,;]+/).filter((part) => part !== ''),
    )
    .pipe(listOf(1, max))
    .transform(readZips);

/** Each once. A code without leading zeros is often written as a number. */
function readZips(written: readonly unknown[], context: z.RefinementCtx): string[] {
  const zips = new Set<string>();
  for (const item of written) {
    const isWritten = typeof item === 'string' || typeof item === 'number';
    const zip = isWritten ? normalizeZip(String(item)) : null;
    if (zip === null) {
      const shown = isWritten ? `"${String(item).slice(0, 20)}"` : 'a value that is not text';
      const message = `must be five-digit zip codes as text, such as "02134"; ${shown} is not one`;
      context.addIssue({ code: 'custom', message, input: written });
      return z.NEVER;
    }
    zips.add(zip);
  }
  return [...zips];
}

/** A list, or text: each code once, cut to five digits, in order. A code need not be known. */
export const ZipList = z
  .union([text(ZIPS_MAX), list(1, ZIPS_MAX)], SOME_ZIP)
  .transform((zips) => zips.toSorted());

/** Within `miles` statute miles of any of the centers. Every center must be in the table. */
export const ZipRadius = z.strictObject(
  {
    zips: z
      .union([text(CENTERS_MAX), list(1, CENTERS_MAX)], SOME_ZIP)
      .superRefine((zips, context) => {
        const unknown = zips.filter((zip) => placeOf(zip) === undefined);
        if (unknown.length === 0) return;
        const message = `must be known US zip codes; unknown: ${unknown.slice(0, 5).join(', ')}`;
        context.addIssue({ code: 'custom', message, input: zips });
      }),
    miles: z.number(MILES).gt(0, MILES).max(MILES_MAX, MILES),
  },
  objectRules(
    'a radius has zips and miles',
    'must be { zips, miles }, such as { "zips": ["90210"], "miles": 25 }',
  ),
);
export type ZipRadius = z.output<typeof ZipRadius>;

/** Five-digit codes, or a radius. An empty list is no area: null. */
export const ZipArea = z
  .union([text(ZIPS_MAX), list(0, ZIPS_MAX), ZipRadius], SOME_ZIP)
  .meta({ examples: [{ zips: ['90210'], miles: 25 }] })
  .transform((area) => {
    if (!Array.isArray(area)) return area;
    return area.length === 0 ? null : area.toSorted();
  });
export type ZipArea = NonNullable<z.output<typeof ZipArea>>;
