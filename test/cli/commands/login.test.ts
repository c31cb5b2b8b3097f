/** Login, the doctor, and completion. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createKey } from '../../../src/platform/security/keys.js';
import { failed, type Ended } from '../../support/cli.js';
import { startCliAccount, type CliAccount } from '../cliAccount.js';

let account: CliAccount;
beforeAll(async () => {
  account = await startCliAccount();
});
afterAll(() => account.stop());
const run: CliAccount['run'] = (...args) => account.run(...args);

describe('logging in', () => {
  it('stores a valid key, readable only by its owner, and shows only its beginning', async () => {
    const base = { XDG_CONFIG_HOME: join(account.home, 'login') };
    const refused = await run(['login'], base, { input: `${createKey('live')}\n` });
    expect(refused).toMatchObject(failed(4, /was revoked/));
    const typed = { input: `${account.keys.all}\n` };
    const login = await run(['login', '--profile', 'mine'], base, typed);
    expect(login).toMatchObject({ code: 0, stdout: '' });
    expect(login.stderr).toMatch(
      /^Logged in to Org \d+ at \S+ with the key Key \d+ \(lw_live_\w{4}…\), as profile mine\./,
    );
    const path = join(base.XDG_CONFIG_HOME, 'leadwire', 'profiles.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toContain(account.keys.all);
    const [who, list, doctor] = await Promise.all([
      run(['whoami', '--jq', '.organization.id,.source'], { ...base, LEADWIRE_URL: '' }),
      run(['profiles', 'list'], base),
      run(['doctor', '--json'], { ...base, LEADWIRE_URL: '' }),
    ]);
    expect(who.stdout).toBe(`${account.org.id}\nprofile mine\n`);
    for (const { stdout, stderr } of [login, who, list, doctor])
      expect(stdout + stderr).not.toContain(account.keys.all);
    const { checks } = JSON.parse(doctor.stdout) as { checks: { name: string; state: string }[] };
    expect(checks.map(({ name }) => name)).toEqual([
      'program',
      'profiles',
      'address',
      'server',
      'waiting',
      'clock',
      'key',
    ]);
    expect(checks.at(-1)).toMatchObject({ name: 'key', state: 'ok' });
  });

  it('says that it switches the profile in use, and how to return', async () => {
    const base = { XDG_CONFIG_HOME: join(account.home, 'switch') };
    const login = (name: string, environment: NodeJS.ProcessEnv = {}) =>
      run(['login', '--profile', name], { ...base, ...environment }, { input: account.keys.reads });
    const first = await login('live');
    expect(first.stderr).not.toContain('in use');
    expect((await login('staging')).stderr).toContain(
      'The profile in use is now staging; before it was live: leadwire profiles use live\n',
    );
    expect((await login('staging')).stderr).not.toContain('in use');
    expect((await login('live', { LEADWIRE_PROFILE: 'other' })).stderr).toContain(
      'LEADWIRE_PROFILE is set to other, and overrides it.',
    );
    const { stdout } = await run(['profiles', 'list', '--json', 'current,profile'], base);
    expect(JSON.parse(stdout)).toEqual([
      { current: true, profile: 'live' },
      { current: false, profile: 'staging' },
    ]);
  });

  it('needs a complete key', async () => {
    expect(await run(['login'], {}, { input: 'lw_live_tooshort\n' })).toMatchObject(
      failed(4, /This is not a complete key of Leadwire/),
    );
    expect(await run(['login'], {})).toMatchObject(failed(1, /send it on standard input/));
  });
});

describe('completion', () => {
  const values = ({ stdout }: Ended) =>
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t')[0]);

  it('knows commands, flags, words of a flag, and ids of the account by name', async () => {
    const ask = (...words: string[]) => run(['__complete', '--', ...words]);
    const [nouns, verbs, flags, words, at, flagged] = await Promise.all([
      ask('camp'),
      ask('campaigns', 'set-'),
      ask('campaigns', 'create', '--dai'),
      ask('campaigns', 'list', '--status', ''),
      ask('campaigns', 'get', ''),
      ask('campaigns', 'add-buyer', '--buyer-id', account.ids.buyer.slice(0, 8)),
    ]);
    expect(values(nouns)).toEqual(['campaigns']);
    expect(values(verbs)).toEqual(['set-fields', 'set-filters', 'set-cost-mode']);
    expect(values(flags)).toEqual(['--daily-cap', '--daily-caps', '--daily-budget']);
    expect(values(words)).toEqual(['ACTIVE', 'PAUSED', 'ARCHIVED']);
    expect(at.stdout).toContain(`${account.ids.campaign}\tAuto\n`);
    expect(flagged.stdout).toBe(`${account.ids.buyer}\tAcme\n`);
  });

  const has = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

  it('is what bash completes by', async () => {
    const script = `source <(leadwire completion bash); COMP_WORDS=(leadwire leads t); COMP_CWORD=2
      _leadwire; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const shown = await inShell('bash', script);
    expect(shown).toMatch(
      /^trail {2}\(Show the steps of a lead.*\)\ntail {2}\(Follow new leads.*\)\n$/,
    );
  });

  (!has('fish') ? it.skip : it)('is what fish completes by', async () => {
    const script = 'leadwire completion fish | source; complete -C "leadwire leads t"';
    expect(await inShell('fish', script)).toMatch(
      /^tail\tFollow new leads.*\ntrail\tShow the steps of a lead/,
    );
  });

  (!has('zsh') ? it.skip : it)('is what zsh can read', async () => {
    const script = 'compdef() { print -r -- "$@" }; source <(leadwire completion zsh)';
    expect(await inShell('zsh', script)).toBe('_leadwire leadwire\n');
  });

  /** With a program on its path that gives the answers of this one to what a shell may ask of it, and to nothing else. */
  async function inShell(shell: string, script: string): Promise<string> {
    const bin = join(account.home, 'bin');
    await mkdir(bin, { recursive: true });
    const cases = [
      ['completion', shell],
      ['__complete', '--', 'leads', 't'],
    ].map(async (args, n) => {
      const answer = join(bin, String(n));
      await writeFile(answer, (await run(args)).stdout);
      return `"${args.join(' ')}") exec cat "${answer}" ;;`;
    });
    const answers = (await Promise.all(cases)).join('\n');
    const program = `#!/bin/sh\ncase "$*" in\n${answers}\n*) exit 64 ;;\nesac\n`;
    await writeFile(join(bin, 'leadwire'), program, { mode: 0o755 });
    const env = { HOME: account.home, PATH: `${bin}:${process.env.PATH ?? ''}` };
    const { stdout } = await promisify(execFile)(shell, ['-c', script], { env });
    return stdout;
  }

  it('is silent without data, and has a script for each shell', async () => {
    const [silent, bash, other] = await Promise.all([
      run(['__complete', '--', 'campaigns', 'get', ''], {}),
      run(['completion', 'bash']),
      run(['completion', 'tcsh']),
    ]);
    expect(silent).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(bash.stdout).toContain('complete -o bashdefault');
    expect(other).toMatchObject(failed(1, /completion for bash, zsh, fish, not for tcsh/));
  });
});
