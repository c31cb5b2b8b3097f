/** A terminal that a test reads, and types into. */
import { createPaint, type Environment } from '../../cli/output/paint.js';
import type { Terminal } from '../../cli/terminal/terminal.js';

export interface TestTerminal {
  terminal: Terminal;
  /** What was printed, a call an entry. */
  out: string[];
  err: string[];
}

export interface TerminalOptions {
  /** Columns; without them results go to another program. */
  columns?: number;
  /** What a person answers, one after the other; without it nobody is there. */
  answers?: (string | null)[];
  /** What another program sends. */
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
