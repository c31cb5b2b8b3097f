/** The journal of the service's counterparts: each line is on disk before its request is answered. */
import { open, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { JournalLine } from '../evidence/evidence.js';

export interface Journal<L = JournalLine> {
  /** Resolves when the line is on disk. Lines keep their order. */
  write(line: L): Promise<void>;
  /** Resolves when all lines are on disk and the file is closed. */
  close(): Promise<void>;
}

/** Lines within this many milliseconds share one fsync, as do those that come during a running one. */
const GATHER_MS = 2;

/** Appends to the file. A last line that a killed process left incomplete is cut off first: it was never answered. */
export async function openJournal<L = JournalLine>(file: string): Promise<Journal<L>> {
  const handle = await open(file, 'a+');
  await handle.truncate(wholeLines(await handle.readFile()).length);
  let waiting: string[] = [];
  let round: Promise<void> | null = null;
  let written: Promise<void> = Promise.resolve();

  const writeOut = async (lines: readonly string[]): Promise<void> => {
    await handle.appendFile(lines.join(''));
    await handle.datasync();
  };
  const gather = async (): Promise<void> => {
    await delay(GATHER_MS);
    await written;
    const lines = waiting;
    waiting = [];
    round = null;
    written = writeOut(lines);
    await written;
  };

  return {
    write(line) {
      waiting.push(`${JSON.stringify(line)}\n`);
      round ??= gather();
      return round;
    },
    async close() {
      await round;
      await written;
      await handle.close();
    },
  };
}

/** All complete lines, in order; also of a journal that is still being written. A missing file has none. */
export async function readJournal<L = JournalLine>(file: string): Promise<L[]> {
  const bytes = await readFile(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  const lines = wholeLines(bytes).toString('utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as L);
}

const wholeLines = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
