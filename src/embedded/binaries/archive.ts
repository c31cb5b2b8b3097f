/** Installs a program from an official archive: downloaded, verified, and only then unpacked. */
import { createWriteStream, readdirSync, createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { EnvHttpProxyAgent, fetch } from 'undici';
import { formatSize } from '../format.js';
import type { Installer } from './cache.js';
import type { Archive, Archives } from './pins.js';
import { run } from './run.js';
import { createHash } from 'node:crypto';

/** A host that sends nothing for this long counts as unreachable, milliseconds. */
const STALL_MS = 20_000;
const UNPACK_MS = 5 * 60_000;

interface Wanted {
  /** For people: `MongoDB`. */
  what: string;
  /** The name of the program's file in the archive, such as `mongod`. */
  program: string;
  archives: Archives;
  /** As Node names them: `linux x64`; this machine's by default. */
  platform?: string;
}

/** An installer of the known archive for this platform. Where there is none, it refuses, and downloads nothing. */
export function archiveInstaller({
  what,
  program,
  archives,
  platform = `${process.platform} ${process.arch}`,
}: Wanted): Installer {
  const archive = new Map(Object.entries(archives)).get(platform);
  if (!archive) {
    return {
      title: `official download of ${what}`,
      install: () =>
        Promise.reject(
          new Error(
            `the SHA-256 of an archive is known for ${Object.keys(archives).join(', ')}, not for ${platform}`,
          ),
        ),
    };
  }
  return {
    title: `official download of ${what} ${archive.version}`,
    install: async (folder, progress) => {
      const file = join(folder, 'archive.tar.gz');
      await download(archive, file, progress);
      progress('verifying');
      await verifySha256(file, archive.sha256, archive.url);
      progress('unpacking');
      await run('tar', ['-xzf', file, '-C', folder], { timeout: UNPACK_MS });
      return findProgram(folder, program);
    },
  };
}

async function download(
  { url }: Archive,
  file: string,
  progress: (text: string) => void,
): Promise<void> {
  const dispatcher = new EnvHttpProxyAgent({
    connect: { timeout: STALL_MS / 2 },
    headersTimeout: STALL_MS,
    bodyTimeout: STALL_MS,
  });
  try {
    const response = await fetch(url, { dispatcher });
    if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`);
    const total = Number(response.headers.get('content-length') ?? 0);
    const of = total > 0 ? ` of ${formatSize(total)}` : '';
    let bytes = 0;
    const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        progress(`${formatSize(bytes)}${of}`);
        yield chunk;
      }
    };
    await pipeline(response.body, counted, createWriteStream(file));
  } finally {
    await dispatcher.destroy();
  }
}

/** @returns its path @throws {Error} when the folder holds no such program */
export function findProgram(folder: string, program: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const found = files.find((file) => file === program || file.endsWith(`/bin/${program}`));
  if (found === undefined) throw new Error(`it does not contain ${program}`);
  return join(folder, found);
}

/**
 * Returns when the file has this SHA-256 (lower-case hex); deletes a file that has another.
 * @param what for people, such as the file's address
 * @throws {Error} with the expected sum and the actual one
 */
export async function verifySha256(path: string, expected: string, what: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  const found = hash.digest('hex');
  if (found === expected) return;
  rmSync(path, { force: true });
  throw new Error(
    `the SHA-256 of ${what} is ${found}, expected ${expected}: it was changed in transit, or published again. It was ` +
      'deleted, and no part of it was run',
  );
}
