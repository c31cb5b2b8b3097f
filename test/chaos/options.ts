/** The options of `npm run chaos`. */
import { parseArgs } from 'node:util';
import type { LayoutName } from './cluster/layouts.js';
import { FAULT_KINDS, type FaultKind } from './faults/faultSchedule.js';
import { newSeed, readCount, readLayout, ROLES_HELP } from './readOption.js';
import { SCENARIO_NAMES, type ScenarioName } from './scenarios/names.js';

export interface ChaosOptions {
  /** Processes to kill. */
  kills: number;
  /** How long faults go on. */
  seconds: number;
  /** Leads posted per second. */
  rate: number;
  seed: string;
  /** How the roles are spread over processes. */
  layout: LayoutName;
  /** Default: all kinds of faults. */
  kinds?: FaultKind[];
  /** By name; default: all campaigns. */
  campaigns?: string[];
  /** File for all findings. */
  json?: string;
  /** Name of a mutant; `all`, or several separated by commas, run one after the other. */
  planted?: string;
  /** Runs the scenarios of mutants without the bugs: the checker must find nothing. */
  control: boolean;
  /** A measured scenario in place of a run full of faults. */
  scenario?: ScenarioChoice;
  /** Keep the folder of the run even when there is no violation. */
  keep: boolean;
}

/** Absent options take the scenario's defaults. */
export interface ScenarioChoice {
  name: ScenarioName | 'all';
  seconds?: number;
  rate?: number;
  minutes?: number;
  leads?: number;
}

const KILLS = 200;
const RATE = 100;
/** Default: one kill every this many seconds. */
const SPACING_S = 3.5;

export const HELP = `npm run chaos -- [options]

Starts the real stack with its roles as processes of their own, posts leads, breaks everything there is
to break, and judges the outcome by the suppliers' history, the buyers' journal and the record. Its last
line counts what must not be; the exit code is 0 only if all of it is 0.

  --kills N      processes to kill (${KILLS})
  --seconds S    how long faults go on (${SPACING_S} a kill)
  --rate R       leads posted a second (${RATE})
  --seed X       of the faults, the load and the buyers' whims (a new one each time)
  --roles HOW    ${ROLES_HELP}
  --faults LIST  only these, with commas between: ${FAULT_KINDS.join(', ')}
  --campaigns L  only these of test/chaos/load/campaigns.ts, with commas between
  --json FILE    writes options, faults, counts, violations and rare states
  --planted BUG  runs with a planted bug, to see it caught; "all", or several with commas between, tries each in
                 a scenario of its own and prints a table
  --control      with --planted: the scenarios of these bugs without the bugs; nothing may be found
  --scenario S   measures one of ${SCENARIO_NAMES.join(', ')}, or "all" of them; with
                 it --seconds is the length of its phases, --rate its leads a second (50; of each buyer's),
                 --minutes M that of "healthy" (5), --leads N how many "parked" parks (100000)
  --keep         keeps the folder of the run, which a failed run does anyway
  --help         says this
`;

/**
 * @returns null when `--help` was given
 * @throws {Error} that names the option, the rule and a correct value
 */
export function readOptions(args: readonly string[]): ChaosOptions | null {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      kills: text,
      seconds: text,
      rate: text,
      seed: text,
      roles: text,
      json: text,
      planted: text,
      faults: text,
      campaigns: text,
      scenario: text,
      minutes: text,
      leads: text,
      keep: flag,
      control: flag,
      help: flag,
    },
  });
  if (values.help) return null;
  const seconds = readCount('seconds', values.seconds, 5, 86_400);
  const rate = readCount('rate', values.rate, 1, 10_000);
  const kills =
    readCount('kills', values.kills, 0, 100_000) ??
    (seconds === undefined ? KILLS : Math.round(seconds / SPACING_S));
  return {
    kills,
    seconds: seconds ?? Math.max(10, Math.round(kills * SPACING_S)),
    rate: rate ?? RATE,
    seed: values.seed ?? newSeed(),
    layout: readLayout(values.roles),
    kinds: values.faults?.split(',').map(readKind),
    campaigns: values.campaigns?.split(','),
    json: values.json,
    planted: values.planted,
    control: readControl(values),
    scenario: readScenario(values, seconds, rate),
    keep: values.keep,
  };
}

function readControl({ control, planted }: { control: boolean; planted?: string }): boolean {
  if (!control || planted !== undefined) return control;
  throw new Error('--control needs --planted: the bugs whose scenarios are run, or all.');
}

function readKind(text: string): FaultKind {
  const kind = FAULT_KINDS.find((one) => one === text.trim());
  if (kind) return kind;
  throw new Error(`--faults may name ${FAULT_KINDS.join(', ')}, not "${text}".`);
}

function readScenario(
  { scenario, minutes, leads }: Partial<Record<'scenario' | 'minutes' | 'leads', string>>,
  seconds: number | undefined,
  rate: number | undefined,
): ScenarioChoice | undefined {
  if (scenario === undefined) return undefined;
  const name = [...SCENARIO_NAMES, 'all' as const].find((one) => one === scenario);
  if (!name) {
    throw new Error(`--scenario may be ${SCENARIO_NAMES.join(', ')} or all, not "${scenario}".`);
  }
  return {
    name,
    seconds,
    rate,
    minutes: readCount('minutes', minutes, 1, 10_000),
    leads: readCount('leads', leads, 1, 1_000_000),
  };
}
