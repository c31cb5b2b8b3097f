/** Values in words, samples, and verbs of their own: from the command line to what the service has stored. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { failed } from '../../support/cli.js';
import { startCliAccount, type CliAccount } from '../cliAccount.js';

let account: CliAccount;
let place: string[];
beforeAll(async () => {
  account = await startCliAccount();
  const { campaign, buyer } = account.ids;
  place = ['--campaign-id', campaign, '--buyer-id', buyer];
});
afterAll(() => account.stop());
const run: CliAccount['run'] = (...args) => account.run(...args);
const update = (...args: string[]) => run(['campaigns', 'update-buyer', ...place, ...args]);

/** What `--dry-run` would send. */
async function inputOf(...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run([...args, '--dry-run', '--json']);
  if (code !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as { input: Record<string, unknown> }).input;
}

describe('values in words', () => {
  it('are stored as the JSON that they stand for', async () => {
    const ended = await update(
      '--schedule',
      'mon-fri 9-17',
      '--filter',
      'state in CA,TX and zip_code is not empty',
      '--cap',
      'daily=50,sun=0',
      '--cap',
      'hourly=5',
      '--budget',
      'monthly=900.5',
      '--json',
    );
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({
      schedule: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
      filters: {
        all: [
          { field: 'state', operator: 'IN', value: ['CA', 'TX'] },
          { field: 'zip_code', operator: 'IS NOT EMPTY' },
        ],
      },
      daily_cap: 50,
      daily_caps: { sun: 0 },
      hourly_cap: 5,
      monthly_budget: 900.5,
    });
  });

  it('remove a limit, and set a filter to none', async () => {
    const ended = await update('--cap', 'hourly=none', '--filters', 'null', '--json');
    expect(JSON.parse(ended.stdout)).toMatchObject({ hourly_cap: null, filters: null });
  });

  it('may be given by the flag of the JSON, and by a file', async () => {
    const input = await inputOf('campaigns', 'update-buyer', ...place, '--filters', 'state == CA');
    expect(input.filters).toEqual({ all: [{ field: 'state', operator: '==', value: 'CA' }] });
    expect(
      await inputOf('campaigns', 'update-buyer', ...place, '--filters', '{"any":[]}'),
    ).toMatchObject({ filters: { any: [] } });
  });

  it('of several --filter are all to hold', async () => {
    const filters = ['--filter', 'state == CA', '--filter', 'email is empty or phone is empty'];
    expect(await inputOf('campaigns', 'update-buyer', ...place, ...filters)).toMatchObject({
      filters: { all: [{ all: [{ field: 'state' }] }, { any: [{}, {}] }] },
    });
  });

  it('are the conditions of an automation, too, and the required filters of a campaign', async () => {
    const { campaign } = account.ids;
    expect(
      await inputOf('campaigns', 'set-filters', campaign, '--filter', 'state in CA,TX'),
    ).toMatchObject({ filters: { all: [{ operator: 'IN' }] } });
    const automation = ['automations', 'update', 'aut_1', '--filter', 'state == CA'];
    expect(await inputOf(...automation)).toMatchObject({
      conditions: { all: [{ field: 'state' }] },
    });
  });

  it.each([
    [['--schedule', 'mon-fry 9-17'], '"fry" is no day', '  mon-fry 9-17\n      ^\n'],
    [['--filter', 'state in CA TX'], '"TX" is where this is needed', '\n              ^\n'],
    [['--cap', 'dayly=5'], '"dayly" is no window of a cap. Did you mean daily?', '\n  ^\n'],
    [['--cap', 'daily=5', '--cap', 'daily=6'], '"daily" is there twice', ''],
    [
      ['--cap', 'daily=5', '--daily-cap', '6'],
      'Give daily_cap only once: by --cap, or by --daily-cap.',
      '',
    ],
    [['--filter', 'a == 1', '--filters', '[]'], 'Give filters only once: by --filter', ''],
    [['--margin', '{percent'], '\n  Such as --margin \'{ "percent": 15 }\'\n', ''],
  ])('are refused with the place of the fault: %j', async (args, fact, mark) => {
    const ended = await update(...args);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain(fact);
    expect(ended.stderr).toContain(mark);
  });

  it('are shown with a sample where the service refuses the value', async () => {
    const ended = await update('--schedule', '{"days":["mon"],"from":"8","to":"18:00"}');
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(
      /--schedule {2}.*from must be a time.*\n {2}Such as --schedule 'mon-fri 9-17', or in JSON '\[ \{/,
    );
  });

  it.each([
    [['campaigns', 'add-buyer'], "Such as --schedule 'mon-fri 9-17', or in JSON"],
    [['campaigns', 'add-buyer'], "--filter 'state in CA,TX'"],
    [['campaigns', 'create'], '--cap <window=count>'],
    [['buyers', 'set-delivery'], "Such as --response '{"],
    [['suppliers', 'create'], 'Such as --rate-limit'],
  ])('are in the help of %j: %s', async (words, text) => {
    const { stdout } = await run([...words, '--help']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(text);
  });
});

describe('verbs', () => {
  it.each([
    [['returns', 'accept', 'r1'], { return_id: 'r1', result: 'accept' }],
    [
      ['returns', 'reject', 'r1', '--note', 'late'],
      { return_id: 'r1', result: 'reject', note: 'late' },
    ],
    [['returns', 'resolve', 'r1', '--result', 'accept'], { return_id: 'r1', result: 'accept' }],
    [['portal', 'accept-change', 'c1'], { request_id: 'c1', result: 'approve' }],
    [['portal', 'reject-change', 'c1'], { request_id: 'c1', result: 'refuse' }],
    [
      ['portal', 'resolve-change', 'c1', '--result', 'refuse'],
      { request_id: 'c1', result: 'refuse' },
    ],
  ])('%j send %j', async (words, input) => {
    expect(await inputOf(...words)).toEqual(input);
  });

  it('cannot be overruled by a file', async () => {
    const typed = { input: '{"return_id":"r1","result":"reject"}' };
    const args = ['returns', 'accept', '--input', '-', '--dry-run', '--json'];
    const { stdout } = await run(args, undefined, typed);
    expect(JSON.parse(stdout)).toMatchObject({ input: { result: 'accept' } });
    expect(await run(['returns', 'accept', 'r1', '--result', 'reject'])).toMatchObject(
      failed(1, /unknown option '--result'/),
    );
  });

  it('name what they do when they ask', async () => {
    const ended = await run(['returns', 'reject', 'r1'], undefined, { answers: ['n'] });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('Reject a return (return_id r1)? This cannot be undone. [y/N]');
  });
});

describe('a value that is wrong', () => {
  it.each([
    [['returns', 'resolve', 'r1', '--result', 'accpet'], /--result {2}/],
    [['buyers', 'rotate-secret', 'b1', '--secret', 'webhok'], /--secret {2}/],
    [
      ['deliveries', 'resolve', '--lead-id', 'a', '--buyer-id', 'b', '--result', 'yes'],
      /--result {2}/,
    ],
    [['suppliers', 'rotate-key', 's1', '--overlap-hours', '-1'], /--overlap-hours {2}/],
    [['suppressions', 'remove'], /--list-id/],
  ])('is refused before a person is asked: %j', async (args, message) => {
    let questions = 0;
    const answer = () => Promise.resolve(String((questions += 1)));
    const ended = await run(args, undefined, { answers: [answer, answer] });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr).not.toContain('cannot be undone');
    expect(questions).toBe(0);
  });

  it('is refused before --yes is missed in a script', async () => {
    const ended = await run(['returns', 'resolve', 'r1', '--result', 'accpet']);
    expect(ended).toMatchObject(failed(1, /--result {2}/));
  });
});
