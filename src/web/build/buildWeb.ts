/** Builds the pages into `dist/web`. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build } from 'vite';
import { filesAt } from '../../lib/unlessMade.js';
import { viteConfig, WEB_OUTPUT } from '../vite.config.js';
import { readCommands } from './commands.js';
import { buyerTerms, settingsTables } from './terms.js';

export async function buildWeb(): Promise<void> {
  const define = {
    BUYER_TERMS: JSON.stringify(buyerTerms()),
    COMMANDS: JSON.stringify(await readCommands()),
    SETTINGS_TABLES: JSON.stringify(settingsTables()),
  };
  await build({ ...viteConfig, define });
  await packAssets();
}

/** Compresses each file as far as possible, once, so that no request has to. */
async function packAssets(): Promise<void> {
  const assets = await filesAt(join(WEB_OUTPUT, 'assets'));
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
