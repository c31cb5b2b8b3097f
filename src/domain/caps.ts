/** Caps and budgets: their windows in the account's time zone, and the model of how slots are granted. */
import type { CapLimits, Micros } from './plan.js';

/** The windows that an instant falls into, in the account's time zone. Later keys of a kind sort after earlier ones. */
export interface WindowKeys {
  /** `2026-11-21` */
  day: string;
  /** By its Monday, `W2026-11-16`. */
  week: string;
  /** `2026-11` */
  month: string;
}

/** Leads and money counted in one window. */
export interface WindowCount {
  key: string;
  count: number;
  amount: Micros;
}

/** A slot held by a run in progress, for one attempt of one lead. */
export interface Hold {
  /** Names the attempt: a late release of another run must not touch it. */
  hold_id: string;
  amount: Micros;
  /** The windows it was counted in. */
  keys: WindowKeys;
}

export interface CapState {
  day: WindowCount;
  week: WindowCount;
  month: WindowCount;
  /** Never ends; its key is `all` once something was asked of it. */
  total: WindowCount;
  held: Hold[];
}

/** Key of the window that never ends. */
const TOTAL_KEY = 'all';

/** Each window with its limits: leads and money. */
export const CAP_WINDOWS = [
  { window: 'day', cap: 'daily_cap', budget: 'daily_budget' },
  { window: 'week', cap: 'weekly_cap', budget: 'weekly_budget' },
  { window: 'month', cap: 'monthly_cap', budget: 'monthly_budget' },
  { window: 'total', cap: 'total_cap', budget: 'total_budget' },
] as const satisfies readonly {
  window: keyof Omit<CapState, 'held'>;
  cap: keyof CapLimits;
  budget: keyof CapLimits;
}[];

/** Whether anything is limited at all; without limits nothing needs to be counted. */
export const hasCaps = (limits: CapLimits): boolean =>
  CAP_WINDOWS.some(({ cap, budget }) => limits[cap] != null || limits[budget] != null);

/** Making a formatter takes a thousand times as long as using it; only so many zones are kept. */
const ZONES = new Map<string, Zone>();
const ZONES_KEPT = 100;

/**
 * The windows of an instant: days end at midnight, weeks on Monday, months on the 1st (extensions, "Campaign, links, caps").
 * @throws {RangeError} when the time zone is not an IANA name
 */
export function windowKeys(now: Date, timeZone: string): WindowKeys {
  const zone = zoneOf(timeZone);
  // Every lead of a group asks, and no window begins within a second.
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

/** Counters of a link that has not counted anything yet. */
export function emptyCapState(): CapState {
  const none: WindowCount = { key: '', count: 0, amount: 0 };
  return { day: { ...none }, week: { ...none }, month: { ...none }, total: { ...none }, held: [] };
}

/** A lead that asks for a slot. */
export interface CapCandidate {
  /** Names the attempt: a late release of another run must not touch it. */
  hold_id: string;
  amount: Micros;
  /** Windows it is counted in already (it was parked): only other windows count it anew. */
  counted?: WindowKeys | null;
}

/**
 * The model of the counters: grants slots in the order of the candidates while every window has room. A
 * candidate that already holds a slot is granted again and not counted again; one that adds nothing to a
 * window fits it, however full it is.
 *
 * Windows only roll forwards: a run whose clock (or delay over midnight) is behind is counted in the newer
 * window that is already open, because going back would forget what that window has counted. The hold names
 * the windows in which it was counted, so that a release finds them.
 */
export function grant(
  state: CapState,
  limits: CapLimits,
  keys: WindowKeys,
  candidates: readonly CapCandidate[],
): { state: CapState; granted: string[] } {
  const start = { state: rolled(state, keys), granted: [] as string[] };
  return candidates.reduce(({ state: current, granted }, candidate) => {
    const { hold_id } = candidate;
    if (current.held.some((hold) => hold.hold_id === hold_id)) {
      return { state: current, granted: [...granted, hold_id] };
    }
    if (!hasRoom(current, limits, candidate)) return { state: current, granted };
    return { state: withHold(current, candidate), granted: [...granted, hold_id] };
  }, start);
}

function rolled(state: CapState, keys: WindowKeys): CapState {
  const roll = (used: WindowCount, key: string): WindowCount =>
    key > used.key ? { key, count: 0, amount: 0 } : used;
  return {
    day: roll(state.day, keys.day),
    week: roll(state.week, keys.week),
    month: roll(state.month, keys.month),
    total: roll(state.total, TOTAL_KEY),
    held: state.held,
  };
}

type WindowName = (typeof CAP_WINDOWS)[number]['window'];

/** What a window counts when the candidate is granted. */
function after(
  state: CapState,
  window: WindowName,
  { amount, counted }: CapCandidate,
): WindowCount {
  const used = state[window];
  const before = counted && (window === 'total' ? TOTAL_KEY : counted[window]);
  if (before === used.key) return used;
  return { key: used.key, count: used.count + 1, amount: used.amount + amount };
}

const hasRoom = (state: CapState, limits: CapLimits, candidate: CapCandidate): boolean =>
  CAP_WINDOWS.every(({ window, cap, budget }) => {
    const next = after(state, window, candidate);
    if (next === state[window]) return true;
    return next.count <= (limits[cap] ?? Infinity) && next.amount <= (limits[budget] ?? Infinity);
  });

function withHold(state: CapState, candidate: CapCandidate): CapState {
  const { hold_id, amount } = candidate;
  const keys = { day: state.day.key, week: state.week.key, month: state.month.key };
  return {
    day: after(state, 'day', candidate),
    week: after(state, 'week', candidate),
    month: after(state, 'month', candidate),
    total: after(state, 'total', candidate),
    held: [...state.held, { hold_id, amount, keys }],
  };
}
