/** Opening hours as a person writes them into a cell: "Mon–Fri 09:00–17:00, Sat 10:00–14:00". */
import type { Reading } from '../../ui/grid/cells.js';

export interface HoursWindow {
  days: string[];
  from: string;
  to: string;
}

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const EXAMPLE = 'Write days and hours, such as Mon–Fri 09:00–17:00; leave it empty for always.';

const named = (day: string): string => `${day.charAt(0).toUpperCase()}${day.slice(1)}`;

/** @param value null: always open */
export function writeHours(value: unknown): string {
  if (!Array.isArray(value)) return '';
  return (value as HoursWindow[])
    .map(({ days, from, to }) => `${writeDays(days)} ${from}–${to}`)
    .join(', ');
}

/** Days in a row are a span from three on. */
function writeDays(days: readonly string[]): string {
  if (days.length === DAYS.length) return 'Daily';
  const spans: string[][] = [];
  for (const day of DAYS.filter((one) => days.includes(one))) {
    const last = spans.at(-1);
    if (last && DAYS.indexOf(last.at(-1) ?? '') === DAYS.indexOf(day) - 1) last.push(day);
    else spans.push([day]);
  }
  return spans.map(writeSpan).join(' ');
}

const writeSpan = (span: readonly string[]): string => {
  const [first = '', last = ''] = [span[0], span.at(-1)];
  return span.length > 2 ? `${named(first)}–${named(last)}` : span.map(named).join(' ');
};

/** The hours at the end of a part; what stands before them are its days. */
const HOURS =
  /^(?<days>.*?)\s*(?<from>\d{1,2}(?::\d{2})?)\s*(?:-|–|—|to)\s*(?<to>\d{1,2}(?::\d{2})?)$/i;

/** @returns the value that actions take */
export function readHours(text: string): Reading {
  const parts = text.split(/[,;\n]+/).flatMap((part) => part.trim() || []);
  if (parts.length === 0) return { value: null };
  const windows: HoursWindow[] = [];
  for (const part of parts) {
    const window = readWindow(part);
    if (!window) return { fault: `“${part.slice(0, 40)}” is not understood. ${EXAMPLE}` };
    windows.push(window);
  }
  return { value: windows };
}

function readWindow(part: string): HoursWindow | null {
  const found = HOURS.exec(part)?.groups;
  if (!found) return null;
  const { days: written = '', from = '', to = '' } = found;
  const days = readDays(written.trim().toLowerCase());
  const hours = [readTime(from), readTime(to)];
  const [opens, closes] = hours;
  if (!days || !opens || !closes || opens === '24:00') return null;
  return { days, from: opens, to: closes };
}

function readTime(text: string): string | null {
  const [hour = '', minute = '00'] = text.split(':');
  const time = `${hour.padStart(2, '0')}:${minute}`;
  return /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/.test(time) ? time : null;
}

const EVERY_DAY = ['', 'daily', 'every day'];

function readDays(text: string): string[] | null {
  if (EVERY_DAY.includes(text)) return [...DAYS];
  const found = new Set<string>();
  for (const span of text.replace(/\s*(?:-|–|—|\bto\b)\s*/g, '–').split(/[\s/+&]+/)) {
    const [first = -1, last = first] = span.split('–').map(dayAt);
    if (first < 0 || last < 0) return null;
    for (let day = first; ; day = (day + 1) % DAYS.length) {
      found.add(DAYS[day] ?? '');
      if (day === last) break;
    }
  }
  return DAYS.filter((day) => found.has(day));
}

/** Its place in the week, from the first three letters on; -1: it is no day. */
const dayAt = (word: string): number =>
  word.length < 2 ? -1 : DAYS.findIndex((day) => FULL.get(day)?.startsWith(word));

const FULL = new Map(
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((name) => [
    name.slice(0, 3),
    name,
  ]),
);
