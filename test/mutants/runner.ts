/** The plugin by which Stryker runs the compiled tests (docs/decisions/mutation-testing.md). */
import { join, relative } from 'node:path';
import {
  INSTRUMENTER_CONSTANTS,
  type InstrumenterContext,
  type StrykerOptions,
} from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  MutantRunStatus,
  TestStatus,
  type DryRunResult,
  type MutantRunOptions,
  type MutantRunResult,
  type TestRunner,
  type TestRunnerCapabilities,
} from '@stryker-mutator/api/test-runner';
import { CompiledTests, type RunTest } from './compiledTests.js';

/** The tests of each compiled source, those that are nearest to it first; paths are relative to `dist`. */
export type TestsOfSource = Record<string, readonly string[]>;

const FOLDER = 'dist';
/**
 * An endless loop is one that passes the break ten times as often as the unbroken code. Stryker allows a hundred times, for
 * properties that look for their smallest counterexample: ours end with the first.
 */
const HIT_LIMIT_DIVISOR = 10;

/** Stryker starts it in the folder of its copy of the project. */
class CompiledTestsRunner implements TestRunner {
  static readonly inject = tokens(commonTokens.options);
  private readonly folder = join(process.cwd(), FOLDER);
  private readonly testsOf: TestsOfSource;
  private readonly context: InstrumenterContext;
  private tests: CompiledTests | undefined;

  constructor(options: StrykerOptions) {
    this.testsOf = options.testsOf as TestsOfSource;
    const globals = globalThis as unknown as Record<string, InstrumenterContext | undefined>;
    this.context = globals[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {};
  }

  capabilities(): TestRunnerCapabilities {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    this.tests = await CompiledTests.prepare(this.folder);
  }

  /** Every test, with what each reaches of the sources. */
  async dryRun(): Promise<DryRunResult> {
    const ran: RunTest[] = [];
    try {
      for (const file of new Set(Object.values(this.testsOf).flat()))
        for await (const test of this.run(file, () => true)) ran.push(test);
    } catch (error) {
      return { status: DryRunStatus.Error, errorMessage: String(error) };
    }
    const tests = ran.map(({ id, name, file, ms, error }) => {
      const test = { id, name: `${file}: ${name}`, timeSpentMs: ms };
      return error === undefined
        ? { ...test, status: TestStatus.Success as const }
        : { ...test, status: TestStatus.Failed as const, failureMessage: error };
    });
    const { mutantCoverage } = this.context;
    return { status: DryRunStatus.Complete, tests, ...(mutantCoverage ? { mutantCoverage } : {}) };
  }

  /** The tests of the mutant's file until one fails. What a file runs while it is loaded needs the files anew. */
  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, hitLimit, reloadEnvironment, sandboxFileName, testFilter } = options;
    if (reloadEnvironment) this.tests?.reload();
    const wanted = testFilter && new Set(testFilter);
    const files = this.testsOf[relative(this.folder, sandboxFileName)] ?? [];
    this.context.hitCount = 0;
    this.context.hitLimit = hitLimit === undefined ? undefined : hitLimit / HIT_LIMIT_DIVISOR;
    this.context.activeMutant = activeMutant.id;
    try {
      return await this.firstFailure(files, wanted);
    } finally {
      this.context.activeMutant = undefined;
      if (reloadEnvironment) this.tests?.reload();
    }
  }

  private async firstFailure(
    files: readonly string[],
    wanted: ReadonlySet<string> | undefined,
  ): Promise<MutantRunResult> {
    let nrOfTests = 0;
    for (const file of files) {
      if (wanted && ![...wanted].some((id) => id.startsWith(`${file}: `))) continue;
      try {
        for await (const { id, error } of this.run(file, (id) => wanted?.has(id) ?? true)) {
          nrOfTests += 1;
          const { hitCount, hitLimit } = this.context;
          const endless = determineHitLimitReached(hitCount, hitLimit);
          if (endless) return { status: MutantRunStatus.Timeout, reason: 'It runs on and on.' };
          if (error !== undefined) return killed(id, error, nrOfTests);
        }
      } catch (error) {
        return killed(file, String(error), nrOfTests);
      }
    }
    return { status: MutantRunStatus.Survived, nrOfTests };
  }

  private async *run(file: string, isWanted: (id: string) => boolean): AsyncGenerator<RunTest> {
    const onStart = (id: string) => (this.context.currentTestId = id);
    try {
      yield* this.tests?.run(file, isWanted, onStart) ?? [];
    } finally {
      this.context.currentTestId = undefined;
    }
  }
}

const killed = (by: string, failureMessage: string, nrOfTests: number): MutantRunResult => ({
  status: MutantRunStatus.Killed,
  killedBy: [by],
  failureMessage,
  nrOfTests,
});

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, 'compiled', CompiledTestsRunner),
];
