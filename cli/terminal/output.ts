/** Standard output as the place of a result: it is complete, or the command failed. */
import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { getSystemErrorMessage } from 'node:util';
import { CommandFailed, EXIT } from './errors.js';

/** A reader that closes the output early (leadwire demo | head) is no failure. */
const isFailure = (error: NodeJS.ErrnoException): boolean => error.code !== 'EPIPE';

/** A result could not be written, as on a full disk. */
export class OutputFailed extends CommandFailed {
  constructor(error: NodeJS.ErrnoException) {
    const reason = error.errno === undefined ? error.message : getSystemErrorMessage(error.errno);
    super(
      `The output could not be written: ${reason}.`,
      isFailure(error) ? EXIT.failed : EXIT.done,
    );
  }
}

export interface Output {
  /** Waits until all of it is written, and returns its first failure. */
  written(): Promise<OutputFailed | null>;
}

/** Keeps the failures of standard output; without it the first of them ends the process with a stack. */
export function watchOutput(stdout: NodeJS.Process['stdout']): Output {
  if (!(stdout instanceof Socket)) writeWhole(stdout);
  let failure: OutputFailed | null = null;
  const keep = (error: NodeJS.ErrnoException) => {
    if (isFailure(error)) failure ??= new OutputFailed(error);
  };
  stdout.on('error', keep);
  return {
    written: () =>
      new Promise((resolve) => {
        // The callback learns of a failure before the listener does.
        stdout.write('', (error) => {
          if (error) keep(error);
          resolve(failure);
        });
      }),
  };
}

/**
 * Node writes to a file once and does not look at how much was written: of a disk that fills up meanwhile, the rest is
 * lost without an error. Here the rest is written, or its error is reported.
 */
function writeWhole(stdout: NodeJS.Process['stdout']): void {
  stdout._write = (chunk: Uint8Array, _encoding, done) => {
    try {
      writeFileSync(stdout.fd, chunk);
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  };
}
