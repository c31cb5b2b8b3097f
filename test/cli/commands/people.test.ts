/** Questions to a person at the terminal, and an operator's first commands, on real servers. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProfiles } from '../../../cli/client/profiles.js';
import { createKey } from '../../../src/platform/security/keys.js';
import { setUp, startActionsApi, type ActionsApi, type Org } from '../../support/api.js';
import { failed, runCli, type CliOptions } from '../../support/cli.js';
import { testStack } from '../../support/stack.js';

let api: ActionsApi;
let org: Org;
let key: string;
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'leadwire-people-'));
  api = await startActionsApi();
  org = await api.org();
  key = await org.key();
});
afterAll(async () => {
  await api.stop();
  await rm(home, { recursive: true });
});

const run = (args: string[], options: CliOptions = {}, environment = {}) =>
  runCli(
    args,
    { HOME: home, LEADWIRE_URL: api.url, LEADWIRE_API_KEY: key, ...environment },
    options,
  );

describe('a command that cannot be undone', () => {
  const cancelled = failed(2, /\nError: Canceled\. Nothing was done\.\n$/);

  it('is done only after a confirmation', async () => {
    const { id } = await api.done<{ id: string }>(org, 'create_api_key', { name: 'Old' });
    for (const answer of ['n', '', 'yess', null]) {
      const asked = await run(['keys', 'revoke', id], { answers: [answer] });
      expect(asked).toEqual(cancelled);
      expect(asked.stderr).toContain(`Revoke a key (key_id ${id})? This cannot be undone. [y/N]`);
    }
    const done = await run(['keys', 'revoke', id], { answers: ['Y'] });
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining(`id\t${id}`) });
  });

  it('is done after its name is typed, when it deletes much', async () => {
    const { supplier } = await setUp(api, org);
    const args = ['suppliers', 'delete', supplier.id];
    expect(await run(args, { answers: ['y'] })).toEqual(cancelled);
    const done = await run(args, { answers: [' Search '] });
    expect(done.code).toBe(0);
    expect(done.stderr).toContain('This removes the supplier, its key and its terms, Search');
  });

  it('uses the id when the key may not read the name', async () => {
    const leads = await org.key(['leads:write']);
    const args = ['deliveries', 'drop', '--buyer-id', 'B', '--yes'];
    const ended = await run(args, {}, { LEADWIRE_API_KEY: leads });
    expect(ended).toEqual(failed(1, /with its name, "B"/));
  });
});

describe('leadwire login', () => {
  const environment = () => ({ LEADWIRE_API_KEY: '', LEADWIRE_URL: '' });

  it('asks for the address and the key, and stores them when they are valid', async () => {
    const done = await run(
      ['login', '--profile', 'asked'],
      { answers: [api.url, key] },
      environment(),
    );
    expect(done.code).toBe(0);
    expect(readProfiles({ HOME: home })).toMatchObject({
      current: 'asked',
      profiles: { asked: { url: api.url, api_key: key } },
    });
    const who = await run(['whoami', '--jq', '.organization.id'], {}, environment());
    expect(who.stdout).toBe(`${org.id}\n`);
  });

  it('stores nothing when it is canceled, or the key is not valid', async () => {
    const before = readProfiles({ HOME: home });
    const left = await run(['login'], { answers: [api.url, null] }, environment());
    expect(left).toEqual(failed(2, /\nError: Canceled\. Nothing was stored\.\n$/));
    const wrong = await run(['login'], { answers: [api.url, createKey('live')] }, environment());
    expect(wrong).toMatchObject({ code: 4, stdout: '' });
    expect(readProfiles({ HOME: home })).toEqual(before);
  });

  it('finds the key of a demo, and reports when there is none', async () => {
    const none = await run(['login', '--demo'], {}, { LEADWIRE_HOME: home });
    expect(none).toEqual(failed(1, /start one with leadwire up --demo/));
  });
});

describe('leadwire leads trail', () => {
  it('says that there is no such lead', async () => {
    expect(await run(['leads', 'trail', 'none'])).toEqual(
      failed(1, /^Error: There is no lead none\.\n/),
    );
  });
});

describe('leadwire campaigns check', () => {
  it('lists missing steps with their commands, and fails until none is left', async () => {
    const other = await api.org();
    const environment = { LEADWIRE_API_KEY: await other.key() };
    const check = (id: string, ...more: string[]) =>
      run(['campaigns', 'check', id, ...more], {}, environment);
    const bare = await api.done<{ id: string }>(other, 'create_campaign', { name: 'Bare' });
    const missing = await check(bare.id);
    expect(missing.code).toBe(1);
    expect(missing.stdout).toMatch(/^Bare \(\S+\) is \w+\.\n/);
    expect(missing.stdout).toMatch(
      /\n✗ A buyer accepts .*\n {4}leadwire buyers create --name 'First buyer'\n/,
    );
    expect(missing.stdout).toMatch(/\n! .*\(advice\) /);
    expect(missing.stdout).toMatch(/\n\d+ things are missing before it accepts live leads\.\n$/);
    const { campaign, buyer } = await setUp(api, other);
    const before = await check(campaign.id, '--json', 'ready');
    expect([before.code, before.stdout]).toEqual([1, '{\n  "ready": false\n}\n']);
    await api.done(other, 'set_buyer_delivery', {
      buyer_id: buyer.id,
      url: 'https://b.example/leads',
    });
    const after = await check(campaign.id);
    expect(after).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\nIt accepts live leads\.\n$/),
    });
  });
});

describe('leadwire campaigns guide', () => {
  it('is a page of Markdown, or data', async () => {
    const other = await api.org();
    const environment = { LEADWIRE_API_KEY: await other.key() };
    const { campaign, supplier } = await setUp(api, other);
    const guide = (...more: string[]) =>
      run(['campaigns', 'guide', campaign.id, ...more], {}, environment);
    const page = await guide('--supplier-id', supplier.id);
    expect(page.code).toBe(0);
    expect(page.stdout.split('\n', 1)[0]).toMatch(/^# .*Auto/);
    expect(page.stdout.includes(supplier.id)).toBe(true);
    const data = await guide('--json');
    expect(JSON.parse(data.stdout)).toMatchObject({ campaign: { id: campaign.id } });
  });
});

describe('leadwire init', () => {
  const stack = testStack();
  afterAll(() => stack.drop());
  const environment = { MONGODB_URI: stack.mongodbUri, MONGODB_DATABASE: stack.database };

  it('creates the first organization and a key, and a second one only on request', async () => {
    const made = await run(
      ['init', '--name', 'Acme', '--time-zone', 'Europe/Berlin'],
      {},
      environment,
    );
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^lw_live_\w{38}\n$/) });
    const again = await run(['init', '--name', 'Other'], {}, environment);
    expect(again).toEqual(
      failed(1, /^Error: An organization already exists: Acme\. Nothing was done\.\n/),
    );
    const other = await run(['init', '--name', 'Other', '--another', '--json'], {}, environment);
    expect(JSON.parse(other.stdout)).toMatchObject({
      organization: { name: 'Other', time_zone: 'UTC', currency: 'USD' },
    });
    const wrong = await run(
      ['init', '--name', 'X', '--another', '--currency', 'ABC'],
      {},
      environment,
    );
    expect(wrong).toEqual(failed(1, /currency must be/));
  });
});
