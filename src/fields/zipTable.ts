/** Where US zip codes are: the table of the package `zipcodes`, packed. */
// A constant that ships with the code, read on first use: 5 MB of source that most processes never need.
// eslint-disable-next-line no-restricted-imports -- import() would make every decision asynchronous
import { createRequire } from 'node:module';

/** Degrees; north and east are positive. */
export interface Place {
  latitude: number;
  longitude: number;
}

/** Latitude and longitude of 00000, 00001, … one after the other; NaN for no such zip code. */
type ZipTable = Float32Array;

interface ZipSource {
  codes: Record<string, Place>;
}

const FIVE_DIGITS = /^[0-9]{5}$/;
const CODES = 100_000;
const LOADED: { table?: ZipTable } = {};

/**
 * The center of a five-digit zip code; undefined when it is unknown or has no place (military mail). About
 * 42,000 codes: streets, post boxes and single receivers, the territories included, from GeoNames. The first
 * call of a process takes a few hundred ms; afterwards 0.8 MB stay, exact to a meter.
 */
export function placeOf(zip: string): Place | undefined {
  if (!FIVE_DIGITS.test(zip)) return undefined;
  const index = 2 * Number(zip);
  const table = tableOf();
  const [latitude, longitude] = [table[index], table[index + 1]];
  if (latitude === undefined || longitude === undefined || Number.isNaN(latitude)) return undefined;
  return { latitude, longitude };
}

function tableOf(): ZipTable {
  LOADED.table ??= readTable();
  return LOADED.table;
}

function readTable(): ZipTable {
  const require = createRequire(import.meta.url);
  const source = require('zipcodes/lib/codes.js') as ZipSource;
  const table = new Float32Array(2 * CODES).fill(NaN);
  for (const [zip, { latitude, longitude }] of Object.entries(source.codes)) {
    if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) continue;
    if (latitude === 0 && longitude === 0) continue;
    table.set([latitude, longitude], 2 * Number(zip));
  }
  // Node would keep the source, some 15 MB of objects, in addition to the table.
  Reflect.deleteProperty(require.cache, require.resolve('zipcodes/lib/codes.js'));
  return table;
}
