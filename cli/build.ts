/**
 * The build after the compiler: the bundle of the workflows, the list of commands and the pages, each made only when what
 * it is made of has changed. What makes them is loaded only then.
 */
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MANIFEST_PATH } from './actions/manifest.js';
import { unlessMade } from '../src/lib/unlessMade.js';
import { FUNNEL_SOURCES, WEB_OUTPUT, WEB_SOURCES } from '../src/web/vite.config.js';

const DIST = join(import.meta.dirname, '..');
const ROOT = join(DIST, '..');
const LOCK = join(ROOT, 'package-lock.json');
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
await unlessMade(
  {
    stamp: join(WEB_OUTPUT, 'sources.sha256'),
    sources: [
      WEB_SOURCES,
      FUNNEL_SOURCES,
      join(ROOT, 'src/web/build'),
      join(ROOT, 'src/account/settings'),
      join(ROOT, 'src/account/rules/capLimits.ts'),
      join(ROOT, 'src/account/settings/partnerTerms.ts'),
      join(ROOT, 'src/web/vite.config.ts'),
      join(ROOT, 'src/web/funnels/protocol.ts'),
      LOCK,
    ],
  },
  async () => {
    const { buildWeb } = await import('../src/web/build/buildWeb.js');
    await buildWeb();
  },
);
