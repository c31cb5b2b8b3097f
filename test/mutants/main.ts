/**
 * `npm run test:mutants [-- pattern …]`: breaks the pure rules in every small way, and tells which breaks no pure test
 * notices. Ends with status 1 if fewer than 85 % are noticed.
 */
import { globSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import type { MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core';
import { ACCEPTED } from './accepted.js';
import { findPureTests } from './pureTests.js';
import { reportOn, type Tried } from './report.js';
import type { TestsOfSource } from './runner.js';
import { sourcesNamed } from './scope.js';

const ROOT = join(import.meta.dirname, '../../..');
const DIST = join(ROOT, 'dist');
/** The lowest score, in percent. */
const ENOUGH = 85;
const WORKERS = Number(process.env.MUTANT_WORKERS ?? 2);

interface Levels {
  levelOf: (path: string) => string | undefined;
}

async function main(patterns: readonly string[]): Promise<void> {
  process.chdir(ROOT);
  const sources = sourcesNamed(ROOT, patterns).map((path) => path.replace(/\.ts$/, '.js'));
  if (sources.length === 0) throw new Error(`No source fits ${patterns.join(' ')}.`);
  const results = await new Stryker(optionsFor(await testsOf(sources))).runMutationTest();
  const { text, score, open } = reportOn(results.flatMap(triedOf), ACCEPTED);
  process.stdout.write(
    `${text}\n\n${score.toFixed(1)} % of the mutants killed, ${String(open)} survivors without a reason\n`,
  );
  if (score < ENOUGH) process.exitCode = 1;
}

/** The tests that load each source: first the one of its name, then those of its folder. */
async function testsOf(sources: readonly string[]): Promise<TestsOfSource> {
  const { levelOf } = (await import(join(ROOT, '.ci/levels.mjs'))) as Levels;
  const tests = globSync('test/**/*.test.js', { cwd: DIST }).filter(
    // The commands are no rules, and load everything.
    (path) => levelOf(relative('test', path)) === 'main' && !path.startsWith('test/cli/'),
  );
  const loads = findPureTests(DIST, tests);
  const near = (source: string, test: string): number => {
    const mirror = source.replace(/^src/, 'test');
    if (test === mirror.replace(/\.js$/, '.test.js')) return 0;
    return dirname(test) === dirname(mirror) ? 1 : 2;
  };
  const pairs = sources.map((source) => {
    const loading = [...loads].filter(([, loaded]) => loaded.has(source)).map(([test]) => test);
    return [source, loading.toSorted((a, b) => near(source, a) - near(source, b))] as const;
  });
  return Object.fromEntries(pairs);
}

function optionsFor(tests: TestsOfSource): PartialStrykerOptions {
  return {
    mutate: Object.keys(tests).map((source) => `dist/${source}`),
    testRunner: 'compiled',
    plugins: [join(import.meta.dirname, 'runner.js')],
    testsOf: tests,
    coverageAnalysis: 'perTest',
    concurrency: WORKERS,
    // A machine that is busy is not an endless loop.
    timeoutMS: 30_000,
    timeoutFactor: 3,
    reporters: ['progress'],
    warnings: false,
    tempDirName: 'dist/mutants',
    cleanTempDir: 'always',
    ignorePatterns: ['**', '!package.json', '!dist', '!dist/src/**/*.js', '!dist/test/**/*.js'],
  };
}

const STATUS: Partial<Record<MutantResult['status'], Tried['status']>> = {
  Killed: 'killed',
  Timeout: 'endless',
  Survived: 'survived',
  NoCoverage: 'unreached',
};

function triedOf({ fileName, location, replacement, status }: MutantResult): Tried[] {
  const known = STATUS[status];
  if (!known) return [];
  const compiled = resolve(ROOT, fileName);
  const { start, end } = location;
  const map = JSON.parse(readFileSync(`${compiled}.map`, 'utf8')) as SourceMapPayload;
  const origin = new SourceMap(map).findEntry(start.line - 1, start.column - 1);
  return [
    {
      file: relative(DIST, compiled).replace(/\.js$/, '.ts'),
      line: 'originalLine' in origin ? origin.originalLine + 1 : start.line,
      original: textBetween(readFileSync(compiled, 'utf8'), start, end),
      replacement,
      status: known,
    },
  ];
}

type Place = MutantResult['location']['start'];

/** Lines and columns count from 1. */
function textBetween(text: string, start: Place, end: Place): string {
  const lines = text.split('\n').slice(start.line - 1, end.line);
  lines.push((lines.pop() ?? '').slice(0, end.column - 1));
  lines[0] = lines[0]?.slice(start.column - 1) ?? '';
  return lines.join('\n');
}

await main(process.argv.slice(2));
