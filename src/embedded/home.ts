import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The paths of the embedded stack. */
export interface HomePaths {
  root: string;
  mongodb: string;
  temporalDb: string;
  lock: string;
  /** The ports that were used last. */
  ports: string;
  secret: string;
  logs: { guard: string; mongod: string; temporal: string };
}

/** Makes the folders, readable by their owner only. */
export function prepareHome(root: string): HomePaths {
  const mongodb = join(root, 'mongodb');
  const temporal = join(root, 'temporal');
  const logs = join(root, 'logs');
  for (const folder of [root, mongodb, temporal, logs]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  closeToOthers(root);
  return {
    root,
    mongodb,
    temporalDb: join(temporal, 'temporal.db'),
    lock: join(root, 'lock.json'),
    ports: portsOf(root),
    secret: join(root, 'secret'),
    logs: {
      guard: join(logs, 'guard.log'),
      mongod: join(logs, 'mongod.log'),
      temporal: join(logs, 'temporal.log'),
    },
  };
}

/** The file with the ports that a home used last. */
export const portsOf = (root: string): string => join(root, 'ports.json');

/** A folder that was there before may be open. One that belongs to someone else stays as it is. */
function closeToOthers(folder: string): void {
  try {
    chmodSync(folder, 0o700);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

/**
 * The secret of this installation, 32 random bytes in hex, made once. Stored values are sealed with
 * it, so a lost secret is lost data: the file is written whole or not at all.
 * @throws {Error} when the file holds something else
 */
export function readOrCreateSecret(path: string): string {
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true });
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const secret = readFileSync(path, 'utf8').trim();
  if (/^[0-9a-f]{64}$/.test(secret)) return secret;
  throw new Error(`${path} must contain 64 hexadecimal digits. Restore it from a backup.`);
}
