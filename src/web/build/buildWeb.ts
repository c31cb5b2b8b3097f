/** Builds the pages into `dist/web`, when any of their sources has changed since the last build. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build } from 'vite';
import { FUNNEL_SOURCES, viteConfig, WEB_OUTPUT, WEB_SOURCES } from '../vite.config.js';

const ROOT = join(WEB_SOURCES, '../../..');
/** Written last: an interrupted build leaves none. */
const STAMP = join(WEB_OUTPUT, 'sources.sha256');

const sources = await hashOfSources();
const built = await readFile(STAMP, 'utf8').catch(() => null);
if (built !== sources) {
  await rm(STAMP, { force: true });
  await build(viteConfig);
  await packAssets();
  await writeFile(STAMP, sources);
}

/** The hash of the pages, of the build's own code, and of the packages that go into them. */
async function hashOfSources(): Promise<string> {
  const folders = [WEB_SOURCES, FUNNEL_SOURCES, join(ROOT, 'src/web/build')];
  const lists = await Promise.all(folders.map(filesBelow));
  const files = [
    ...lists.flat(),
    join(ROOT, 'src/web/vite.config.ts'),
    join(ROOT, 'src/web/funnels/protocol.ts'),
    join(ROOT, 'package-lock.json'),
  ];
  const hash = createHash('sha256');
  for (const file of files.toSorted()) {
    const bytes = await readFile(file);
    hash.update(`${file.slice(ROOT.length)} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** Compresses each file as far as possible, once, so that no request has to. */
async function packAssets(): Promise<void> {
  const assets = await filesBelow(join(WEB_OUTPUT, 'assets'));
  await Promise.all(
    assets.map(async (file) => {
      const bytes = await readFile(file);
      const [gzipped, brotli] = await Promise.all([
        promisify(gzip)(bytes, { level: 9 }),
        promisify(brotliCompress)(bytes),
      ]);
      await Promise.all([writeFile(`${file}.gz`, gzipped), writeFile(`${file}.br`, brotli)]);
    }),
  );
}
