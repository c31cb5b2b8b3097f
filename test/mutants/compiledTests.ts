/** Loads and runs compiled test files in this process, as often as asked; the runner of `npm test` runs each once. */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { getState, resetState } from 'jest-circus';

type Block = ReturnType<typeof getState>['rootDescribeBlock'];
type Entry = Block['children'][number];
type HookType = Block['hooks'][number]['type'];
type TestEntry = Extract<Entry, { type: 'test' }>;

export interface RunTest {
  /** Its file and its titles; unique within a run. */
  id: string;
  name: string;
  file: string;
  ms: number;
  /** Undefined of a test that passed. */
  error?: string;
}

/** Which properties are tried must not depend on luck: a mutant is killed in every run, or in none. */
const SEED = 20_261_128;

export class CompiledTests {
  private readonly blocks = new Map<string, Block>();
  /** Distinguishes what is loaded again from what is already loaded. */
  private generation = 0;

  /** @param folder with the compiled sources and tests, `src` and `test` */
  private constructor(private readonly folder: string) {}

  /** Prepares this process, whose globals become those of the tests. */
  static async prepare(folder: string): Promise<CompiledTests> {
    const runner = import.meta.resolve('jest-light-runner');
    await import(new URL('global-setup.js', runner).href);
    await import('../support/testGlobals.js');
    fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED, endOnFailure: true });
    const tests = new CompiledTests(folder);
    const inside = `${pathToFileURL(folder).href}/`;
    registerHooks({
      resolve: (specifier, context, next) => {
        const found = next(specifier, context);
        if (!found.url.startsWith(inside)) return found;
        return { ...found, url: `${found.url}?${String(tests.generation)}` };
      },
    });
    return tests;
  }

  /** From now on everything is loaded anew. */
  reload(): void {
    this.generation += 1;
    this.blocks.clear();
  }

  /**
   * Runs tests of one file, in order.
   * @param isWanted by its id
   * @param onStart with the id of the test that is about to run
   * @throws what a file throws that cannot be loaded
   */
  async *run(
    file: string,
    isWanted: (id: string) => boolean,
    onStart: (id: string) => void,
  ): AsyncGenerator<RunTest> {
    const root = await this.load(file);
    const ids = new Map<string, number>();
    for (const { test, names, blocks } of testsOf(root)) {
      const name = names.join(' > ');
      const times = (ids.get(name) ?? 0) + 1;
      ids.set(name, times);
      const id = `${file}: ${name}${times > 1 ? ` (${String(times)})` : ''}`;
      if (!isWanted(id)) continue;
      onStart(id);
      const start = performance.now();
      const error = await failureOf(test, blocks);
      yield { id, name, file, ms: performance.now() - start, ...(error ? { error } : {}) };
    }
  }

  private async load(file: string): Promise<Block> {
    const before = this.blocks.get(file);
    if (before) return before;
    resetState();
    await import(pathToFileURL(join(this.folder, file)).href);
    const { rootDescribeBlock } = getState();
    this.blocks.set(file, rootDescribeBlock);
    return rootDescribeBlock;
  }
}

interface Placed {
  test: TestEntry;
  names: string[];
  /** Those around it, the outermost first. */
  blocks: Block[];
}

function testsOf(block: Block, names: string[] = [], around: Block[] = []): Placed[] {
  const blocks = [...around, block];
  return block.children.flatMap((child) => {
    if (child.mode === 'skip') return [];
    const path = [...names, child.name];
    return child.type === 'test'
      ? [{ test: child, names: path, blocks }]
      : testsOf(child, path, blocks);
  });
}

/** Each test has its hooks to itself, also those of whole blocks: which tests ran before it makes no difference. */
async function failureOf({ fn }: TestEntry, blocks: readonly Block[]): Promise<string | undefined> {
  const inwards = [...blocks];
  const outwards = blocks.toReversed();
  try {
    await runHooks('beforeAll', inwards);
    await runHooks('beforeEach', inwards);
    await call(fn);
    await runHooks('afterEach', outwards);
    await runHooks('afterAll', outwards);
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

async function runHooks(type: HookType, blocks: readonly Block[]): Promise<void> {
  for (const { hooks } of blocks)
    for (const hook of hooks) if (hook.type === type) await call(hook.fn);
}

const call = async (fn: unknown): Promise<void> => {
  await (fn as () => unknown)();
};
