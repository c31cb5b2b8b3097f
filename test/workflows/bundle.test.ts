import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { WORKFLOW_BUNDLE } from '../../src/platform/temporal/bundle.js';

/** The SDK and its dependencies. */
const WELCOME = ['@temporalio/common', '@temporalio/workflow', 'long', 'ms', 'nexus-rpc'];
const MB = 1_000_000;

/** The origin of each module of a bundle: packages, and files of the repository. */
function contentsOf(bundle: string): { packages: string[]; files: string[] } {
  const modules = [...bundle.matchAll(/^\/\*\*\*\/ "([^"]+)"/gm)].map(([, path = '']) => path);
  const packageOf = (path: string) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
  return {
    packages: [...new Set(modules.flatMap((path) => packageOf(path) ?? []))].sort(),
    files: modules.filter((path) => packageOf(path) === undefined),
  };
}

const builtinsIn = (bundle: string): string[] =>
  [...bundle.matchAll(/\brequire\("(?:node:)?([a-z_/]+)"\)/g)]
    .map(([, name = '']) => name)
    .filter((name) => builtinModules.includes(name));

describe('the bundle of the workflows', () => {
  let bundle: string;
  beforeAll(async () => {
    bundle = await readFile(WORKFLOW_BUNDLE, 'utf8');
  });

  it('contains only the workflows and the SDK', () => {
    const { packages, files } = contentsOf(bundle);
    expect(packages.filter((name) => !WELCOME.includes(name))).toEqual([]);
    expect(packages).toContain('@temporalio/workflow');
    const own = files.map((path) => /[^/]+$/.exec(path)?.[0]);
    for (const file of ['intake.js', 'destination.js', 'reconcile.js', 'messages.js'])
      expect(own).toContain(file);
  });

  it('contains no code of the activities and no schemas', () => {
    const { files } = contentsOf(bundle);
    expect(files.filter((path) => /\/(activities|src)\//.test(path))).toEqual([]);
    expect(bundle).not.toMatch(/ZodError|MongoClient|undici/);
  });

  it('needs no Node module', () => {
    expect(builtinsIn(bundle)).toEqual([]);
  });

  it('is below 1 MB, at a byte a character', async () => {
    expect((await stat(WORKFLOW_BUNDLE)).size).toBeLessThan(MB);
    expect(bundle).not.toMatch(/[^\0-\xff]/);
  });

  it('shows a package or a module that does not belong there', () => {
    const bad =
      '/***/ "./node_modules/zod/v4/index.js"\n/***/ "./dist/src/lib/clock.js"\nrequire("fs")';
    expect(contentsOf(bad)).toEqual({ packages: ['zod'], files: ['./dist/src/lib/clock.js'] });
    expect(builtinsIn(bad)).toEqual(['fs']);
  });

  it('cannot be built with a workflow that imports node:crypto', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'leadwire-bundle-'));
    try {
      const workflowsPath = join(folder, 'bad.js');
      await writeFile(
        workflowsPath,
        "import { randomUUID } from 'node:crypto';\nexport const bad = async () => randomUUID();\n",
      );
      const said: string[] = [];
      const logger = new DefaultLogger('ERROR', ({ message }) => void said.push(message));
      await expect(bundleWorkflowCode({ workflowsPath, logger })).rejects.toThrow(/Webpack/);
      expect(said.join('\n')).toMatch(/node:crypto/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
