/** What a command may know and use of the process it runs in. */
import { createPaint, wantsColour } from './output.js';
import type { Environment, Paint } from './output.js';

export interface Terminal {
  environment: Environment;
  /** Results, one or more lines, to standard output. */
  print: (text: string) => void;
  /** Chatter, to standard error. */
  say: (text: string) => void;
  /** Paints what is printed. */
  paint: Paint;
  /** Paints what is said. */
  sayPaint: Paint;
}

export function createTerminal(process: NodeJS.Process): Terminal {
  const { env, stdout, stderr } = process;
  return {
    environment: env,
    print: (text) => void stdout.write(`${text}\n`),
    say: (text) => void stderr.write(`${text}\n`),
    paint: createPaint(wantsColour(env, stdout.isTTY)),
    sayPaint: createPaint(wantsColour(env, stderr.isTTY)),
  };
}
