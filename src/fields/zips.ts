/** Zip codes: how far apart they are, and whether one lies in a given area. */
import { normalizeState, normalizeZip } from './normalize.js';
import { placeOf, stateAt, type Place } from './zipTable.js';
import type { ZipArea, ZipRadius } from './zipsSchema.js';

export type { ZipArea, ZipRadius } from './zipsSchema.js';

/** unknown: the table has no zip code for the radius. */
export type ZipAnswer = 'inside' | 'outside' | 'unknown';

/** Mean radius of the earth in statute miles. */
const EARTH_MILES = 3_958.761;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** The US state of a zip code, as the type State reads it; undefined where the table has none, or one that is no such state. */
export function stateOfZip(written: string): string | undefined {
  const zip = normalizeZip(written);
  const state = zip === null ? undefined : stateAt(zip);
  return state === undefined ? undefined : (normalizeState(state) ?? undefined);
}

/** Great-circle distance of two zip codes' centers in statute miles; undefined when one is unknown. */
export function milesBetween(a: string, b: string): number | undefined {
  const [from, to] = [placeOf(a), placeOf(b)];
  return from && to ? greatCircle(from, to) : undefined;
}

/** Whether the table has the place of a five-digit zip code. */
export const isKnownZip = (zip: string): boolean => placeOf(zip) !== undefined;

/** Whether a zip code, in any of its written forms, lies in the area. A zip code of a list need not be known. */
export function isWithin(zip: string, area: ZipArea): ZipAnswer {
  const code = normalizeZip(zip);
  return code === null ? 'unknown' : compiled(area)(code);
}

/** How far the nearest center of a radius is, in statute miles; undefined when the zip code is unknown. */
export function milesToNearest(zip: string, { zips }: ZipRadius): number | undefined {
  const code = normalizeZip(zip);
  if (code === null) return undefined;
  const distances = zips.flatMap((center) => milesBetween(code, center) ?? []);
  return distances.length > 0 ? Math.min(...distances) : undefined;
}

const AREAS = new WeakMap<ZipArea, (code: string) => ZipAnswer>();

function compiled(area: ZipArea): (code: string) => ZipAnswer {
  const kept = AREAS.get(area);
  if (kept) return kept;
  const answer = Array.isArray(area) ? inList(area) : inRadius(area);
  AREAS.set(area, answer);
  return answer;
}

function inList(zips: readonly string[]): (code: string) => ZipAnswer {
  const listed = new Set(zips);
  return (code) => (listed.has(code) ? 'inside' : 'outside');
}

function inRadius({ zips, miles }: ZipRadius): (code: string) => ZipAnswer {
  const centers = zips.flatMap((zip) => placeOf(zip) ?? []);
  return (code) => {
    const place = placeOf(code);
    if (!place) return 'unknown';
    return centers.some((center) => greatCircle(place, center) <= miles) ? 'inside' : 'outside';
  };
}

/** The haversine formula, which stays exact for places close together. */
function greatCircle(a: Place, b: Place): number {
  const [from, to] = [radians(a.latitude), radians(b.latitude)];
  const across = Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  const along = Math.sin((to - from) / 2) ** 2;
  const chord = Math.min(1, along + Math.cos(from) * Math.cos(to) * across);
  return 2 * EARTH_MILES * Math.asin(Math.sqrt(chord));
}
