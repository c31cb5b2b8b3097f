/** Ctrl-C while the server works. */
import { constants } from 'node:os';
import { canceled, CommandFailed, EXIT } from '../terminal/errors.js';
import { isFailure, OutputFailed } from '../terminal/output.js';
import { listenForStop } from '../terminal/stopSignal.js';

/**
 * Runs calls so that the first Ctrl-C ends them in order, and the second ends the process. Calls that only read end
 * when their output cannot be written, too.
 * @param isChange whether an interrupted call may have been carried out
 * @throws {CommandFailed} with the exit code 2 after Ctrl-C
 * @throws {OutputFailed} when the output cannot be written
 */
export async function withInterrupt<T>(
  { isChange }: { isChange: boolean },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(128 + constants.signals.SIGINT);
    controller.abort();
  };
  const unwritten = (error: Error) => {
    if (isFailure(error)) controller.abort(new OutputFailed(error));
  };
  process.on('SIGINT', stop);
  if (!isChange) process.stdout.on('error', unwritten);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    if (controller.signal.reason instanceof OutputFailed) throw controller.signal.reason;
    const doubt = isChange
      ? ' The request may have been carried out: check the current state.'
      : '';
    throw new CommandFailed(`Canceled.${doubt}`, EXIT.canceled);
  } finally {
    process.off('SIGINT', stop);
    process.stdout.off('error', unwritten);
  }
}

/**
 * Runs calls whose answers arrive once: the first Ctrl-C or SIGTERM lets the call in flight finish, and prevents
 * further ones. One more, later than a second, ends the process.
 * @param work begins nothing once the signal is aborted: it throws the signal's reason
 * @throws {CommandFailed} with the exit code 2 after such a stop
 */
export async function finishReply<T>(
  say: (text: string) => void,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = listenForStop({ process, say, now: () => performance.now() });
  void stop.requested.then(() => controller.abort());
  try {
    return await work(controller.signal);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
    throw canceled('Canceled.');
  } finally {
    stop.release();
  }
}

/**
 * Runs work that continues until it is stopped: by Ctrl-C, SIGTERM, or a reader of the output that is gone. The second
 * signal ends the process.
 */
export async function untilStopped(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(128 + constants.signals[signal]);
    controller.abort();
  };
  const unread = () => controller.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, stop);
  process.stdout.on('error', unread);
  try {
    await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
  } finally {
    for (const signal of signals) process.off(signal, stop);
    process.stdout.off('error', unread);
  }
}
