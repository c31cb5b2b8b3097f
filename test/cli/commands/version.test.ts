import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readVersion } from '../../../src/lib/version.js';
import { failed, runCli } from '../../support/cli.js';
import { startCliAccount, type CliAccount } from '../cliAccount.js';

let account: CliAccount;
let silent: Server;
let silentUrl: string;
beforeAll(async () => {
  account = await startCliAccount();
  silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await account.stop();
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
});

const own = readVersion();

describe('leadwire version', () => {
  it('shows the program, its Node, and the server', async () => {
    const { code, stdout } = await account.run(['version']);
    expect(code).toBe(0);
    const [program = '', node, server] = stdout.split('\n');
    expect(program).toMatch(
      /^leadwire \d+\.\d+\.\d+ \((?:commit \w+(?:-dirty)?, )?built 20\d\d-\S+Z\)$/,
    );
    expect(node).toBe(`Node ${process.versions.node}, ${process.platform} ${process.arch}`);
    expect(server).toBe(`server ${own} at ${account.api.url}`);
  });

  it('is data for programs, with chosen fields', async () => {
    const { url } = account.api;
    const all = await account.run(['version', '--json']);
    expect(JSON.parse(all.stdout)).toMatchObject({
      version: own,
      node: process.versions.node,
      server: url,
      server_version: own,
    });
    const some = await account.run(['version', '--json', 'version,server']);
    expect(JSON.parse(some.stdout)).toEqual({ version: own, server: url });
    expect((await account.run(['version', '--jq', '.server_version'])).stdout).toBe(`${own}\n`);
    expect(await account.run(['version', '--json', 'vesion'])).toMatchObject(
      failed(1, /Unknown field "vesion" of leadwire version.* Did you mean version\?/),
    );
  });

  it.each([
    ['is down', () => 'http://127.0.0.1:1'],
    ['does not answer within a second', () => silentUrl],
  ])('needs no key, and no server: one that %s', async (_what, url) => {
    const ended = await runCli(['version'], { HOME: '/nowhere', LEADWIRE_URL: url() });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain(`server: none at ${url()}\n`);
  });
});
