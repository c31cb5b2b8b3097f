/** The commands of the account: lists, changes, and errors. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKey } from '../../../src/platform/security/keys.js';
import { failed } from '../../support/cli.js';
import { sideBySide } from '../../support/sideBySide.js';
import { startCliAccount, type CliAccount } from '../cliAccount.js';

let account: CliAccount;
beforeAll(async () => {
  account = await startCliAccount();
});
afterAll(() => account.stop());
const run: CliAccount['run'] = (...args) => account.run(...args);

describe('the output of a list', () => {
  const together = sideBySide();

  together('in a pipe: lines with tabs, no title, no colour', async () => {
    const { code, stdout, stderr } = await run(['campaigns', 'list']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      new RegExp(`^${account.ids.campaign}\tAuto\tACTIVE\tWATERFALL\t\\d+\t\\d{4}-\\S+Z\t\n$`),
    );
  });

  together('in a terminal: a table of its width, in colour', async () => {
    const environment = { LEADWIRE_API_KEY: account.keys.all, LEADWIRE_FORCE_TTY: '100' };
    const { stdout } = await run(['campaigns', 'list'], environment);
    // eslint-disable-next-line no-control-regex
    const plain = stdout.replaceAll(/\u001b\[\d+m/g, '');
    expect(plain).not.toBe(stdout);
    const [head, row] = plain.split('\n');
    expect(head).toMatch(/^STATUS +NAME +ID +DISTRIBUTION +.* VERSION /);
    const short = account.ids.campaign.slice(0, 8);
    expect(row).toMatch(new RegExp(`^ACTIVE +Auto +${short} +WATERFALL`));
    expect(Math.max(...plain.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  together('without colour where NO_COLOR, TERM=dumb or --color never say so', async () => {
    const base = { LEADWIRE_API_KEY: account.keys.all, LEADWIRE_FORCE_TTY: '90' };
    const [no, dumb, never, always] = await Promise.all([
      run(['buyers', 'list'], { ...base, NO_COLOR: '1' }),
      run(['buyers', 'list'], { ...base, TERM: 'dumb' }),
      run(['buyers', 'list', '--color', 'never'], base),
      run(['buyers', 'list', '--color=always'], { ...base, NO_COLOR: '1' }),
    ]);
    const painted = [no, dumb, never, always].map(({ stdout }) => stdout.includes('\u001b['));
    expect(painted).toEqual([false, false, false, true]);
  });

  together('as JSON of some fields, JSON lines, CSV, and what jq makes of it', async () => {
    const [json, lines, csv, jq] = await Promise.all([
      run(['suppliers', 'list', '--json', 'name,status']),
      run(['suppliers', 'list', '--jsonl']),
      run(['suppliers', 'list', '--csv', '--json', 'name,test_mode']),
      run(['suppliers', 'list', '--jq', '.[0].name']),
    ]);
    expect(JSON.parse(json.stdout)).toEqual([{ name: 'Search', status: 'active' }]);
    expect(JSON.parse(lines.stdout)).toMatchObject({ id: account.ids.supplier, name: 'Search' });
    expect(csv.stdout).toBe('name,test_mode\nSearch,false\n');
    expect(jq.stdout).toBe('Search\n');
  });

  together('names the fields that may be asked for, before it calls', async () => {
    const ended = await run(['buyers', 'list', '--json', 'nam'], {});
    expect(ended).toMatchObject(failed(1, /Unknown field "nam".*Did you mean name\?.*\n {2}id\n/s));
  });

  together('never cut in silence: it says how to get the rest, and gets all', async () => {
    const one = await run(['audit', 'list', '--limit', '2', '--json', 'action']);
    expect(JSON.parse(one.stdout)).toHaveLength(2);
    expect(one.stderr).toMatch(
      /^Showing 2, and there are more: --all, --limit N, or --cursor \S+\n$/,
    );
    const cursor = /--cursor (\S+)/.exec(one.stderr)?.[1] ?? '';
    const [next, all] = await Promise.all([
      run(['audit', 'list', '--limit', '1', '--cursor', cursor, '--json', 'action']),
      run(['audit', 'list', '--all', '--jsonl', '--json', 'action']),
    ]);
    const rows = all.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(rows.length).toBeGreaterThanOrEqual(5);
    expect(rows.slice(2, 3)).toEqual(JSON.parse(next.stdout));
    expect(all.stderr).toBe('');
  });
});

describe('a change', () => {
  it('is shown and not sent by --dry-run, with the problems of its input', async () => {
    const args = ['campaigns', 'update', account.ids.campaign, '--daily-cap', '9', '--dry-run'];
    const [shown, json, bad] = await Promise.all([
      run(args),
      run([...args, '--json'], {}),
      run([...args, '--max-sells', '99', '--status', 'SLEEPING']),
    ]);
    expect(shown.stdout).toContain(`POST ${account.api.url}/api/v1/actions/update_campaign\n`);
    expect(shown.stdout).toContain(`Bearer ${account.keys.all.slice(0, 12)}…\n`);
    expect(shown.stdout + shown.stderr).not.toContain(account.keys.all);
    expect(JSON.parse(json.stdout)).toMatchObject({
      dry_run: true,
      input: { campaign_id: account.ids.campaign, daily_cap: 9 },
    });
    expect(bad).toMatchObject(
      failed(1, /--status {2}status must be.*\n.*--max-sells {2}max_sells/),
    );
    const { stdout } = await run(['campaigns', 'get', account.ids.campaign, '--jq', '.daily_cap']);
    expect(stdout).toBe('null\n');
  });

  it('is read from flags, from a file on standard input, and from both', async () => {
    const made = await run(
      ['campaigns', 'create', '--input', '-', '--name', 'Solar', '--jq', '.name,.daily_cap'],
      undefined,
      { input: '{"name":"Wind","dailyCap":7}' },
    );
    expect(made).toEqual({ code: 0, stdout: 'Solar\n7\n', stderr: '' });
    const list = await run(
      ['suppressions', 'upload', '--name', 'Do not call', '--csv', '@-', '--jq', '.added'],
      undefined,
      { input: 'phone\n4155550134\n' },
    );
    expect(list).toEqual({ code: 0, stdout: '1\n', stderr: '' });
    const off = await run([
      'buyers',
      'update',
      account.ids.buyer,
      '--no-test-mode',
      '--email',
      'null',
      '--json',
      'test_mode,email',
    ]);
    expect(JSON.parse(off.stdout)).toEqual({ test_mode: false, email: null });
  });

  it('that cannot be undone needs a confirmation, and a severe one the name', async () => {
    const { id } = await account.api.done<{ id: string }>(account.org, 'create_supplier', {
      name: 'Gone',
    });
    const { id: key } = await account.api.done<{ id: string }>(account.org, 'create_api_key', {
      name: 'Old',
    });
    const [no, silent, wrong] = await Promise.all([
      run(['keys', 'revoke', key]),
      run(['suppliers', 'delete', id, '--yes']),
      run(['suppliers', 'delete', id, '--confirm', 'Gine']),
    ]);
    expect(no).toMatchObject(
      failed(
        1,
        'Error: This cannot be undone, and there is no terminal to ask for confirmation: add --yes. (Revoke a key)\n',
      ),
    );
    expect(silent).toMatchObject(failed(1, /add --confirm with its name, "Gone"/));
    expect(wrong).toMatchObject(failed(1, /is not the name.*which is "Gone". Nothing was done/));
    const [yes, named] = await Promise.all([
      run(['keys', 'revoke', key, '--yes', '--jq', '.id']),
      run(['suppliers', 'delete', id, '--confirm', 'Gone']),
    ]);
    expect([yes.code, yes.stdout, named.code]).toEqual([0, `${key}\n`, 0]);
    const left = await run(['suppliers', 'list', '--jq', '.[].name']);
    expect(left.stdout).toBe('Search\n');
  });
});

describe('errors', () => {
  let other: Server;
  let otherUrl: string;
  let answers = 0;
  beforeAll(async () => {
    other = createServer((request, response) => {
      if (request.url?.includes('list_buyers') !== true) return void response.end('<html>');
      const isFirst = (answers += 1) === 1;
      response.writeHead(isFirst ? 429 : 504, { 'content-type': 'application/json' });
      const refusal = isFirst
        ? { error: 'rate_limited', message: 'Too many.', retry_after: 1 }
        : { error: 'outcome_unknown', message: 'It goes on.' };
      response.end(JSON.stringify({ success: false, ...refusal }));
    });
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => other.close(resolve)));
  const together = sideBySide();

  together('without a key: 4, and how to log in', async () => {
    expect(await run(['buyers', 'list'], {})).toMatchObject(
      failed(4, /^Error: There is no key .*\nLog in: leadwire login --url/),
    );
  });

  together('with a key that is not known: 4, and where it is from', async () => {
    const ended = await run(['buyers', 'list'], { LEADWIRE_API_KEY: createKey('live') });
    expect(ended).toMatchObject(failed(4, /was revoked\.\nThe key is from LEADWIRE_API_KEY/));
  });

  together('without the permission: 1, which one, and how to get a key', async () => {
    const args = ['buyers', 'create', '--name', 'New'];
    expect(await run(args, { LEADWIRE_API_KEY: account.keys.reads })).toMatchObject(
      failed(
        1,
        /needs the permission buyers:write.*\n.*keys create --name NAME --permissions buyers:write/,
      ),
    );
  });

  together('with input that does not fit: 1, each fault at its flag', async () => {
    const args = ['campaigns', 'create', '--name', 'X', '--daily-cap', '-1', '--max-sells', '0'];
    const { code, stderr } = await run(args);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^Error: leadwire campaigns create was refused:\n {2}--max-sells {2}max_sells/,
    );
    expect(stderr).toMatch(
      /\n {2}--daily-cap {2}daily_cap must be at least 0\.\nUsage: .*--help\n$/,
    );
  });

  together('with an id that does not exist: 1, and how to list those that do', async () => {
    expect(await run(['buyers', 'get', 'none'])).toMatchObject(
      failed(1, 'Error: There is no buyer none.\nList them: leadwire buyers list\n'),
    );
  });

  together('with no server: 1, and how to start one', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    const environment = {
      LEADWIRE_API_KEY: account.keys.all,
      LEADWIRE_URL: `http://127.0.0.1:${port}`,
    };
    expect(await run(['buyers', 'list'], environment)).toMatchObject(
      failed(
        1,
        /^Error: Cannot reach http:\/\/127\.0\.0\.1:\d+: .*\n.*leadwire up starts one here/,
      ),
    );
  });

  together('with something else at the address: 1', async () => {
    const environment = { LEADWIRE_API_KEY: account.keys.all, LEADWIRE_URL: `${otherUrl}/no` };
    expect(await run(['campaigns', 'list'], environment)).toMatchObject(
      failed(1, /is not Leadwire \(status 200/),
    );
  });

  together('over the limit it waits and says so; what is not known yet is 8', async () => {
    const environment = { LEADWIRE_API_KEY: account.keys.all, LEADWIRE_URL: otherUrl };
    expect(await run(['buyers', 'list'], environment)).toMatchObject(
      failed(
        8,
        /^The rate limit of this key is reached: waiting 1 s\. Ctrl-C ends it\.\nError: It goes on\./,
      ),
    );
  });

  together('without what is required: 1, before it calls', async () => {
    expect(await run(['campaigns', 'add-buyer', '--buyer-id', 'b'], {})).toMatchObject(
      failed(1, /^Error: This is required:\n {2}--campaign-id {2}The id of the campaign\n/),
    );
  });
});
