/** The parts of its process that a command may use. */
import {
  COLOR_CHOICES,
  createPaint,
  wantsColor,
  type ColorChoice,
  type Environment,
  type Paint,
} from '../output/paint.js';
import { createKeyboard, type Keyboard, type Host } from './keyboard.js';

/** Size of a terminal in characters. */
export interface Screen {
  columns: number;
  rows: number;
}

export interface Terminal {
  /** Signals, the end, and failures of the output. */
  host: Host;
  environment: Environment;
  /** Results, one or more lines, to standard output. */
  print: (text: string) => void;
  /** Progress messages, to standard error. */
  say: (text: string) => void;
  /** Paints text for `print`. */
  paint: Paint;
  /** Paints text for `say`. */
  sayPaint: Paint;
  /** Set where a person sees the results; null: they go into a file or another program. */
  screen: Screen | null;
  /** Whether a person reads the messages of `say`. */
  isWatched: boolean;
  keyboard: Keyboard;
}

/** @param args the command line, for `--color`, which must be known before anything is written */
export function createTerminal(host: Host, args: readonly string[] = []): Terminal {
  const { env, stdout, stderr } = host;
  const choice = colorChoice(args);
  const screen = screenOf(env, stdout);
  return {
    host,
    environment: env,
    print: (text) => void stdout.write(`${text}\n`),
    say: (text) => void stderr.write(`${text}\n`),
    paint: createPaint(wantsColor(env, screen !== null, choice)),
    sayPaint: createPaint(wantsColor(env, stderr.isTTY, choice)),
    screen,
    isWatched: stderr.isTTY,
    keyboard: createKeyboard(host),
  };
}

/** Where a terminal does not say its size. */
export const USUAL: Screen = { columns: 80, rows: 24 };

/** LEADWIRE_FORCE_TTY treats any output as a terminal: a width in columns, or `true` for the usual one. */
function screenOf(environment: Environment, stdout: NodeJS.WriteStream): Screen | null {
  const forced = environment.LEADWIRE_FORCE_TTY;
  if (forced) {
    const columns = Number(forced);
    // Infinite rows: a program reads forced output, and it has no pager.
    return { columns: columns >= 20 ? Math.floor(columns) : USUAL.columns, rows: Infinity };
  }
  if (!stdout.isTTY) return null;
  return { columns: stdout.columns || USUAL.columns, rows: stdout.rows || USUAL.rows };
}

/** The last `--color` of the command line; an invalid value is refused when the whole line is parsed. */
function colorChoice(args: readonly string[]): ColorChoice {
  const end = args.indexOf('--');
  const before = end === -1 ? args : args.slice(0, end);
  const named = before.map((arg, n) =>
    arg === '--color' ? before[n + 1] : arg.startsWith('--color=') ? arg.slice(8) : undefined,
  );
  return COLOR_CHOICES.find((choice) => choice === named.findLast((one) => one)) ?? 'auto';
}
