/** A file that a command reads as it goes: from a path, or from standard input. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { describeError, UsageError } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';

export interface Source {
  /** Its bytes, from the beginning. */
  read(): AsyncIterable<Uint8Array>;
  /** Bytes; null: unknown, because another program writes it. */
  size: number | null;
  /** Hex that stands for its content; null for standard input, which can be read once. */
  digest(): Promise<string | null>;
}

/** @throws {UsageError} for a path that is no readable file */
export async function openSource({ host }: Pick<Terminal, 'host'>, path: string): Promise<Source> {
  if (path === '-')
    return { read: () => host.stdin, size: null, digest: () => Promise.resolve(null) };
  const found = await stat(path).catch((error: unknown) => {
    throw new UsageError(`Cannot read the file ${path}: ${describeError(error, false)}`);
  });
  if (found.isDirectory()) throw new UsageError(`${path} is a folder, and not a file.`);
  const read = () => createReadStream(path, { highWaterMark: 262_144 });
  return {
    read,
    size: found.isFile() ? found.size : null,
    async digest() {
      const hash = createHash('sha256');
      for await (const piece of read()) hash.update(piece as Uint8Array);
      return hash.digest('hex');
    },
  };
}
