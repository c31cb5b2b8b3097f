/** The program `leadwire` as a person or a script runs it: a process of its own. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Ended } from './cli.js';
import { waitFor } from './waitFor.js';

/** What npm links as `leadwire`. */
export const MAIN = join(import.meta.dirname, '..', '..', 'cli', 'main.js');

export interface Running {
  child: ChildProcessWithoutNullStreams;
  /** What it has printed so far. */
  stdout: () => string;
  stderr: () => string;
  /** Resolves once it has printed this to standard error. */
  said(words: string): Promise<void>;
  /** Resolves once it has printed this many complete lines, with all printed by then. */
  lines(count: number): Promise<string[]>;
  /** Presses Ctrl-C, and waits for the end. */
  interrupted(): Promise<Ended>;
  ended: Promise<Ended>;
}

/** Starts the program, for tests that talk to it; `environment` is its whole environment, in addition to PATH. */
export function startProgram(args: readonly string[], environment: NodeJS.ProcessEnv): Running {
  const env = { PATH: process.env.PATH, ...environment };
  const child = spawn(process.execPath, [MAIN, ...args], { env });
  let [stdout, stderr, hasEnded] = ['', '', false];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(child, 'close').then(([code]: unknown[]) => {
    hasEnded = true;
    return { code: code as number | null, stdout, stderr };
  });
  const lines = () => stdout.split('\n').slice(0, -1);
  /** @throws {Error} when it ends before that */
  const comesTo = async (isSo: () => boolean, message: string): Promise<void> => {
    await waitFor(() => isSo() || hasEnded, { message, timeoutMs: 60_000 });
    if (!isSo()) throw new Error(`It ended before ${message}: ${stderr}`);
  };
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    said: (words) => comesTo(() => stderr.includes(words), `it says "${words}"`),
    async lines(count) {
      await comesTo(() => lines().length >= count, `it prints ${count} lines`);
      return lines();
    },
    interrupted() {
      child.kill('SIGINT');
      return ended;
    },
    ended,
  };
}
