/** Standard input: a person's typing, or the output of another program. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';

export interface Keyboard {
  /** Whether standard input is a terminal with a person who can be asked. */
  isTerminal: boolean;
  /** Everything up to the end. */
  readAll(): Promise<string>;
  /** The same, byte by byte. */
  readBytes(): Promise<Uint8Array>;
  /**
   * Asks on standard error, and reads one line. Null when there is none: Ctrl-C, Ctrl-D, the end.
   * @param isSecret the typed text is not shown
   */
  ask(question: string, isSecret?: boolean): Promise<string | null>;
}

export function createKeyboard({ stdin, stderr }: Pick<Host, 'stdin' | 'stderr'>): Keyboard {
  return {
    isTerminal: stdin.isTTY && stderr.isTTY,
    readAll: () => text(stdin),
    readBytes: () => buffer(stdin),
    ask(question, isSecret = false) {
      const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
      const output = isSecret ? silent : stderr;
      const lines = createInterface({ input: stdin, output, terminal: stdin.isTTY });
      if (isSecret) stderr.write(question);
      return new Promise((resolve) => {
        let hasEnded = false;
        const end = (answer: string | null) => {
          if (hasEnded) return;
          // Before it is closed: an end without an answer gives null.
          hasEnded = true;
          lines.close();
          if (isSecret || answer === null) stderr.write('\n');
          resolve(answer);
        };
        lines.once('SIGINT', () => end(null));
        lines.once('close', () => end(null));
        if (isSecret) lines.once('line', end);
        else lines.question(question, end);
      });
    },
  };
}

/** The process of a command, as far as the command uses it. */
export type Host = Pick<
  NodeJS.Process,
  'argv' | 'env' | 'stdin' | 'stdout' | 'stderr' | 'on' | 'off' | 'exit'
>;
