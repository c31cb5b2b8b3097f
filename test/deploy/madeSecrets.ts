/** The output of `deploy/make-secrets`, in a folder of the test's own. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SECRETS } from './compose.js';
import { ROOT } from './repository.js';

export interface MadeSecrets {
  path: string;
  read(name: string): string;
  /** Replaces paths of the containers with paths of this machine. */
  replace(name: string, change: (text: string) => string): void;
  remove(): void;
}

/** @param env the content of a `.env` file next to it */
export function makeSecrets(env?: string): MadeSecrets {
  const home = mkdtempSync(join(tmpdir(), 'leadwire-secrets-'));
  if (env !== undefined) writeFileSync(join(home, '.env'), env);
  const path = join(home, 'secrets');
  const make = () => execFileSync('sh', [join(ROOT, 'deploy/make-secrets')], { cwd: home });
  make();
  const read = (name: string) => readFileSync(join(path, name), 'utf8').trim();
  const before = read('mongodb_uri');
  // Running it again keeps the existing secrets.
  make();
  if (read('mongodb_uri') !== before) throw new Error('make-secrets made a password anew.');
  return {
    path,
    read,
    replace(name, change) {
      const file = join(path, name);
      chmodSync(file, 0o600);
      writeFileSync(file, change(readFileSync(file, 'utf8')).replaceAll(SECRETS, `${path}/`));
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
