import type { ServerName } from '../guardMessages.js';
import { run } from './run.js';

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
