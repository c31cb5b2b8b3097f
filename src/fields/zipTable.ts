/** Where US zip codes are, and in which state: the table of the package `zipcodes`, packed. */
// A constant that ships with the code, read on first use: 5 MB of source that most processes never need.
// eslint-disable-next-line no-restricted-imports -- import() would make every decision asynchronous
import { createRequire } from 'node:module';

/** Degrees; north and east are positive. */
export interface Place {
  latitude: number;
  longitude: number;
}

interface ZipTable {
  /** Latitude and longitude of 00000, 00001, … one after the other; NaN for no such zip code. */
  places: Float32Array;
  /** For each of them its place among the names; 0 for no such zip code. */
  states: Uint8Array;
  stateNames: string[];
}

interface ZipSource {
  codes: Record<string, Place & { state?: string }>;
}

const FIVE_DIGITS = /^[0-9]{5}$/;
const CODES = 100_000;
const LOADED: { table?: ZipTable } = {};

/**
 * The center of a five-digit zip code; undefined when it is unknown or has no place (military mail). About
 * 42,000 codes: streets, post boxes and single receivers, the territories included, from GeoNames. The first
 * call of a process takes a few hundred ms; afterwards 0.9 MB stay, exact to a meter.
 */
export function placeOf(zip: string): Place | undefined {
  if (!FIVE_DIGITS.test(zip)) return undefined;
  const index = 2 * Number(zip);
  const { places } = tableOf();
  const [latitude, longitude] = [places[index], places[index + 1]];
  if (latitude === undefined || longitude === undefined || Number.isNaN(latitude)) return undefined;
  return { latitude, longitude };
}

/** The two letters that the post writes after the city of a zip code, military mail included; undefined when it is unknown. */
export function stateAt(zip: string): string | undefined {
  if (!FIVE_DIGITS.test(zip)) return undefined;
  const { states, stateNames } = tableOf();
  return stateNames[(states[Number(zip)] ?? 0) - 1];
}

const tableOf = (): ZipTable => (LOADED.table ??= readTable());

function readTable(): ZipTable {
  const require = createRequire(import.meta.url);
  const source = require('zipcodes/lib/codes.js') as ZipSource;
  const places = new Float32Array(2 * CODES).fill(NaN);
  const states = new Uint8Array(CODES);
  const numbers = new Map<string, number>();
  for (const [zip, { latitude, longitude, state = '' }] of Object.entries(source.codes)) {
    if (state !== '') {
      const number = numbers.get(state) ?? numbers.size + 1;
      numbers.set(state, number);
      states[Number(zip)] = number;
    }
    if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) continue;
    if (latitude === 0 && longitude === 0) continue;
    places.set([latitude, longitude], 2 * Number(zip));
  }
  // Node would keep the source, some 15 MB of objects, in addition to the table.
  Reflect.deleteProperty(require.cache, require.resolve('zipcodes/lib/codes.js'));
  return { places, states, stateNames: [...numbers.keys()] };
}
