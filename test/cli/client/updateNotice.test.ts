/** The notice of a newer version: what it needs, what keeps it silent, and that no command waits for it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readNpmSettings } from '../../../cli/client/npmSettings.js';
import { isNewer } from '../../../cli/client/updateNotice.js';
import { readVersion } from '../../../src/lib/version.js';
import { runCli } from '../../support/cli.js';

const DAY_MS = 86_400_000;

let folder: string;
let home: string;
let registry: Server;
let url: string;
/** The paths that it was asked for. */
const asked: string[] = [];
let answer: { status: number; body: string } | 'silence';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leadwire-notice-'));
  registry = createServer((request, response) => {
    asked.push(String(request.url));
    if (answer === 'silence') return;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
});
afterAll(async () => {
  registry.closeAllConnections();
  await new Promise((resolve) => registry.close(resolve));
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  home = await mkdtemp(join(folder, 'home-'));
  asked.length = 0;
  answer = { status: 200, body: JSON.stringify({ name: 'leadwire', version: '99.0.0' }) };
});

/** A person at a terminal, who sees both outputs. */
const run = (environment: NodeJS.ProcessEnv = {}, answers: string[] | undefined = []) =>
  runCli(
    ['profiles', 'list'],
    { HOME: home, LEADWIRE_FORCE_TTY: '80', npm_config_registry: url, ...environment },
    { answers },
  );
const statePath = () => join(home, '.cache', 'leadwire', 'update.json');
const NOTICE = 'leadwire 99.0.0 is available';

describe('the notice of a newer version', () => {
  it('comes once a day, after what the command says', async () => {
    const first = await run();
    expect(first.stderr).toMatch(
      /^No profile is stored\.[^]*\nleadwire 99\.0\.0 is available; this is [\d.]+\. LEADWIRE_NO_UPDATE_NOTICE=1/,
    );
    expect(asked).toEqual(['/leadwire/latest']);
    expect((await run()).stderr).not.toContain(NOTICE);
    expect(asked).toHaveLength(1);
    const state = JSON.parse(await readFile(statePath(), 'utf8')) as { asked_at: number };
    await writeFile(statePath(), JSON.stringify({ asked_at: state.asked_at - DAY_MS }));
    expect((await run()).stderr).toContain(NOTICE);
  });

  it.each([
    ['in CI', { CI: 'true' }],
    ['by its variable', { LEADWIRE_NO_UPDATE_NOTICE: '1' }],
    ['by the variable of other programs', { NO_UPDATE_NOTIFIER: '1' }],
    ['by the setting of npm', { npm_config_update_notifier: 'false' }],
    ['without an address of a registry', { npm_config_registry: '' }],
    ['for an address that is none', { npm_config_registry: 'file:///etc' }],
    ['where the output goes into another program', { LEADWIRE_FORCE_TTY: '' }],
  ])('is silent, and asks nobody, %s', async (_what, environment) => {
    expect((await run(environment)).stderr).not.toContain('is available');
    expect(asked).toEqual([]);
  });

  it('is silent where nobody reads the messages', async () => {
    const ended = await runCli(['profiles', 'list'], {
      HOME: home,
      LEADWIRE_FORCE_TTY: '80',
      npm_config_registry: url,
    });
    expect([ended.code, asked]).toEqual([0, []]);
  });

  it.each([
    ['does not know the package', { status: 404, body: '{"error":"not found"}' }],
    ['has this version', { status: 200, body: `{"version":"${readVersion()}"}` }],
    ['has one before a release', { status: 200, body: '{"version":"99.0.0-rc.1"}' }],
    ['answers something else', { status: 200, body: '<html>' }],
  ])('is silent where the registry %s', async (_what, reply) => {
    answer = reply;
    expect(await run()).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('available'),
    });
    expect(asked).toHaveLength(1);
  });

  it('is not waited for, and a registry that is silent is not asked again that day', async () => {
    answer = 'silence';
    const begun = performance.now();
    expect((await run()).code).toBe(0);
    // The wait is 200 ms; a loaded machine takes its time for the rest.
    expect(performance.now() - begun).toBeLessThan(2_000);
    await run();
    expect(asked.length).toBeLessThanOrEqual(1);
  });

  it('does not fail where its folder cannot be written', async () => {
    await writeFile(join(home, '.cache'), 'a file');
    expect(await run()).toMatchObject({ code: 0 });
    expect(asked).toEqual([]);
  });
});

describe('the settings of npm', () => {
  it('are its variables, then the file of the folder, then that of the user', async () => {
    const project = join(home, 'project');
    await mkdir(project);
    const read = (environment: NodeJS.ProcessEnv = {}) =>
      readNpmSettings({ HOME: home, npm_config_globalconfig: '/nowhere', ...environment }, project);
    expect(read()).toEqual({ registry: null, notifies: true });
    await writeFile(
      join(home, '.npmrc'),
      'registry = "https://user.example/"\nupdate-notifier=false\n',
    );
    expect(read()).toEqual({ registry: 'https://user.example', notifies: false });
    await writeFile(
      join(project, '.npmrc'),
      '# registry=no\n@scope:registry=no\nregistry=https://project.example\n',
    );
    expect(read().registry).toBe('https://project.example');
    expect(read({ npm_config_registry: 'https://variable.example' }).registry).toBe(
      'https://variable.example',
    );
  });
});

describe('a version', () => {
  it.each([
    ['0.1.1', '0.1.0', true],
    ['0.10.0', '0.9.9', true],
    ['1.0.0', '0.99.99', true],
    ['0.1.0', '0.1.0', false],
    ['0.0.9', '0.1.0', false],
    ['1.0.0-beta', '0.1.0', false],
    ['latest', '0.1.0', false],
  ])('%s is newer than %s: %s', (version, than, expected) => {
    expect(isNewer(version, than)).toBe(expected);
  });
});
