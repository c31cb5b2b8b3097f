import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkUrl, findConnection, isInTheClear } from '../../../cli/client/connection.js';
import { profilesPath, readProfiles, writeProfiles } from '../../../cli/client/profiles.js';
import { failed, runCli } from '../../support/cli.js';

const profile = (url: string, api_key = 'lw_live_abcdEFGH') => ({
  url,
  api_key,
  organization: 'Acme',
  key_name: 'Mine',
});
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'leadwire-profiles-'));
});
afterAll(() => rm(home, { recursive: true }));

let made = 0;
const freshEnvironment = () => ({ HOME: home, XDG_CONFIG_HOME: join(home, `c${++made}`) });

describe('stored profiles', () => {
  it('are where the XDG specification says', () => {
    expect(profilesPath({ HOME: '/h' })).toBe('/h/.config/leadwire/profiles.json');
    expect(profilesPath({ HOME: '/h', XDG_CONFIG_HOME: '/x' })).toBe('/x/leadwire/profiles.json');
    expect(profilesPath({ HOME: '/h', XDG_CONFIG_HOME: 'x' })).toBe(
      '/h/.config/leadwire/profiles.json',
    );
  });

  it('can be read only by their owner, and are replaced as a whole', async () => {
    const environment = freshEnvironment();
    expect(readProfiles(environment)).toEqual({ current: null, profiles: {} });
    const path = writeProfiles(environment, { current: 'a', profiles: { a: profile('http://a') } });
    await chmod(path, 0o644);
    writeProfiles(environment, { current: 'a', profiles: { a: profile('http://b') } });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(path, '..'))).toEqual(['profiles.json']);
    expect(readProfiles(environment).profiles.a?.url).toBe('http://b');
  });

  it('are reported when they are damaged', async () => {
    const environment = freshEnvironment();
    const path = writeProfiles(environment, { current: null, profiles: {} });
    for (const content of ['{', '[]', '{"profiles":{"a":{}}}']) {
      await writeFile(path, content);
      expect(() => readProfiles(environment)).toThrow('is damaged. Delete it, and log in again');
    }
  });

  it('are listed with only the beginning of a key, used, and removed', async () => {
    const environment = freshEnvironment();
    const profiles = { a: profile('http://a'), b: profile('http://b') };
    const path = writeProfiles(environment, { current: 'a', profiles });
    const run = (...args: string[]) => runCli(args, environment);
    expect((await run('profiles', 'list')).stdout).toBe(
      'true\ta\tAcme\tMine\tlw_live_abcd…\thttp://a\nfalse\tb\tAcme\tMine\tlw_live_abcd…\thttp://b\n',
    );
    expect((await run('profiles', 'use', 'b')).stderr).toContain(
      'In use from now on: b (Acme at http://b)',
    );
    expect((await run('logout')).stderr).toMatch(
      /profile b \(lw_live_abcd…\) is forgotten.*profiles use a/,
    );
    expect(readProfiles(environment).current).toBeNull();
    expect((await run('profiles', 'remove', 'a')).code).toBe(0);
    expect(await readFile(path, 'utf8')).not.toContain('lw_live_');
    expect(await run('logout')).toEqual(failed(1, /^Error: There is no profile in use/));
    expect(await run('profiles', 'use', 'c')).toEqual(
      failed(1, /^Error: There is no profile c\. None is stored yet\./),
    );
  });
});

describe('the account that a command uses', () => {
  const environment = { HOME: '/nowhere' };
  const stored = () => {
    const own = freshEnvironment();
    writeProfiles(own, {
      current: 'a',
      profiles: { a: profile('http://a', 'key-a'), b: profile('http://b', 'key-b') },
    });
    return own;
  };

  it.each([
    ['the profile in use', {}, undefined, ['http://a', 'profile a', 'key-a', 'profile a']],
    [
      'LEADWIRE_PROFILE',
      { LEADWIRE_PROFILE: 'b' },
      undefined,
      ['http://b', 'profile b', 'key-b', 'profile b'],
    ],
    [
      'the environment',
      { LEADWIRE_API_KEY: 'k', LEADWIRE_URL: 'http://e/' },
      undefined,
      ['http://e', 'LEADWIRE_URL', 'k', 'LEADWIRE_API_KEY'],
    ],
    [
      'a key for this machine',
      { LEADWIRE_API_KEY: 'k' },
      undefined,
      ['http://127.0.0.1:8080', 'nothing', 'k', 'LEADWIRE_API_KEY'],
    ],
    [
      '--profile above all',
      { LEADWIRE_API_KEY: 'k', LEADWIRE_PROFILE: 'a' },
      'b',
      ['http://b', 'profile b', 'key-b', 'profile b'],
    ],
    [
      'the stored key for its own server',
      { LEADWIRE_URL: 'http://a' },
      undefined,
      ['http://a', 'LEADWIRE_URL', 'key-a', 'profile a'],
    ],
    [
      'no key for another server',
      { LEADWIRE_URL: 'http://other' },
      undefined,
      ['http://other', 'LEADWIRE_URL', null, 'nothing'],
    ],
  ])('is %s', (_what, variables, named, [url, urlSource, key, keySource]) => {
    const found = findConnection({ ...stored(), ...variables }, named);
    expect(found).toEqual({ url, urlSource, key, keySource });
  });

  it('is this machine and no key by default', () => {
    expect(findConnection(environment, undefined)).toMatchObject({
      key: null,
      urlSource: 'nothing',
    });
  });

  it.each([
    ['leads.example.com', 'must begin with http:// or https://, not "leads.example.com"'],
    ['ftp://x', 'must begin with http:// or https://, not ftp://'],
    ['https://user:pass@x', 'must have no user'],
    ['https://x/?a=1', 'must have no user, query or fragment'],
  ])('refuses the address %s', (url, message) => {
    expect(() => checkUrl(url)).toThrow(message);
  });

  it('detects connections where a key could be read in transit', () => {
    expect(
      ['http://x.example', 'http://127.0.0.1:80', 'http://[::1]', 'https://x'].map(isInTheClear),
    ).toEqual([true, false, false, false]);
  });
});
