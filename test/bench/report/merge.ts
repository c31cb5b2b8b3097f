/** Merges several whole runs: each figure is the median of the runs, and the value of every run is kept. */
import { z } from 'zod';
import type { RunAudit } from '../audit/audit.js';
import { FIGURE_NAMES, figuresOf, medianOf, type Figure } from './figures.js';
import type { RunResult } from './result.js';

/** The minimum that makes a file a run; its figures are checked by name as they are read. */
const RUN = z.looseObject({
  machine: z.looseObject({ cores: z.number() }),
  versions: z.looseObject({ leadwire: z.string() }),
  taken_at: z.string(),
  shape: z.looseObject({ seconds: z.number(), rounds: z.number() }),
  figures: z.array(z.looseObject({ name: z.string(), value: z.number() })),
  audit: z.looseObject({ passed: z.boolean(), leads: z.number(), refused_sold: z.number() }),
});

/**
 * @param text a file that `--json` wrote
 * @throws {Error} that names the file, when it is not a run
 */
export function readRun(text: string, file: string): RunResult {
  const parsed = RUN.safeParse(parseJson(text));
  if (!parsed.success) throw new Error(`${file} is not a run that --json wrote.`);
  return parsed.data as unknown as RunResult;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The runs in the order of their times. Machine, versions and shape are those of the first.
 * @throws {Error} without runs, and when one has other code, another machine or another shape than the first
 */
export function mergeRuns(given: readonly RunResult[]): RunResult {
  // An already merged result counts as its single runs.
  const runs = given
    .flatMap((run) => run.runs ?? [run])
    .toSorted((a, b) => a.taken_at.localeCompare(b.taken_at));
  const [first] = runs;
  if (!first) throw new Error('There are no runs to merge.');
  for (const key of ['machine', 'versions', 'shape'] as const)
    if (runs.some((run) => JSON.stringify(run[key]) !== JSON.stringify(first[key])))
      throw new Error(`The runs differ in "${key}": only runs of the same kind can be merged.`);
  const { machine, versions, shape, taken_at } = first;
  return {
    machine,
    versions,
    shape,
    taken_at,
    figures: FIGURE_NAMES.flatMap((name) => mergedFigure(name, runs)),
    audit: mergedAudit(runs.map(({ audit }) => audit)),
    runs,
  };
}

/** The spread is that of the runs, and the note is from the median run. */
function mergedFigure(name: Figure['name'], runs: readonly RunResult[]): Figure[] {
  const each = runs.map(({ figures }) => figures.find((one) => one.name === name));
  const measured = each.flatMap((one) => one ?? []);
  const values = measured.map(({ value }) => value);
  const { value: middle } = medianOf(values);
  const [nearest] = measured.toSorted(
    (a, b) => Math.abs(a.value - middle) - Math.abs(b.value - middle),
  );
  return figuresOf(name, values, nearest?.note).map((figure) => ({
    ...figure,
    runs: each.map((one) => one?.value ?? null),
  }));
}

/** All failures of any of them. */
function mergedAudit(audits: readonly RunAudit[]): RunAudit {
  const sum = (key: Counted): number => audits.reduce((total, audit) => total + audit[key], 0);
  return {
    passed: audits.every(({ passed }) => passed),
    leads: sum('leads'),
    lost: sum('lost'),
    doubled: sum('doubled'),
    over_cap: sum('over_cap'),
    false_answers: sum('false_answers'),
    refused: sum('refused'),
    refused_sold: sum('refused_sold'),
    examples: audits.flatMap(({ examples }) => examples),
    failures: audits.flatMap(({ failures }) => failures),
  };
}

type Counted = {
  [K in keyof RunAudit]: RunAudit[K] extends number ? K : never;
}[keyof RunAudit];
