/** The windows that caps and budgets are counted in, in the account's time zone. */

/** The windows that an instant falls into, in the account's time zone. Later keys of a kind sort after earlier ones. */
export interface WindowKeys {
  /**
   * By the instant of its first minute, `2026-11-21T14:00:00Z`: an hour that a clock repeats is another one. A clock that
   * is put forward or back by half an hour makes two hours of half the length.
   */
  hour: string;
  /** `2026-11-21` */
  day: string;
  /** By its Monday, `W2026-11-16`. */
  week: string;
  /** `2026-11` */
  month: string;
}

/** The windows that a record names. Those of earlier releases name no hour: they count in none. */
export type CountedKeys = Omit<WindowKeys, 'hour'> & Partial<Pick<WindowKeys, 'hour'>>;

/** Making a formatter takes a thousand times as long as using it; at most `ZONES_KEPT` zones are kept. */
const ZONES = new Map<string, Zone>();
const ZONES_KEPT = 100;

/**
 * The windows of an instant: hours end when the clock shows a full one, days end at midnight, weeks on Monday, months on the 1st (contract 4.7).
 * @throws {RangeError} when the time zone is not an IANA name
 */
export function windowKeys(now: Date, timeZone: string): WindowKeys {
  const zone = zoneOf(timeZone);
  // Every lead of a group needs them, and no window begins within a second.
  const second = Math.floor(Number(now) / 1_000);
  if (zone.second !== second) {
    zone.second = second;
    zone.keys = readKeys(second, zone.formatter);
  }
  return zone.keys;
}

function readKeys(second: number, formatter: Intl.DateTimeFormat): WindowKeys {
  const parts = new Map(
    formatter.formatToParts(second * 1_000).map(({ type, value }) => [type, value]),
  );
  const of = (part: Intl.DateTimeFormatPartTypes): string => parts.get(part) ?? '';
  const day = `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}`;
  const sinceFull = Number(of('minute')) * 60 + Number(of('second'));
  const hour = `${new Date((second - sinceFull) * 1_000).toISOString().slice(0, 19)}Z`;
  return { hour, day, week: `W${mondayOf(day)}`, month: day.slice(0, 7) };
}

function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

interface Zone {
  formatter: Intl.DateTimeFormat;
  /** The second, since 1970, that `keys` are of. */
  second: number;
  keys: WindowKeys;
}

function zoneOf(timeZone: string): Zone {
  const kept = ZONES.get(timeZone);
  if (kept) return kept;
  const formatter = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const zone: Zone = { formatter, second: NaN, keys: { hour: '', day: '', week: '', month: '' } };
  if (ZONES.size >= ZONES_KEPT) ZONES.clear();
  ZONES.set(timeZone, zone);
  return zone;
}
