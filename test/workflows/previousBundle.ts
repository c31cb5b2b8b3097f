/**
 * The workflows of the latest release, kept so that tests can check that it continues what newer code has begun.
 * With each release, after `npm run build` of the release:
 *
 *   node dist/test/workflows/previousBundle.js
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { WORKFLOW_BUNDLE } from '../../src/platform/temporal/bundle.js';
import { projectRoot } from './histories.js';

const FILE = join(projectRoot(), 'test', 'fixtures', 'previous-workflow-bundle.js.br');
const MAP = '//# sourceMappingURL=data:application/json;charset=utf-8;base64,';
/** The code of the latest release in the form that a worker takes. */
export const readPreviousBundle = async (): Promise<string> =>
  brotliDecompressSync(await readFile(FILE)).toString('utf8');

async function keep(): Promise<void> {
  const bundle = await readFile(WORKFLOW_BUNDLE, 'utf8');
  const at = bundle.lastIndexOf(MAP);
  const full = JSON.parse(fromBase64(bundle.slice(at + MAP.length))) as object;
  // A worker requires a source map; its content does not matter here.
  const map = Buffer.from(JSON.stringify({ ...full, names: [], mappings: '' })).toString('base64');
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(FILE, brotliCompressSync(`${bundle.slice(0, at)}${MAP}${map}`, { params }));
}

const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString('utf8');

if (process.argv[1] === fileURLToPath(import.meta.url)) await keep();
