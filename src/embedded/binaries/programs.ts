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
  const find = (name: ServerName, program: Pick<BinaryRequest, 'given' | 'installers'>) => {
    const variable = `LEADWIRE_${name.toUpperCase()}`;
    const check = (path: string) => checkBinary(name, path);
    return ensureBinary({ ...program, name, variable, cacheDir, reporter, searchPath, check });
  };
  const { mongodPath, temporalPath } = options;
  const mongod = { given: mongodPath, installers: mongodInstallers };
  const temporal = { given: temporalPath, installers: temporalInstallers };
  return {
    mongod: options.mongodbUri ? undefined : await find('mongod', mongod),
    temporal: options.temporalAddress ? undefined : await find('temporal', temporal),
  };
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
