/** The program `leadwire` in this process: as `cli/main.ts` runs it, with streams, settings and signals of the test. */
import { expect } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { constants } from 'node:os';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { run } from '../../cli/run.js';
import type { Host } from '../../cli/terminal/keyboard.js';
import { createTerminal, type Terminal } from '../../cli/terminal/terminal.js';
import { waitFor } from './waitFor.js';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** What a person types at a question; null: Ctrl-D. A function is called when the question is asked. */
type Typed = string | null | (() => Promise<string>);

export interface CliOptions {
  /** Sent by another program to its standard input. */
  input?: string;
  /** What a person at a terminal answers, in order; without them standard input and error are no terminal. */
  answers?: readonly Typed[];
  /** Every write to its standard output fails: its reader is gone, or the disk is full. */
  output?: Failure;
}

type Failure = 'EPIPE' | 'ENOSPC';

export interface RunningCli {
  /** What it has printed so far. */
  stdout: () => string;
  stderr: () => string;
  /** Resolves once it has said this. */
  said: (words: string) => Promise<void>;
  /** Resolves once it has printed this many complete lines, with all printed by then. */
  lines: (count: number) => Promise<string[]>;
  signal: (name: 'SIGINT' | 'SIGTERM') => void;
  /** Presses Ctrl-C, and waits for the end. */
  interrupted: () => Promise<Ended>;
  /** The reader of its standard output is gone from now on. */
  loseReader: () => void;
  ended: Promise<Ended>;
}

/** @param environment its whole environment */
export const runCli = (
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  options: CliOptions = {},
): Promise<Ended> => startCli(args, environment, options).ended;

/** A failure is explained on standard error, with nothing on standard output. */
export const failed = (code: number, stderr: string | RegExp) => ({
  code,
  stdout: '',
  stderr:
    typeof stderr === 'string' ? stderr : (expect.stringMatching(stderr) as unknown as string),
});

/** Starts it, for tests that talk to it; `environment` is its whole environment. */
export function startCli(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  options: CliOptions = {},
): RunningCli {
  const fake = createHost(args, environment, options);
  const { stdout, stderr, events, exited } = fake;
  let hasEnded = false;
  const ended = Promise.race([run(fake.host), exited]).then((code) => {
    hasEnded = true;
    return { code, stdout: stdout.text, stderr: stderr.text };
  });
  const lines = () => stdout.text.split('\n').slice(0, -1);
  /** @throws {Error} when it ends before that */
  const comesTo = async (isSo: () => boolean, message: string): Promise<void> => {
    await waitFor(() => isSo() || hasEnded, { message, timeoutMs: 60_000 });
    if (!isSo()) throw new Error(`It ended before ${message}: ${stderr.text}`);
  };
  return {
    stdout: () => stdout.text,
    stderr: () => stderr.text,
    said: (words) => comesTo(() => stderr.text.includes(words), `it says "${words}"`),
    async lines(count) {
      await comesTo(() => lines().length >= count, `it prints ${count} lines`);
      return lines();
    },
    signal: (name) => void events.emit(name, name),
    interrupted() {
      events.emit('SIGINT', 'SIGINT');
      return ended;
    },
    loseReader: () => (stdout.failure = 'EPIPE'),
    ended,
  };
}

/** A terminal for parts of the program, and what they write. */
export function testTerminal(
  environment: NodeJS.ProcessEnv = {},
  options: CliOptions = {},
): { terminal: Terminal; stdout: () => string; stderr: () => string } {
  const { host, stdout, stderr } = createHost([], environment, options);
  return { terminal: createTerminal(host), stdout: () => stdout.text, stderr: () => stderr.text };
}

/** A process of which the program sees nothing but what the test gives it. */
function createHost(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { input = '', answers, output }: CliOptions,
) {
  const isTTY = answers !== undefined;
  const [stdout, stderr] = [new Output(false), new Output(isTTY)];
  if (output) stdout.failure = output;
  const stdin = answers ? typing([...answers]) : Object.assign(new PassThrough(), { isTTY });
  if (!answers) stdin.end(input);
  const events = new EventEmitter();
  const { promise: exited, resolve: exit } = Promise.withResolvers<number>();
  const host = {
    argv: ['node', 'leadwire', ...args],
    env,
    stdin,
    stdout,
    stderr,
    on: events.on.bind(events),
    off: events.off.bind(events),
    exit(code: number) {
      events.emit('exit', code);
      exit(code);
    },
  };
  return { host: host as unknown as Host, stdout, stderr, events, exited };
}

/** Types the next answer whenever the program begins to read. */
function typing(answers: Typed[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const CTRL_D = '\u0004';
  stdin.on('resume', () => {
    const next = answers.shift() ?? null;
    void (async () => {
      const text = typeof next === 'function' ? await next() : next;
      stdin.write(text === null ? CTRL_D : `${text}\r`);
    })();
  });
  return stdin;
}

/** Keeps what is written, without the control sequences of a terminal that is one for questions alone. */
class Output extends EventEmitter {
  failure: Failure | null = null;
  #written = '';

  constructor(readonly isTTY: boolean) {
    super();
  }

  get text(): string {
    return this.isTTY ? stripVTControlCharacters(this.#written) : this.#written;
  }

  /** As a stream does, it reports a failure later: to its caller, then to all. */
  write(chunk: string, done?: (error?: Error | null) => void): boolean {
    const { failure } = this;
    if (failure === null) this.#written += chunk;
    queueMicrotask(() => {
      const errno = failure && -constants.errno[failure];
      const error =
        failure && Object.assign(new Error(`write ${failure}`), { code: failure, errno });
      done?.(error);
      if (error) this.emit('error', error);
    });
    return true;
  }
}
