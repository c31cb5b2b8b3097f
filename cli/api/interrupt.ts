/** Ctrl-C while the server works. */
import { constants } from 'node:os';
import { CommandFailed, EXIT } from '../errors.js';

/**
 * Runs calls so that the first Ctrl-C ends them in order, and the second ends the process.
 * @param isChange whether what was cut off may have been done
 * @throws {CommandFailed} with the exit code 2 after Ctrl-C
 */
export async function interruptible<T>(
  { isChange }: { isChange: boolean },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(128 + constants.signals.SIGINT);
    controller.abort();
  };
  process.on('SIGINT', stop);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    const doubt = isChange ? ' What was asked for may have been done: look at what there is.' : '';
    throw new CommandFailed(`Cancelled.${doubt}`, EXIT.cancelled);
  } finally {
    process.off('SIGINT', stop);
  }
}
