/**
 * A list of passwords that were stolen elsewhere, as "Have I Been Pwned" publishes it: a line of text for each, which
 * begins with its SHA-1 hash in hex, in ascending order. It may be larger than memory, so it is searched on the disk.
 */
import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';

export type BreachedPasswords = Awaited<ReturnType<typeof openBreachedPasswords>>;

interface List {
  file: FileHandle;
  /** Offset after its last line, without blank lines. */
  end: number;
}

interface Line {
  /** Offset of its first byte. */
  at: number;
  hash: string;
}

const HASH_LENGTH = 40;
const HASH = /^[0-9A-F]{40}$/;
/** Longer than two lines: a hash, a colon and a count. */
const READ_BYTES = 256;
/** Lines that are compared at the start: a list in another order, such as by count, does not pass. */
const SAMPLES = 64;

/** @throws {Error} that says what is wrong with the file */
export async function openBreachedPasswords(path: string) {
  const file = await open(path).catch((error: unknown) => {
    throw new Error(`BREACHED_PASSWORDS_FILE: ${String(error)}`);
  });
  try {
    const list = { file, end: await endOf(file) };
    await checkOrder(list);
    return {
      /** Whether the list has these very characters. @throws {Error} when the file cannot be read */
      has: (password: string): Promise<boolean> => hasLine(sha1(password), list),
      close: (): Promise<void> => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

const WRONG =
  'BREACHED_PASSWORDS_FILE: each line must begin with a SHA-1 hash of 40 hexadecimal digits, in ascending order.';

const sha1 = (password: string): string =>
  createHash('sha1').update(password).digest('hex').toUpperCase();

/** @throws {Error} where the last line is cut off, or is none */
async function endOf(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const start = Math.max(0, size - READ_BYTES);
  const tail = (await textAt(start, file)).trimEnd();
  hashOf(tail.slice(tail.lastIndexOf('\n') + 1));
  return start + tail.length;
}

async function checkOrder(list: List): Promise<void> {
  let before = '';
  for (let n = 0; n < SAMPLES; n += 1) {
    const line = await lineFrom(Math.floor((list.end * n) / SAMPLES), list);
    if (!line) return;
    if (line.hash < before) throw new Error(WRONG);
    before = line.hash;
  }
}

/** Binary search over bytes: each step reads the first whole line from the middle on. */
async function hasLine(hash: string, list: List): Promise<boolean> {
  let [from, to] = [0, list.end];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const line = await lineFrom(middle, list);
    if (line?.hash === hash) return true;
    if (line && line.at < to && line.hash < hash) from = line.at + HASH_LENGTH;
    else to = middle;
  }
  return false;
}

/** The first line that begins at this offset or after it; null after the last one. */
async function lineFrom(offset: number, { file, end }: List): Promise<Line | null> {
  // One byte more: the line begins here if a line break is before it.
  const start = Math.max(0, offset - 1);
  const text = await textAt(start, file);
  const lineBreak = offset === 0 ? -1 : text.indexOf('\n');
  if (lineBreak === -1 && offset > 0) return null;
  const at = start + lineBreak + 1;
  if (at >= end) return null;
  return { at, hash: hashOf(text.slice(lineBreak + 1)) };
}

/** A character for each byte, so that offsets in the text are offsets in the file. */
async function textAt(start: number, file: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, start);
  return buffer.toString('latin1', 0, bytesRead);
}

/** @throws {Error} where the line begins with none */
function hashOf(line: string): string {
  const hash = line.slice(0, HASH_LENGTH).toUpperCase();
  if (!HASH.test(hash)) throw new Error(WRONG);
  return hash;
}
