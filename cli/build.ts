/**
 * The build after the compiler: the bundle of the workflows and the list of commands, made only when their sources have
 * changed. What makes them is loaded only then.
 */
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MANIFEST_PATH } from './actions/manifest.js';
import { unlessMade } from '../src/lib/unlessMade.js';

const DIST = join(import.meta.dirname, '..');
const LOCK = join(DIST, '../package-lock.json');
const isScript = (path: string): boolean => path.endsWith('.js');

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
