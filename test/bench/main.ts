/** `npm run bench`: `options.ts` lists its options. Progress goes to standard error, the table to standard output. */
import { readFile, writeFile } from 'node:fs/promises';
import { relative, dirname } from 'node:path';
import { chartOf } from './report/chart.js';
import { HELP, readOptions, type BenchRunOptions } from './options.js';
import { mergeRuns, readRun } from './report/merge.js';
import { pageOf } from './report/report.js';
import type { RunResult } from './report/result.js';
import { runBench } from './run.js';
import { tableOf } from './report/table.js';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const progress = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<number> {
  const options = read(process.argv.slice(2));
  if (typeof options === 'string') {
    progress(options);
    return 2;
  }
  if (!options) {
    say(HELP.trimEnd());
    return 0;
  }
  const result = options.merge
    ? await merged(options.merge).catch(messageOf)
    : await runBench(options, progress);
  if (typeof result === 'string') {
    progress(result);
    return 2;
  }
  await write(options, result);
  tableOf(result).forEach(say);
  return result.audit.passed ? 0 : 1;
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** The options, null for the help, or the error. */
function read(args: readonly string[]): BenchRunOptions | null | string {
  try {
    return readOptions(args);
  } catch (error) {
    return messageOf(error);
  }
}

const merged = async (files: readonly string[]): Promise<RunResult> =>
  mergeRuns(
    await Promise.all(files.map(async (file) => readRun(await readFile(file, 'utf8'), file))),
  );

async function write({ json, chart, markdown }: BenchRunOptions, result: RunResult): Promise<void> {
  if (json !== undefined) await writeFile(json, `${JSON.stringify(result, null, 2)}\n`);
  const drawn = chartOf(result.figures);
  if (chart !== undefined) {
    if (drawn === null) progress('No chart is written: it needs the part "arrivals".');
    else await writeFile(chart, drawn);
  }
  if (markdown === undefined) return;
  const beside = chart === undefined || drawn === null ? undefined : chart;
  const link = beside === undefined ? undefined : relative(dirname(markdown), beside);
  await writeFile(markdown, pageOf(result, link));
}

// An interrupted run reports nothing; its helpers end with it.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
process.exitCode = await main();
