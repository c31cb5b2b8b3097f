/** Terms in words: prices, caps, states and filters; current ones, and changes as a table. */
import type { ReactNode } from 'react';
import { CAP_WINDOWS, eachLimit } from '../../../../account/rules/capLimits.js';
import { filterLines } from '../../lib/filterWords.js';
import { useFormats, type Formats } from '../../lib/format.js';
import { TERMS } from '../../lib/terms.js';
import { Table, Written } from '../../ui/index.js';
import type { Change } from '../calls.js';

/** The days that `daily_caps` may name. */
export const DAYS = [
  { day: 'mon', name: 'Monday' },
  { day: 'tue', name: 'Tuesday' },
  { day: 'wed', name: 'Wednesday' },
  { day: 'thu', name: 'Thursday' },
  { day: 'fri', name: 'Friday' },
  { day: 'sat', name: 'Saturday' },
  { day: 'sun', name: 'Sunday' },
] as const;

const NAMES: Record<string, string> = {
  ...Object.fromEntries(TERMS.map(({ name, label }) => [name, label])),
  ...eachLimit('cap', ({ span }) => `Cap ${span}`),
  daily_caps: 'Caps by weekday',
  ...eachLimit('budget', ({ span }) => `Budget ${span}`),
};

/** The name of a term; one of caps may be named below `caps`. */
export const termName = (name: string): string => NAMES[name.replace(/^caps\./, '')] ?? name;

/** The value of the term of that name. */
export function Shown({ name, value }: { name: string; value: unknown }): ReactNode {
  const formats = useFormats();
  const lines = linesOf(name.replace(/^caps\./, ''), value, formats);
  if (lines.length === 1) return <Written>{lines[0] ?? ''}</Written>;
  return (
    <ul className="plain">
      {lines.map((line, n) => (
        <li key={`${n} ${line}`} className="indented">
          <Written>{line}</Written>
        </li>
      ))}
    </ul>
  );
}

interface ChangeTableProps extends Pick<Change, 'changes'> {
  /** Names the request, where a page has several. */
  of?: string;
}

/** The differences: the present terms and the requested ones. */
export function ChangeTable({ changes, of }: ChangeTableProps): ReactNode {
  return (
    <Table
      caption={of === undefined ? 'Before and after' : `Before and after, ${of}`}
      rows={changes}
      rowKey={({ name }) => name}
      empty={<p className="muted">No changes.</p>}
      columns={[
        { header: 'Term', cell: ({ name }) => termName(name) },
        { header: 'Before', cell: ({ name, before }) => <Shown name={name} value={before} /> },
        { header: 'After', cell: ({ name, after }) => <Shown name={name} value={after} /> },
      ]}
    />
  );
}

function linesOf(name: string, value: unknown, formats: Formats): string[] {
  if (name === 'caps') return capLines(value, formats);
  if (name === 'daily_caps') return orNone(dayLines(value, formats.number));
  if (name === 'filters') return filterLines(value);
  const { unit, empty = 'none' } = TERMS.find((one) => one.name === name) ?? {};
  if (value == null || (Array.isArray(value) && value.length === 0)) return [empty];
  if (typeof value !== 'number') return [wordsOf(value)];
  if (unit === 'money' || name.endsWith('_budget')) return [formats.money(value)];
  const amount = formats.number(value);
  if (unit === undefined) return [amount];
  return [unit === 'percent' ? `${amount}%` : `${amount} ${unit}`];
}

function capLines(value: unknown, { money, number }: Formats): string[] {
  const limits = isRecord(value) ? value : {};
  const line = (limit: unknown, say: (amount: number) => string): string[] =>
    typeof limit === 'number' ? [say(limit)] : [];
  const lines = CAP_WINDOWS.flatMap(({ cap, budget, span }) => [
    ...line(limits[cap], (leads) => `${number(leads)} leads ${span}`),
    ...line(limits[budget], (amount) => `${money(amount)} ${span}`),
  ]);
  return orNone([...lines, ...dayLines(limits.daily_caps, number)]);
}

const orNone = (lines: string[]): string[] => (lines.length === 0 ? ['none'] : lines);

/** A line for each day that has a cap. */
const dayLines = (value: unknown, number: Formats['number']): string[] =>
  DAYS.flatMap(({ day, name }) => {
    const leads = isRecord(value) ? value[day] : null;
    return typeof leads === 'number' ? [`${number(leads)} leads on ${name}s`] : [];
  });

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
