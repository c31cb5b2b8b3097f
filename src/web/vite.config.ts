/** How the pages are built: an entry for each kind of page, one chunk for each screen, all of it served from here. */
import { fileURLToPath } from 'node:url';
import type { InlineConfig } from 'vite';

/** From the folder that this is compiled to. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export const WEB_SOURCES = `${ROOT}src/web/app`;
/** The pages of funnels, which use no framework. */
export const FUNNEL_SOURCES = `${ROOT}src/web/funnels/client`;
export const WEB_OUTPUT = `${ROOT}dist/web`;

/** Warnings that are not logged: packages that mark client code, as all of it is, and the duration of a slow build. */
const SILENCED: ReadonlySet<string> = new Set(['MODULE_LEVEL_DIRECTIVE', 'PLUGIN_TIMINGS']);

export const viteConfig: InlineConfig = {
  configFile: false,
  root: WEB_SOURCES,
  logLevel: 'warn',
  publicDir: false,
  build: {
    outDir: WEB_OUTPUT,
    emptyOutDir: true,
    manifest: 'manifest.json',
    target: 'es2023',
    // Those that have `light-dark()` and OKLCH: a person picks the theme, which no rewriting of the colors could follow.
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    // Nothing is loaded from `data:`, and browsers that lack module preloading do without.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      onLog(level, log, tell) {
        if (!SILENCED.has(log.code ?? '')) tell(level, log);
      },
      // A screen loads the parts that it uses, not all that `ui/index.ts` names.
      treeshake: {
        moduleSideEffects: [{ test: /\/src\/web\/app\/.*\.tsx?$/, sideEffects: false }],
      },
      input: {
        portal: `${WEB_SOURCES}/main.tsx`,
        console: `${WEB_SOURCES}/console.tsx`,
        design: `${WEB_SOURCES}/design.tsx`,
        funnel: `${FUNNEL_SOURCES}/funnel.ts`,
        embed: `${FUNNEL_SOURCES}/embed.ts`,
      },
    },
  },
};
