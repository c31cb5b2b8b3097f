/** `npm run chaos`: `options.ts` lists its options. Progress goes to standard error. */
import { writeFile } from 'node:fs/promises';
import { readConfig } from '../../src/app/config.js';
import { createTerminalReporter } from '../../src/embedded/terminalReporter.js';
import { HELP, readOptions, type ChaosOptions } from './options.js';
import { describeRun, faultsOf, lastLine, loadOf } from './report/report.js';
import { runChaos, type RunOptions, type RunResult } from './run.js';
import { runScenarios } from './scenarios/runScenarios.js';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const progress = (line: string): void => void process.stderr.write(`  ${line}\n`);

async function main(): Promise<number> {
  const options = read(process.argv.slice(2));
  if (typeof options === 'string') {
    process.stderr.write(`${options}\n`);
    return 2;
  }
  if (!options) {
    say(HELP.trimEnd());
    return 0;
  }
  const common = {
    cacheDir: readConfig(process.env).cacheDir,
    reporter: createTerminalReporter(),
    layout: options.layout,
    say: progress,
  };
  const { planted, control: harmless } = options;
  if (planted !== undefined && (planted === 'all' || planted.includes(',') || harmless)) {
    const { runMutants } = await import('./mutants/runMutants.js');
    const names = planted === 'all' ? undefined : planted.split(',');
    return runMutants({ ...common, names, harmless }, say);
  }
  if (options.scenario) {
    const { name, ...choice } = options.scenario;
    const verdicts = await runScenarios(name, { ...common, ...choice, seed: options.seed }, say);
    const report = { seed: options.seed, options: options.scenario, verdicts };
    if (options.json) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
    return verdicts.every(({ failures }) => failures.length === 0) ? 0 : 1;
  }
  return judge(options, await runChaos({ ...options, ...common } satisfies RunOptions));
}

/** The options, null for the help, or the error. */
function read(args: readonly string[]): ChaosOptions | null | string {
  try {
    return readOptions(args);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function judge(options: ChaosOptions, result: RunResult): Promise<number> {
  describeRun(result).forEach(say);
  if (options.json) await writeFile(options.json, `${asJson(options, result)}\n`);
  say(lastLine(result));
  return result.violations.length === 0 ? 0 : 1;
}

function asJson(options: ChaosOptions, result: RunResult): string {
  const { evidence, violations, kills, unsettled, processes, folder } = result;
  const { leads, reconciled } = evidence.record;
  const of = (kind: string) => evidence.history.filter((event) => event.kind === kind);
  const report = {
    options,
    kills,
    violations,
    unsettled,
    processes,
    reconciled,
    folder,
    totals: lastLine(result),
    load: loadOf(evidence, result.postedFor),
    faults: faultsOf(evidence),
    states: of('seen'),
    held: leads.filter(({ status }) => status === 'PENDING').map(({ _id }) => _id),
    timeline: of('fault'),
  };
  return JSON.stringify(report, null, 2);
}

/** A process that a cluster leaves behind must not keep the verdict from the caller. */
const end = (code: number): void => void process.stdout.write('', () => process.exit(code));

main().then(end, (error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  end(1);
});
