/** The generators of clients that `.ci/generators` installs from the Python package index. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from '@jest/globals';
import { readConfig } from '../../../src/app/config.js';
import { readRoot } from '../../deploy/repository.js';

/** Paths of programs. */
export interface Programs {
  python: string;
  openapiGenerator: string;
  openapiPythonClient: string;
}

/**
 * A block of tests with these programs. Without them they are skipped, with a line that says so; with REQUIRE_GENERATORS=1
 * they fail.
 */
export function describeWithPackages(title: string, body: (programs: Programs) => void): void {
  const folder = folderOfPackages();
  if (existsSync(join(folder, 'complete'))) {
    const bin = join(folder, 'bin');
    const python = join(bin, 'python');
    const [openapiGenerator, openapiPythonClient] = [
      join(bin, 'openapi-generator-cli'),
      join(bin, 'openapi-python-client'),
    ];
    describe(title, () => body({ python, openapiGenerator, openapiPythonClient }));
    return;
  }
  const missing = 'there are no generators of clients: run .ci/generators';
  if (process.env.REQUIRE_GENERATORS === '1') {
    it(title, () => {
      throw new Error(missing);
    });
    return;
  }
  process.stderr.write(`Skipped, ${missing}: ${title}\n`);
  describe.skip(title, () => {
    it('by a generator', () => undefined);
  });
}

/** One for each list of packages, as `.ci/generators` names it. */
function folderOfPackages(): string {
  const list = readRoot('test/contract/generators/requirements.txt');
  const sum = createHash('sha256').update(list).digest('hex').slice(0, 16);
  return join(readConfig(process.env).cacheDir, 'generators', sum);
}
