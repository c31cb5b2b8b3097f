/** A run as a table for the terminal. */
import { auditLines } from '../audit/audit.js';
import { coresRows, isCoresName, SHARES } from './cores.js';
import { machineLine, runsOf, shown, spreadOf, withUnit, type RunResult } from './result.js';
import { verdicts, type Target } from './targets.js';

export function tableOf(result: RunResult): string[] {
  const { figures, audit, runs } = result;
  const cores = coresRows(figures);
  return [
    machineLine(result),
    ...(runs ? ['', `Medians of ${runs.length} runs:`] : []),
    '',
    ...columns([
      ['figure', 'median', runs ? 'each run' : 'spread', ''],
      ...figures
        .filter(({ name }) => !isCoresName(name))
        .map((one) => [
          one.name,
          withUnit(one),
          one.runs ? runsOf(one.runs) : spreadOf(one),
          one.note ?? '',
        ]),
    ]),
    '',
    ...(cores.length === 0
      ? []
      : [
          ...columns([
            ['busy cores at saturation', ...SHARES],
            ...cores.map(({ contender, shares }) => [contender, ...shares.map(coresShown)]),
          ]),
          '',
        ]),
    ...columns([
      ['target', 'measured', ...(runs ? ['each run'] : []), 'at least', 'aim', 'verdict'],
      ...verdicts(result).map(({ target, value, runs: each, verdict }) => [
        target.what,
        value === undefined ? '-' : shown(value),
        ...(runs ? [runsOf(each)] : []),
        ...boundsOf(target),
        verdict,
      ]),
    ]),
    '',
    ...auditLines(audit),
  ];
}

/** Cores rounded to a hundredth: a window of some seconds is no more precise. */
export const coresShown = (value: number | null): string => value?.toFixed(2) ?? '-';

/** The requirement of a target, in words. */
export function boundsOf({ good, least, aim, aimToo }: Target): [least: string, aim: string] {
  const sign = good === 'more' ? '≥' : '≤';
  const too = aimToo ? `, and ${shown(aimToo.most)} ms` : '';
  return [`${sign} ${shown(least)}`, `${sign} ${shown(aim)}${too}`];
}

/** Each column as wide as its widest cell. */
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
