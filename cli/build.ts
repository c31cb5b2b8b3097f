/**
 * The build after the compiler: the bundle of the workflows and the list of commands, made only when their sources have
 * changed. What makes them is loaded only then.
 */
import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUILD_PATH, MANIFEST_PATH } from './actions/manifest.js';
import { unlessMade } from '../src/lib/unlessMade.js';

const DIST = join(import.meta.dirname, '..');
const LOCK = join(DIST, '../package-lock.json');
const isScript = (path: string): boolean => path.endsWith('.js');

/** The commit, `-dirty` where files differ from it; null without git, as in an image. */
const commit = await promisify(execFile)(
  'git',
  ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'],
  { cwd: DIST },
).then(
  ({ stdout }) => stdout.trim(),
  () => null,
);
await writeFile(BUILD_PATH, `${JSON.stringify({ commit })}\n`);
// npm makes the program executable where it is installed; here it is as soon as it is built.
await chmod(join(DIST, 'cli/main.js'), 0o755);
await unlessMade(
  {
    stamp: join(DIST, 'programs.sha256'),
    sources: [...['src', 'workflows', 'cli'].map((folder) => join(DIST, folder)), LOCK],
    counts: (path) => isScript(path) || path === LOCK,
  },
  async () => {
    const { bundleWorkflows } = await import('../src/platform/temporal/bundle.js');
    const { REGISTRY } = await import('../src/api/actions/registry.js');
    const { makeManifest } = await import('./actions/makeManifest.js');
    await writeFile(MANIFEST_PATH, `${JSON.stringify(makeManifest(REGISTRY))}\n`);
    await bundleWorkflows();
  },
);
