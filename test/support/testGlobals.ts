/**
 * The module that test files import as `@jest/globals`. jest-light-runner runs them in plain Node, where Jest's
 * functions are globals and that package refuses to load, so the import is redirected here.
 *
 * This module adds what the runner lacks: tests and hooks have a time limit, and a test does not run when a
 * `beforeAll` of its blocks failed. A function with parameters is not treated as one that waits for a `done` callback.
 * Properties get the number of their examples.
 */
import { registerHooks } from 'node:module';
import { inspect } from 'node:util';
import type * as Jest from '@jest/globals';
import { ModernFakeTimers } from '@jest/fake-timers';
import { getState } from 'jest-circus';
import { endShared } from './processEnd.js';
import { configureProperties } from './properties.js';

/** Default time limit of a test or a hook, in milliseconds. */
const LIMIT_MS = 60_000;
/** How long the end of what files share may take, in milliseconds: after a second the process is killed. */
const END_MS = 800;
/** Node's own timers, also while a test has replaced them. */
const { setTimeout, clearTimeout } = globalThis;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals'
      ? { url: import.meta.url, shortCircuit: true }
      : next(specifier, context),
});

configureProperties();

// Jest lets go of its workers at the end of the run, and when it dies: no process is left behind.
process.once('disconnect', () => {
  const end = () => process.exit(1);
  setTimeout(end, END_MS);
  void endShared().then(end);
});

type Body = (...row: never[]) => unknown;
type Declare = (name: string, body: Body, limitMs?: number) => void;
type DeclareEach = (...table: unknown[]) => Declare;
type DeclareHook = (body: () => unknown, limitMs?: number) => void;
type Block = ReturnType<typeof getState>['currentDescribeBlock'];

const given = globalThis as unknown as typeof Jest;

/** The blocks whose `beforeAll` failed. */
const broken = new WeakSet<Block>();

export const { expect, describe } = given;
export const jest: typeof given.jest = Object.assign(given.jest, fakeTimers());
export const it = Object.assign(limitedTest(given.it), {
  only: limitedTest(given.it.only),
  skip: limitedTest(given.it.skip),
}) as unknown as typeof given.it;
export const beforeAll = limitedHook(given.beforeAll, (block) => broken.add(block));
export const beforeEach = limitedHook(given.beforeEach);
export const afterEach = limitedHook(given.afterEach);
export const afterAll = limitedHook(given.afterAll);

/** The runner's timers cannot be advanced in steps; promises, which Node settles by the two excluded ones, go on. */
function fakeTimers() {
  const config = { fakeTimers: {} } as ConstructorParameters<typeof ModernFakeTimers>[0]['config'];
  const timers = new ModernFakeTimers({ config, global: globalThis });
  return {
    useFakeTimers: () => {
      timers.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'hrtime'] });
      return jest;
    },
    useRealTimers: () => {
      timers.useRealTimers();
      return jest;
    },
    setSystemTime: (now?: number | Date) => {
      timers.setSystemTime(now);
    },
    advanceTimersByTime: (ms: number) => {
      timers.advanceTimersByTime(ms);
    },
    advanceTimersByTimeAsync: (ms: number) => timers.advanceTimersByTimeAsync(ms),
  } satisfies Partial<typeof Jest.jest>;
}

function limitedTest(given: unknown) {
  const native = given as Declare & { each: DeclareEach };
  const declare: Declare = (name, body, limitMs) => {
    native(name, limitedBody(body, limitMs));
  };
  const each: DeclareEach = (...table) => {
    const declareRows = native.each(...table);
    return (name, body, limitMs) => {
      declareRows(name, limitedBody(body, limitMs));
    };
  };
  return Object.assign(declare, { each });
}

function limitedBody(body: Body, limitMs?: number): Body {
  const block = getState().currentDescribeBlock;
  return async (...row) => {
    if (isBroken(block)) throw new Error('Not run: a beforeAll failed');
    await withinLimit(() => body(...row), limitMs);
  };
}

function limitedHook(given: unknown, onFailure?: (block: Block) => void): DeclareHook {
  const native = given as DeclareHook;
  return (body, limitMs) => {
    const block = getState().currentDescribeBlock;
    native(async () => {
      try {
        const result = await withinLimit(body, limitMs);
        if (typeof result === 'function')
          throw new Error(
            'A hook returned a function, which nobody calls: use afterAll or afterEach',
          );
      } catch (error) {
        onFailure?.(block);
        throw error;
      }
    });
  };
}

function isBroken(block: Block): boolean {
  return broken.has(block) || (block.parent !== undefined && isBroken(block.parent));
}

/** The runner reports only errors: if another value is thrown, it reports a file that cannot be run. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error && typeof thrown.stack === 'string') return thrown;
  return new Error(`Thrown was ${inspect(thrown)}`);
}

/** @throws {Error} when the body has not ended within the limit; the body continues unobserved */
async function withinLimit(body: () => unknown, limitMs = LIMIT_MS): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`Not done within ${limitMs} ms`));
    }, limitMs);
  });
  try {
    return await Promise.race([body(), late]);
  } catch (error) {
    throw asError(error);
  } finally {
    clearTimeout(timer);
  }
}
