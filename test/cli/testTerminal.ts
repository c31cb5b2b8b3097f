/** A terminal that a test reads and types into. */
import { createPaint, type Environment } from '../../cli/output/paint.js';
import type { Terminal } from '../../cli/terminal/terminal.js';

export interface TestTerminal {
  terminal: Terminal;
  /** The output, one entry per call. */
  out: string[];
  err: string[];
}

export interface TerminalOptions {
  /** Columns; without them the output is not a terminal. */
  columns?: number;
  /** The answers of a person, in order; without them the input is not a terminal. */
  answers?: (string | null)[];
  /** The input from another program. */
  input?: string;
}

export function createTerminal(
  environment: Environment = {},
  { columns, answers, input = '' }: TerminalOptions = {},
): TestTerminal {
  const out: string[] = [];
  const err: string[] = [];
  const paint = createPaint(false);
  const left = [...(answers ?? [])];
  const terminal: Terminal = {
    environment,
    print: (text) => void out.push(text),
    say: (text) => void err.push(text),
    paint,
    sayPaint: paint,
    screen: columns === undefined ? null : { columns, rows: Infinity },
    isWatched: answers !== undefined,
    keyboard: {
      isTerminal: answers !== undefined,
      readAll: () => Promise.resolve(input),
      readBytes: () => Promise.resolve(Buffer.from(input)),
      ask: (question) => {
        err.push(question);
        return Promise.resolve(left.shift() ?? null);
      },
    },
  };
  return { terminal, out, err };
}
