/** `--watch` on a list. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startCli, type RunningCli } from '../../support/cli.js';
import { startCliAccount, type CliAccount } from '../cliAccount.js';

let account: CliAccount;
beforeAll(async () => {
  account = await startCliAccount();
});
afterAll(() => account.stop());

const watch = (args: string[], environment: NodeJS.ProcessEnv = {}): RunningCli =>
  startCli([...args], {
    ...account.surroundings,
    LEADWIRE_API_KEY: account.keys.all,
    NO_COLOR: '1',
    ...environment,
  });
const rename = (name: string) =>
  account.run(['suppliers', 'update', account.ids.supplier, '--name', name]);

describe('a watched list', () => {
  it('prints for programs the rows that are new or changed, and ends with 0', async () => {
    const lines = watch(['suppliers', 'list', '--watch', '2']);
    const [first] = await lines.lines(1);
    expect(first).toMatch(/^\S+\t/);
    await rename('Other');
    const [, second] = await lines.lines(2);
    expect(second).toBe(first?.replace(/\t[^\t]+/, '\tOther'));
    expect(await lines.interrupted()).toMatchObject({ code: 0, stderr: '' });
    expect(lines.stdout()).toBe(`${first}\n${second}\n`);
  });

  it('prints them as JSON, with the fields that are wanted', async () => {
    const lines = watch(['buyers', 'list', '--watch=2', '--jsonl']);
    const [row] = await lines.lines(1);
    expect(JSON.parse(row ?? '')).toMatchObject({ id: account.ids.buyer, name: 'Acme' });
    lines.loseReader();
    await account.run(['buyers', 'update', 'Acme', '--email', 'ops@acme.example']);
    expect(await lines.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('is drawn in its place on a terminal, and what was drawn last stays', async () => {
    const frames = watch(['suppliers', 'list', '--watch', '2'], { LEADWIRE_FORCE_TTY: '80' });
    await frames.lines(3);
    await rename('Renamed');
    const text = () => frames.stdout();
    await frames.lines(6);
    expect(await frames.interrupted()).toMatchObject({ code: 0 });
    const shown = text().replaceAll('\u001b', '^');
    const [before = '', after = ''] = shown.split('^[3F');
    expect(before).toMatch(
      /^leadwire suppliers list, \d\d:\d\d:\d\d ET, every 2 s\^\[K\nSTATUS +NAME +ID .*\^\[K\nactive .*\^\[K\^\[J\n$/,
    );
    expect(after).toMatch(/active {2}Renamed .*\^\[J\n/s);
  });

  it.each([
    [['--json'], '--json and --watch exclude each other: --jsonl prints each'],
    [['--csv'], '--csv and --watch exclude each other'],
    [['--all'], '--all and --watch exclude each other: --limit N watches more rows.'],
  ])('is refused with %j', async (flags, message) => {
    const ended = await account.run(['buyers', 'list', '--watch', ...flags]);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain(message);
  });

  it('is refused with a time that would use up the calls of the key', async () => {
    const { code, stderr } = await account.run(['buyers', 'list', '--watch', '1']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('It must be a whole number from 2 to 3600.'),
    ]);
  });
});
