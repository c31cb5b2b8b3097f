/**
 * The build after the compiler: the bundle of the workflows and the list of commands, made only when their sources have
 * changed. What makes them is loaded only then. The commit is written each time.
 */
import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from 'node:process';
import { promisify } from 'node:util';
import { MANIFEST_PATH } from './actions/manifest.js';
import { COMMIT_PATH } from '../src/lib/build.js';
import { unlessMade } from '../src/lib/unlessMade.js';

const DIST = join(import.meta.dirname, '..');
const LOCK = join(DIST, '../package-lock.json');
/** `-dirty` where files differ from the commit. An image is built without the repository: there `COMMIT` names it. */
async function readCommit(): Promise<string> {
  if (env.COMMIT) return env.COMMIT;
  const args = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'];
  return promisify(execFile)('git', args, { cwd: DIST }).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
}

const isScript = (path: string): boolean => path.endsWith('.js');

// npm makes the program executable where it is installed; here it is as soon as it is built.
await chmod(join(DIST, 'cli/main.js'), 0o755);
await writeFile(COMMIT_PATH, `${await readCommit()}\n`);
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
