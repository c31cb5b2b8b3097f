/** The windows that caps and budgets are counted in, in the account's time zone. */

/** The windows that an instant falls into, in the account's time zone. Later keys of a kind sort after earlier ones. */
export interface WindowKeys {
  /** `2026-11-21` */
  day: string;
  /** By its Monday, `W2026-11-16`. */
  week: string;
  /** `2026-11` */
  month: string;
}

/** Making a formatter takes a thousand times as long as using it; at most `ZONES_KEPT` zones are kept. */
const ZONES = new Map<string, Zone>();
const ZONES_KEPT = 100;

/**
 * The windows of an instant: days end at midnight, weeks on Monday, months on the 1st (contract 4.7).
 * @throws {RangeError} when the time zone is not an IANA name
 */
export function windowKeys(now: Date, timeZone: string): WindowKeys {
  const zone = zoneOf(timeZone);
  // Every lead of a group needs them, and no window begins within a second.
  const second = Math.floor(Number(now) / 1_000);
  if (zone.second !== second) {
    zone.second = second;
    zone.keys = readKeys(now, zone.formatter);
  }
  return zone.keys;
}

function readKeys(now: Date, formatter: Intl.DateTimeFormat): WindowKeys {
  const parts = new Map(formatter.formatToParts(now).map(({ type, value }) => [type, value]));
  const [year = '', month = '', date = ''] = [
    parts.get('year'),
    parts.get('month'),
    parts.get('day'),
  ];
  const day = `${year.padStart(4, '0')}-${month}-${date}`;
  return { day, week: `W${mondayOf(day)}`, month: day.slice(0, 7) };
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
  });
  const zone: Zone = { formatter, second: NaN, keys: { day: '', week: '', month: '' } };
  if (ZONES.size >= ZONES_KEPT) ZONES.clear();
  ZONES.set(timeZone, zone);
  return zone;
}
