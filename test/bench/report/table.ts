/** A run as a terminal shows it. */
import { auditLines } from '../audit/audit.js';
import { machineLine, shown, spreadOf, withUnit, type RunResult } from './result.js';
import { verdicts, type Target } from './targets.js';

export function tableOf(result: RunResult): string[] {
  const { figures, audit } = result;
  return [
    machineLine(result),
    '',
    ...columns([
      ['figure', 'median', 'spread', ''],
      ...figures.map((one) => [one.name, withUnit(one), spreadOf(one), one.note ?? '']),
    ]),
    '',
    ...columns([
      ['target', 'measured', 'at least', 'aim', 'verdict'],
      ...verdicts(figures).map(({ target, value, verdict }) => [
        target.what,
        value === undefined ? '-' : shown(value),
        ...boundsOf(target),
        verdict,
      ]),
    ]),
    '',
    ...auditLines(audit),
  ];
}

/** What a target asks for, in words. */
export function boundsOf({ good, least, aim, aimToo }: Target): [least: string, aim: string] {
  const sign = good === 'more' ? '≥' : '≤';
  const too = aimToo ? `, and ${shown(aimToo.most)} ms` : '';
  return [`${sign} ${shown(least)}`, `${sign} ${shown(aim)}${too}`];
}

/** Each as wide as its widest cell. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, n) => (widths[n] = Math.max(widths[n] ?? 0, cell.length)));
  return rows.map((row) =>
    row
      .map((cell, n) => cell.padEnd(widths[n] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
