/** The history of a run: in memory for the checker, and in a file for reading after a failed run. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { HistoryEvent } from './evidence.js';

export interface History {
  /** In the order in which they were appended. */
  readonly events: readonly HistoryEvent[];
  append(event: HistoryEvent): void;
  /** Resolves when the file has all of them. */
  close(): Promise<void>;
}

/**
 * Creates the file. It is written during the run, without fsync: the process that writes it is never killed.
 * @throws {Error} when the file cannot be created
 */
export async function openHistory(file: string): Promise<History> {
  const stream = createWriteStream(file);
  await once(stream, 'open');
  let failure: Error | undefined;
  stream.on('error', (error) => (failure = error));
  const events: HistoryEvent[] = [];
  return {
    events,
    append(event) {
      events.push(event);
      stream.write(`${JSON.stringify(event)}\n`);
    },
    async close() {
      stream.end();
      if (!stream.closed) await once(stream, 'close');
      if (failure) throw failure;
    },
  };
}

/** The events of a file, in their order. */
export async function readHistory(file: string): Promise<HistoryEvent[]> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as HistoryEvent);
}
