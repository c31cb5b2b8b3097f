import { ensureBinary, type BinaryRequest } from './binary.js';
import { mongodInstallers } from './mongodInstallers.js';
import { temporalInstallers } from './temporalInstallers.js';
import type { ServerName } from '../guardMessages.js';
import type { StackOptions } from '../stackOptions.js';
import { run } from './run.js';

/** Paths of the server programs to start; absent: that server is an outside one. */
export interface Programs {
  mongod?: string;
  temporal?: string;
}

/** Finds or installs a program for each server that is not given. */
export async function findPrograms(
  options: Omit<StackOptions, 'home' | 'temporalNamespace'>,
): Promise<Programs> {
  const { cacheDir, reporter } = options;
  const searchPath = process.env.PATH ?? '';
  const find = (request: Pick<BinaryRequest, 'name' | 'variable' | 'given' | 'installers'>) =>
    ensureBinary({
      ...request,
      cacheDir,
      reporter,
      searchPath,
      check: (path) => checkBinary(request.name, path),
    });
  const programs: Programs = {};
  if (!options.mongodbUri) {
    programs.mongod = await find({
      name: 'mongod',
      variable: 'LEADWIRE_MONGOD',
      given: options.mongodPath,
      installers: mongodInstallers,
    });
  }
  if (!options.temporalAddress) {
    programs.temporal = await find({
      name: 'temporal',
      variable: 'LEADWIRE_TEMPORAL',
      given: options.temporalPath,
      installers: temporalInstallers,
    });
  }
  return programs;
}

interface Rule {
  /** Finds the version that counts in what `--version` prints. */
  version: RegExp;
  minimum: readonly [major: number, minor: number];
  what: string;
}

/** Temporal: 1.28 has poller autoscaling and update-with-start as we use them. */
const RULES: Record<ServerName, Rule> = {
  mongod: { version: /db version v(\d+)\.(\d+)\.\S+/, minimum: [6, 0], what: 'MongoDB' },
  temporal: { version: /\(Server (\d+)\.(\d+)\.[^,)]+/, minimum: [1, 28], what: 'Temporal server' },
};

/**
 * Does this program run, and is it what it should be? Returns its version, for people.
 * @throws {Error} with the reason it cannot be used
 */
export async function checkBinary(name: ServerName, path: string): Promise<string> {
  const output = await run(path, ['--version'], { timeout: 30_000 });
  const { version, minimum, what } = RULES[name];
  const found = version.exec(output);
  if (!found) throw new Error(`it does not report its ${what} version`);
  const [major, minor] = [Number(found[1]), Number(found[2])];
  const isOld = major < minimum[0] || (major === minimum[0] && minor < minimum[1]);
  if (!isOld) return found[0].replace(/^\(/, '');
  throw new Error(`${what} ${minimum.join('.')} or newer is needed, it is ${found[0]}`);
}
