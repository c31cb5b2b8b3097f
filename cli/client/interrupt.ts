/** Ctrl-C while the server works. */
import { constants } from 'node:os';
import { canceled, CommandFailed, EXIT } from '../terminal/errors.js';
import { OutputFailed } from '../terminal/output.js';
import { watchReader } from '../terminal/reader.js';
import { listenForStop } from '../terminal/stopSignal.js';
import type { Terminal } from '../terminal/terminal.js';

/**
 * Runs calls so that the first Ctrl-C ends them in order, and the second ends the process. Calls that only read end
 * when their output cannot be written, too, or has no reader.
 * @param isChange whether an interrupted call may have been carried out
 * @throws {CommandFailed} with the exit code 2 after Ctrl-C
 * @throws {OutputFailed} when the output cannot be written; with the exit code 0 when its reader is gone
 */
export async function withInterrupt<T>(
  { host }: Pick<Terminal, 'host'>,
  { isChange }: { isChange: boolean },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) host.exit(128 + constants.signals.SIGINT);
    controller.abort();
  };
  const unwritten = (error: Error) => controller.abort(new OutputFailed(error));
  host.on('SIGINT', stop);
  if (!isChange) host.stdout.on('error', unwritten);
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
    host.off('SIGINT', stop);
    host.stdout.off('error', unwritten);
  }
}

/**
 * Runs calls whose answers arrive once: the first Ctrl-C or SIGTERM lets the call in flight finish, and prevents
 * further ones. One more, later than a second, ends the process.
 * @param work begins nothing once the signal is aborted: it throws the signal's reason
 * @throws {CommandFailed} with the exit code 2 after such a stop
 */
export async function finishReply<T>(
  terminal: Pick<Terminal, 'host' | 'say'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = listenForStop(terminal, () => performance.now());
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
export async function untilStopped(
  { host }: Pick<Terminal, 'host'>,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) host.exit(128 + constants.signals[signal]);
    controller.abort();
  };
  const unread = () => controller.abort();
  const stopWatching = watchReader(host.stdout.fd, unread);
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) host.on(signal, stop);
  host.stdout.on('error', unread);
  try {
    await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
  } finally {
    stopWatching();
    for (const signal of signals) host.off(signal, stop);
    host.stdout.off('error', unread);
  }
}
