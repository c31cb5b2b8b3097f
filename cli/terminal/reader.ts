/** Whether anybody still reads standard output. */
import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';

/**
 * Calls `gone` when the reader of standard output is gone, as after `| head -1`. A write would tell, but a command that
 * follows something may have nothing to write for hours, and Node cannot wait for the end of a reader. GNU `tail` can: one
 * that has nothing to say, on the same pipe, is ended by SIGPIPE. Where there is none, or standard output is no pipe, the
 * next write tells.
 * @param fd undefined: no file of this process
 * @returns what ends the waiting
 */
export function watchReader(fd: number | undefined, gone: () => void): () => void {
  if (fd === undefined || !isPipe(fd)) return () => undefined;
  // It holds the pipe open, and must end with this process, however that ends.
  const child = spawn('tail', ['--pid', String(process.pid), '-f', '/dev/null'], {
    stdio: ['ignore', fd, 'ignore'],
  });
  child.on('error', () => undefined);
  child.on('exit', (_code, signal) => {
    if (signal === 'SIGPIPE') gone();
  });
  child.unref();
  return () => void child.kill();
}

function isPipe(fd: number): boolean {
  try {
    return fstatSync(fd).isFIFO();
  } catch {
    return false;
  }
}
