import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { archiveInstaller } from './archive.js';
import type { Installer } from './cache.js';
import { TEMPORAL_ARCHIVES, TEMPORAL_MODULE } from './pins.js';
import { run } from './run.js';

const BRING_MS = 5 * 60_000;
const BUILD_MS = 30 * 60_000;

export const temporalInstallers: readonly Installer[] = [
  archiveInstaller({
    what: 'the Temporal CLI',
    program: 'temporal',
    archives: TEMPORAL_ARCHIVES,
  }),
  {
    title: `Temporal CLI ${TEMPORAL_MODULE.version} built with Go, once, 4 to 5 minutes on two cores`,
    install: (folder, progress) => build(TEMPORAL_MODULE, folder, progress),
  },
];

/**
 * Builds the module where Go keeps it, so that the go.sum it comes with covers all it needs: `go install` of a
 * version ignores that file.
 */
async function build(
  module: typeof TEMPORAL_MODULE,
  folder: string,
  progress: (text: string) => void,
): Promise<string> {
  const env = goEnvironment(module.path);
  progress('bringing the module');
  const source = await bringModule(module, folder, env);
  progress('compiling');
  const program = join(folder, 'temporal');
  const done = { modules: 0, packages: 0 };
  await run('go', ['build', '-v', '-o', program, './cmd/temporal'], {
    cwd: source,
    env,
    timeout: BUILD_MS,
    onLine(line) {
      if (line.startsWith('go: ')) done.modules += 1;
      else done.packages += 1;
      progress(`${done.modules} modules fetched, ${done.packages} packages compiled`);
    },
  });
  if (existsSync(program)) return program;
  throw new Error('it left no temporal program');
}

/**
 * Fetches a module and checks it against its pinned sum.
 * @returns the folder of its source
 * @throws {Error} with the expected sum and the actual one
 */
export async function bringModule(
  { path, version, sum }: typeof TEMPORAL_MODULE,
  folder: string,
  env: NodeJS.ProcessEnv = goEnvironment(path),
): Promise<string> {
  const named = `${path}@${version}`;
  const output = await run('go', ['mod', 'download', '-json', named], {
    cwd: folder,
    env,
    timeout: BRING_MS,
  });
  const found = /"Sum": "([^"]+)"/.exec(output)?.[1] ?? 'none';
  if (found !== sum) {
    throw new Error(`the sum of ${named} is ${found}, expected ${sum}: nothing of it was built`);
  }
  const source = /"Dir": ("(?:[^"\\]|\\.)+")/.exec(output)?.[1];
  if (source === undefined) throw new Error(`go does not say where it keeps ${named}`);
  return JSON.parse(source) as string;
}

/**
 * The module itself is checked against our own sum, what it needs against its go.sum: the build works where the
 * checksum database cannot be reached, and no setting of the user's weakens it. A newer toolchain, where Go has to
 * fetch one, is checked against that database by Go.
 */
const goEnvironment = (module: string): NodeJS.ProcessEnv => ({
  ...process.env,
  GOFLAGS: '-mod=readonly -buildvcs=false',
  GONOSUMDB: module,
  GOWORK: 'off',
  GOINSECURE: '',
});
