import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testFolder, type TestFolder } from '../embedded/support.js';
import { readRoot, ROOT } from './repository.js';

interface Package {
  version?: string;
  integrity?: string;
  dev?: boolean;
}
interface Component {
  name: string;
  version: string;
  hashes?: { alg: string; content: string }[];
}

const run = promisify(execFile);
const hexOf = (integrity: string): string =>
  Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');

describe('the check of the packages', () => {
  let folder: TestFolder;
  beforeAll(() => {
    folder = testFolder();
    mkdirSync(join(folder.path, '.ci'));
    for (const file of [
      'package.json',
      'package-lock.json',
      '.ci/supply',
      '.ci/productionOnly.mjs',
    ]) {
      cpSync(join(ROOT, file), join(folder.path, file));
    }
  });
  afterAll(() => folder.remove());

  const real = () => execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  const NO_PACKAGES = JSON.stringify({
    metadata: { component: { 'bom-ref': 'leadwire' } },
    components: [],
    dependencies: [],
  });
  interface Npm {
    /** The output and the exit code of its audit. */
    report: string;
    status: number;
    /** A command that lists the packages; most runs are not about them, and listing all takes a second. */
    sbom?: string;
  }

  /** Runs it with such an npm. */
  const check = async (
    { report, status, sbom = `echo '${NO_PACKAGES}'` }: Npm,
    more: Record<string, string> = {},
  ) => {
    const bin = join(folder.path, 'bin');
    mkdirSync(bin, { recursive: true });
    const audit = `cat <<'END'\n${report}\nEND\nexit ${String(status)}`;
    const fake = `#!/bin/sh\nif [ "$1" != audit ]; then ${sbom}; exit; fi\n${audit}\n`;
    writeFileSync(join(bin, 'npm'), fake);
    chmodSync(join(bin, 'npm'), 0o755);
    const env = { ...process.env, ...more, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };
    return run(join(folder.path, '.ci', 'supply'), { env }).then(
      ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
      (error: unknown) => {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
        return { code, said: stdout + stderr };
      },
    );
  };

  it('lists each package of production with its version and hash, and none of development', async () => {
    const npm = { report: '{"vulnerabilities":{}}', status: 0, sbom: `${real()} "$@"` };
    expect(await check(npm)).toMatchObject({ code: 0 });
    const { bomFormat, components } = JSON.parse(
      readFileSync(join(folder.path, 'dist', 'sbom.cdx.json'), 'utf8'),
    ) as { bomFormat: string; components: Component[] };
    expect(bomFormat).toBe('CycloneDX');
    const listed = components.map(({ name, version, hashes = [] }) =>
      [name, version, hashes.find(({ alg }) => alg === 'SHA-512')?.content].join(' '),
    );
    const { packages } = JSON.parse(readRoot('package-lock.json')) as {
      packages: Record<string, Package>;
    };
    const locked = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
    const expected = locked.map(([path, { version, integrity = '' }]) =>
      [path.slice(path.lastIndexOf('node_modules/') + 13), version, hexOf(integrity)].join(' '),
    );
    expect(expected.length).toBeGreaterThan(50);
    expect(new Set(listed)).toEqual(new Set(expected));
  });

  it('fails on an advisory of level high', async () => {
    const report = '{"vulnerabilities":{"koa":{"severity":"high"}}}';
    const { code, said } = await check({ report, status: 1 });
    expect(code).toBe(1);
    expect(said).toContain('packages of production have advisories of level high');
  });

  it('reports that nothing was checked where the registry has no advisories, and fails where that is required', async () => {
    const report = '{"message":"405 Method Not Allowed","statusCode":405}';
    const { code, said } = await check({ report, status: 1 });
    expect(code).toBe(0);
    expect(said).toContain('NOT CHECKED: the registry has no advisories');
    expect(await check({ report, status: 1 }, { REQUIRE_AUDIT: '1' })).toMatchObject({ code: 1 });
  });

  it.each(['', 'null', '{"statusCode":503}', '{"error":{"code":"ETIMEDOUT"}}', '<html>'])(
    'fails when the audit gives no result: %j',
    async (report) => {
      const { code, said } = await check({ report, status: 1 });
      expect(code).toBe(1);
      expect(said).toContain('npm audit: no result');
    },
  );

  it('fails when the packages cannot be listed', async () => {
    const npm = { report: '{"vulnerabilities":{}}', status: 0, sbom: 'false' };
    expect(await check(npm)).toMatchObject({ code: 1 });
  });
});
