/** The program `leadwire` as a person and a script run it: a process of its own. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { waitFor } from './waitFor.js';

const MAIN = join(import.meta.dirname, '..', '..', 'cli', 'main.js');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcessWithoutNullStreams;
  /** What it has printed so far. */
  stdout: () => string;
  stderr: () => string;
  /** Settles once it has said this on standard error. */
  said(words: string): Promise<void>;
  /** Settles once it has printed this many whole lines; all that it has printed by then. */
  lines(count: number): Promise<string[]>;
  /** Presses Ctrl-C, and waits for the end. */
  interrupted(): Promise<Ended>;
  ended: Promise<Ended>;
}

/**
 * Runs the program to its end.
 * @param environment all that it has, beside PATH
 * @param input what is sent to its standard input
 */
export async function runToEnd(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  input = '',
): Promise<Ended> {
  const { child, ended } = startProgram(args, environment);
  // It need not read what it is sent.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return ended;
}

/** Starts the program, to be met while it runs; `environment` is all that it has, beside PATH. */
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
  /** @throws {Error} when it ends without having done so */
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
