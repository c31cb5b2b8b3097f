import { spawn, type ChildProcess } from 'node:child_process';
import { formatElapsed } from '../format.js';

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** It is killed after this long, milliseconds. */
  timeout: number;
  /** It is killed when it neither printed nor moved `size` for this long, milliseconds. */
  stallAfter?: number;
  /** Bytes received so far, checked every second. */
  size?: () => number;
  onLine?: (line: string) => void;
}

const KEEP = 16_384;

/**
 * Runs a program and returns what it printed (at most the last 16 KB).
 * @throws {Error} one line: not found, too slow, or its exit and last words
 */
export async function run(
  command: string,
  args: readonly string[],
  options: RunOptions,
): Promise<string> {
  const { cwd, env } = options;
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let partial = '';
  const watch = watchTime(child, options);
  const take = (chunk: Buffer) => {
    watch.moved();
    output = `${output}${chunk.toString()}`.slice(-KEEP);
    const lines = `${partial}${chunk.toString()}`.split(/[\r\n]+/);
    partial = lines.pop() ?? '';
    lines.filter(Boolean).forEach((line) => options.onLine?.(line));
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  try {
    const end = await new Promise<string | number | null>((resolve, reject) => {
      child.on('error', (error) => reject(isMissing(error) ? notFound(command) : error));
      child.on('close', (code, signal) => resolve(signal ?? code));
    });
    if (end === 0) return output;
    throw new Error(watch.reason() ?? `${command} ended with ${String(end)}${lastWords(output)}`);
  } finally {
    watch.end();
  }
}

const isMissing = (error: NodeJS.ErrnoException): boolean => error.code === 'ENOENT';
const notFound = (command: string): Error => new Error(`${command} was not found`);

function watchTime(child: ChildProcess, options: RunOptions) {
  const { timeout, stallAfter = Infinity, size } = options;
  const began = Date.now();
  let lastMove = began;
  let lastSize = -1;
  let reason: string | null = null;
  const look = () => {
    const now = Date.now();
    const bytes = size?.() ?? lastSize;
    if (bytes !== lastSize) lastMove = now;
    lastSize = bytes;
    if (now - began > timeout) reason = `not done after ${formatElapsed(timeout)}`;
    else if (now - lastMove > stallAfter) reason = `no progress for ${formatElapsed(stallAfter)}`;
    if (reason) child.kill('SIGKILL');
  };
  const timer = setInterval(look, Math.min(1_000, timeout));
  return {
    moved: () => void (lastMove = Date.now()),
    reason: () => reason,
    end: () => clearInterval(timer),
  };
}

/** The last lines that say something, as one. */
function lastWords(output: string): string {
  const lines = output
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.length > 0 ? `: ${lines.slice(-3).join(' / ').slice(-500)}` : '';
}
