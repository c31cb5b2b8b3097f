/** The built pages: which files each entry needs, and the files. Read for the first page requested, and kept. */
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { unavailable } from '../../lib/errors.js';
import { loadOnce } from '../../lib/loadOnce.js';
import type { ServedFile } from '../../api/http/deps.js';

/** From the folder that this is compiled to. */
const WEB = fileURLToPath(new URL('../../../web/', import.meta.url));

/** Vite's record of a chunk; names are those of the sources. */
const Chunk = z.object({
  file: z.string(),
  css: z.array(z.string()).default([]),
  imports: z.array(z.string()).default([]),
});
type Chunk = z.output<typeof Chunk>;

/** The files in the head of a page, as paths of the site. */
export interface EntryFiles {
  script: string;
  styles: string[];
  /** Scripts that the first one imports, so that the browser fetches them in parallel. */
  preloads: string[];
}

export interface Assets {
  /** @param source below `src/web/app`, such as `main.tsx` */
  entry(source: string): EntryFiles;
  /** Undefined for a name that is not one of them. */
  file(name: string): Promise<ServedFile> | undefined;
}

/** @throws {AppError} `unavailable` when the pages were not built */
export const loadAssets = loadOnce(async (): Promise<Assets> => {
  const [manifest, names] = await Promise.all([
    readFile(`${WEB}manifest.json`, 'utf8'),
    readdir(`${WEB}assets`),
  ]).catch((cause: unknown) => {
    throw unavailable('The pages are not built: run `npm run build`.', cause);
  });
  const chunks = new Map(
    Object.entries(z.record(z.string(), Chunk).parse(JSON.parse(manifest) as unknown)),
  );
  const files = new Map(
    names
      .filter((name) => TYPES.has(extname(name)))
      .map((name) => [name, loadOnce(() => readAsset(name))]),
  );
  return {
    entry: (source) => entryFiles(chunks, source),
    file: (name) => files.get(name)?.(),
  };
});

/** @throws {Error} for a source that is no entry */
function entryFiles(chunks: ReadonlyMap<string, Chunk>, source: string): EntryFiles {
  const entry = chunks.get(source);
  if (!entry) throw new Error(`${source} is no entry of the pages`);
  const seen = new Set<Chunk>([entry]);
  // A set is walked in the order in which it grows.
  for (const { imports } of seen) {
    for (const name of imports) {
      const imported = chunks.get(name);
      if (imported) seen.add(imported);
    }
  }
  const needed = [...seen];
  return {
    script: `/${entry.file}`,
    styles: [...new Set(needed.flatMap(({ css }) => css))].map((file) => `/${file}`),
    preloads: needed.slice(1).map(({ file }) => `/${file}`),
  };
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.woff2', 'font/woff2'],
]);

/** Its name holds the hash of its content. */
async function readAsset(name: string): Promise<ServedFile> {
  const read = (end: string) => loadOnce(() => readFile(`${WEB}assets/${name}${end}`));
  return {
    bytes: await readFile(`${WEB}assets/${name}`),
    contentType: TYPES.get(extname(name)) ?? 'application/octet-stream',
    etag: `W/"${name}"`,
    gzipped: read('.gz'),
    brotli: read('.br'),
  };
}
