/** The build of the pages, made only when their sources have changed. What makes them is loaded only then. */
import { join } from 'node:path';
import { unlessMade } from '../../lib/unlessMade.js';
import { FUNNEL_SOURCES, WEB_OUTPUT, WEB_SOURCES } from '../vite.config.js';

const ROOT = join(import.meta.dirname, '../../../..');

await unlessMade(
  {
    stamp: join(WEB_OUTPUT, 'sources.sha256'),
    sources: [
      WEB_SOURCES,
      FUNNEL_SOURCES,
      ...[
        'dist/cli/manifest.json',
        'src/web/build',
        'src/account/settings',
        'src/account/rules/capLimits.ts',
        'src/account/campaigns/pingSchema.ts',
        'src/account/capsSchema.ts',
        'src/account/rateLimit.ts',
        'src/web/vite.config.ts',
        'src/web/funnels/protocol.ts',
        'package-lock.json',
      ].map((path) => join(ROOT, path)),
    ],
  },
  async () => {
    const { buildWeb } = await import('./buildWeb.js');
    await buildWeb();
  },
);
