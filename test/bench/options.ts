/** The options of `npm run bench`. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_ROLES, isRolesShape, type RolesShape } from './processNames.js';
import type { Shape } from './part.js';
import { PART_NAMES, PARTS } from './parts.js';

export interface BenchRunOptions {
  shape: Shape;
  quick: boolean;
  /** Names of parts; absent: all of a whole run. */
  only?: string[];
  /** Files that `json` wrote in whole runs: nothing is measured, and the files are merged into one. */
  merge?: string[];
  /** The entry file of another version of the service, which is measured instead of this one. */
  service?: string;
  /** The folder for flame graphs. */
  flames?: string;
  /** Files for the figures, the chart and the page. */
  json?: string;
  chart?: string;
  markdown?: string;
}

const FULL: Shape = { seconds: 6, rounds: 3 };
const QUICK: Shape = { seconds: 3, rounds: 1 };

const named = PART_NAMES.filter((name) =>
  PARTS.every((part) => part.name !== name || part.runs === 'named'),
);

export const HELP = `npm run bench -- [options]

Starts MongoDB, Temporal and the service as processes of their own, puts load on them, and says how fast they are
beside an empty workflow per request, a workflow per lead and plain Koa on the same servers. Every acknowledged lead
is looked for afterwards: a run that lost or doubled one prints FAILED, and its exit code is 1.

  --quick          one repetition of ${QUICK.seconds} s windows, without growth and memory: 4 minutes at most
  --only LIST      only these parts, with commas between: ${PART_NAMES.join(', ')};
                   ${named.join(', ')} run only when they are named
  --seconds S      length of a window (${FULL.seconds})
  --rounds N       repetitions of each window (${FULL.rounds})
  --roles SHAPE    one: one process does everything (default); together: one serves requests and decides leads,
                   another delivers; apart: a process for each
  --service FILE   measures another version: its dist/src/main.js, with the load and the audit of this one
  --merge LIST     measures nothing: medians, verdicts, chart and page of the runs in these files of --json, with
                   commas between; a verdict is that of three whole runs
  --leads N        leads stored for the parts portal and screens (1000000)
  --flames DIR     draws where the service's processes spend their CPU time, as SVG; profiling lowers the figures
  --json FILE      writes machine, versions, figures and audit
  --chart FILE     draws latency against rate, as SVG
  --markdown FILE  writes the run as a page
  --help           says this
`;

/**
 * @returns null when `--help` was given
 * @throws {Error} that names the option, the rule and a correct value
 */
export function readOptions(args: readonly string[]): BenchRunOptions | null {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: flag,
      help: flag,
      only: text,
      seconds: text,
      rounds: text,
      leads: text,
      roles: text,
      merge: text,
      service: text,
      flames: text,
      json: text,
      chart: text,
      markdown: text,
    },
  });
  if (values.help) return null;
  const { quick, flames, service, json, chart, markdown } = values;
  const usual = quick ? QUICK : FULL;
  const leads = count('leads', values.leads, 1_000, 10_000_000);
  return {
    shape: {
      seconds: count('seconds', values.seconds, 1, 600) ?? usual.seconds,
      rounds: count('rounds', values.rounds, 1, 100) ?? usual.rounds,
      ...(leads === undefined ? {} : { leads }),
      roles: values.roles === undefined ? DEFAULT_ROLES : readRoles(values.roles),
    },
    quick,
    ...(values.only === undefined ? {} : { only: values.only.split(',').map(readPart) }),
    ...(values.merge === undefined ? {} : { merge: readFiles(values.merge) }),
    ...(service === undefined ? {} : { service: resolve(service) }),
    ...(flames === undefined ? {} : { flames: readFolder(flames) }),
    ...(json === undefined ? {} : { json }),
    ...(chart === undefined ? {} : { chart }),
    ...(markdown === undefined ? {} : { markdown }),
  };
}

function readRoles(text: string): RolesShape {
  if (isRolesShape(text)) return text;
  throw new Error(`--roles must be one, together or apart, not "${text}".`);
}

function readFolder(text: string): string {
  if (text.trim() !== '') return text;
  throw new Error('--flames must name a folder, such as flames.');
}

function readFiles(text: string): string[] {
  const files = text.split(',').map((file) => file.trim());
  if (files.length > 1 && files.every((file) => file !== '')) return files;
  throw new Error(`--merge must name two files or more, with commas between, not "${text}".`);
}

function readPart(text: string): string {
  const name = text.trim();
  if (PART_NAMES.includes(name)) return name;
  throw new Error(`--only may name ${PART_NAMES.join(', ')}, not "${text}".`);
}

function count(name: string, text: string | undefined, from: number, to: number) {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value >= from && value <= to) return value;
  throw new Error(`--${name} must be a whole number from ${from} to ${to}, not "${text}".`);
}
