/** A run as a page of Markdown. */
import type { RolesShape } from '../processNames.js';
import { coresRows, isCoresName, SHARES, type Contender } from './cores.js';
import { machineLine, runsOf, shown, spreadOf, withUnit, type RunResult } from './result.js';
import { boundsOf, coresShown } from './table.js';
import { verdicts } from './targets.js';

/** @param chart the file name of the chart for the page */
export function pageOf(result: RunResult, chart?: string): string {
  return [
    '# Performance',
    '',
    `Measured ${daysOf(result)}: ${machineLine(result)}.`,
    '',
    `Repeat it with \`npm run bench\`. ${howMade(result)} ${SHAPES[result.shape.roles ?? 'together']}`,
    '',
    ...(chart === undefined ? [] : [`![Latency against leads a second](${chart})`, '']),
    ...targetSection(result),
    ...figureSection(result),
    ...coresSection(result),
    ...auditSection(result),
  ].join('\n');
}

const SHAPES: Record<RolesShape, string> = {
  one: 'One process of the service does everything: it takes requests, decides leads and delivers.',
  together: 'One process of the service takes requests and decides leads, and one delivers.',
  apart: 'The service has a process for requests, one that decides leads, and one that delivers.',
};

function daysOf({ taken_at, runs = [] }: RunResult): string {
  const days = [taken_at, ...runs.map((run) => run.taken_at)].map((at) => at.slice(0, 10)).sort();
  const [first = '', last = ''] = [days[0], days.at(-1)];
  return first === last ? first : `${first} to ${last}`;
}

function howMade({ shape: { seconds, rounds }, runs }: RunResult): string {
  const repetitions = `${rounds} repetition${rounds === 1 ? '' : 's'} in windows of ${seconds} s`;
  return runs
    ? `Each figure is the median of ${runs.length} whole runs, and a run's is the median of ${repetitions}. A ratio ` +
        'is the median of the ratios of single runs.'
    : `Each figure is the median of ${repetitions}.`;
}

const targetSection = (result: RunResult): string[] => [
  '## Targets',
  '',
  ...table(
    ['Figure', 'Measured', ...(result.runs ? ['Each run'] : []), 'At least', 'Aim', 'Verdict'],
    verdicts(result)
      // Parts that run only when named have their targets only where they ran.
      .filter(({ value }) => value !== undefined)
      .map(({ target, value, runs, verdict }) => [
        target.what,
        value === undefined ? '' : shown(value),
        ...(result.runs ? [runsOf(runs)] : []),
        ...boundsOf(target),
        verdict,
      ]),
  ),
  '',
];

const figureSection = ({ figures, runs }: RunResult): string[] => [
  '## Figures',
  '',
  ...table(
    ['Name', 'Median', runs ? 'Each run' : 'Spread', 'Note'],
    figures
      .filter(({ name }) => !isCoresName(name))
      .map((one) => [
        `\`${one.name}\``,
        withUnit(one),
        one.runs ? runsOf(one.runs) : spreadOf(one),
        one.note ?? '',
      ]),
  ),
  '',
];

const CONTENDER_NAMES: Record<Contender, string> = {
  leads: 'the service, 256 open',
  empty_workflow: 'empty workflows',
  workflow_per_lead: 'one workflow per lead',
  plain_koa: 'plain Koa and MongoDB',
};

function coresSection({ figures, machine }: RunResult): string[] {
  const rows = coresRows(figures);
  if (rows.length === 0) return [];
  return [
    '## The processors at saturation',
    '',
    `Busy cores of ${machine.cores}, on average over each window. \`own\`: the processes of the service or the ` +
      'reference; `load`: the process that sends the requests, in a process group of its own; `other`: the system ' +
      'and programs that are not named.',
    '',
    ...table(
      ['Measured', ...SHARES],
      rows.map(({ contender, shares }) => [CONTENDER_NAMES[contender], ...shares.map(coresShown)]),
    ),
    '',
  ];
}

const auditSection = ({ audit }: RunResult): string[] => [
  '## Audit',
  '',
  `${audit.passed ? 'Passed' : '**FAILED**'}: ${audit.leads.toLocaleString('en')} leads were ` +
    'acknowledged, and each was looked for in MongoDB and at the buyer.',
  `Lost: ${audit.lost}; doubled: ${audit.doubled}; over a cap: ${audit.over_cap}; otherwise than told: ` +
    `${audit.false_answers}; refused (${audit.refused.toLocaleString('en')}) and yet sold: ${audit.refused_sold}.`,
  ...(audit.failures.length === 0 ? [] : ['', ...audit.failures.map((one) => `- ${one}`)]),
  '',
];

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  line(head),
  line(head.map(() => '---')),
  ...rows.map(line),
];

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
