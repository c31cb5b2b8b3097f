import { createWriteStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EnvHttpProxyAgent, fetch } from 'undici';
import { formatSize } from '../format.js';
import type { Installer } from './cache.js';
import { run } from './run.js';

/** The newest release that `go install` takes; the archive is pinned to the same. Server 1.29.1. */
const VERSION = 'v1.5.1';
const GO_PACKAGE = `github.com/temporalio/cli/cmd/temporal@${VERSION}`;

/** A host that says nothing for this long is taken for unreachable, milliseconds. */
const STALL = 20_000;

export const temporalInstallers: readonly Installer[] = [
  { title: `official download of the Temporal CLI ${VERSION}`, install: download },
  {
    title: `Temporal CLI ${VERSION} built with Go, once, 4 to 5 minutes on two cores`,
    install: build,
  },
];

/** Node's names of platforms and processors are Go's but for these. */
const archiveUrl = (): string => {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  return `https://temporal.download/cli/archive/${VERSION}?platform=${process.platform}&arch=${arch}`;
};

async function download(folder: string, progress: (text: string) => void): Promise<string> {
  const url = archiveUrl();
  const dispatcher = new EnvHttpProxyAgent({
    connect: { timeout: STALL / 2 },
    headersTimeout: STALL,
    bodyTimeout: STALL,
  });
  try {
    const response = await fetch(url, { dispatcher });
    if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`);
    const total = Number(response.headers.get('content-length') ?? 0);
    const archive = join(folder, 'temporal.tar.gz');
    await pipeline(
      Readable.fromWeb(response.body),
      countBytes((bytes) => {
        progress(total > 0 ? `${formatSize(bytes)} of ${formatSize(total)}` : formatSize(bytes));
      }),
      createWriteStream(archive),
    );
    progress('unpacking');
    await run('tar', ['-xzf', archive, '-C', folder], { timeout: 5 * 60_000 });
  } finally {
    await dispatcher.destroy();
  }
  return existing(join(folder, 'temporal'));
}

function countBytes(tell: (bytes: number) => void): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      tell(bytes);
      done(null, chunk);
    },
  });
}

async function build(folder: string, progress: (text: string) => void): Promise<string> {
  const env = { ...process.env, GOBIN: folder };
  // A short question first: it fails at once where the module proxy cannot be reached.
  const module = GO_PACKAGE.replace('/cmd/temporal', '');
  progress('asking for the module');
  await run('go', ['list', '-m', module], { cwd: folder, env, timeout: 60_000 });
  progress('compiling');
  const done = { modules: 0, packages: 0 };
  await run('go', ['install', '-v', GO_PACKAGE], {
    cwd: folder,
    env,
    timeout: 30 * 60_000,
    onLine(line) {
      if (line.startsWith('go: ')) done.modules += 1;
      else done.packages += 1;
      progress(`${done.modules} modules fetched, ${done.packages} packages compiled`);
    },
  });
  return existing(join(folder, 'temporal'));
}

function existing(path: string): string {
  if (existsSync(path)) return path;
  throw new Error('it left no temporal program');
}
