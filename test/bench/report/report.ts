/** A run as a page of Markdown. */
import { machineLine, shown, spreadOf, withUnit, type RunResult } from './result.js';
import { boundsOf } from './table.js';
import { verdicts } from './targets.js';

/** @param chart the file of the chart, as the page is to name it */
export function pageOf(result: RunResult, chart?: string): string {
  const { figures, audit, shape, taken_at } = result;
  const { seconds, rounds } = shape;
  return [
    '# Performance',
    '',
    `Measured ${taken_at.slice(0, 10)}: ${machineLine(result)}.`,
    '',
    'Repeat it with `npm run bench`. Each figure is the median of ' +
      `${rounds} repetition${rounds === 1 ? '' : 's'} in windows of ${seconds} s.`,
    '',
    ...(chart === undefined ? [] : [`![Latency against leads a second](${chart})`, '']),
    '## Targets',
    '',
    ...table(
      ['Figure', 'Measured', 'At least', 'Aim', 'Verdict'],
      verdicts(figures).map(({ target, value, verdict }) => [
        target.what,
        value === undefined ? '' : shown(value),
        ...boundsOf(target),
        verdict,
      ]),
    ),
    '',
    '## Figures',
    '',
    ...table(
      ['Name', 'Median', 'Spread', 'Note'],
      figures.map((one) => [`\`${one.name}\``, withUnit(one), spreadOf(one), one.note ?? '']),
    ),
    '',
    '## Audit',
    '',
    `${audit.passed ? 'Passed' : '**FAILED**'}: ${audit.leads.toLocaleString('en')} leads were ` +
      'acknowledged, and each was looked for in MongoDB and at the buyer.',
    `Lost: ${audit.lost}; doubled: ${audit.doubled}; over a cap: ${audit.over_cap}; otherwise than told: ` +
      `${audit.false_answers}.`,
    ...(audit.failures.length === 0 ? [] : ['', ...audit.failures.map((one) => `- ${one}`)]),
    '',
  ].join('\n');
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  line(head),
  line(head.map(() => '---')),
  ...rows.map(line),
];

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
