/** Questions to a person at the terminal, and an operator's first commands; in this process, on real servers. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProfiles } from '../../../cli/client/profiles.js';
import { runProgram } from '../../../cli/program.js';
import { createKey } from '../../../src/platform/security/keys.js';
import { setUp, startActionsApi, type ActionsApi, type Org } from '../../support/api.js';
import { testStack } from '../../support/stack.js';
import { createTerminal, type TerminalOptions } from '../testTerminal.js';

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

async function run(args: string[], options: TerminalOptions = {}, environment = {}) {
  const base = { HOME: home, LEADWIRE_URL: api.url, LEADWIRE_API_KEY: key, ...environment };
  const { terminal, out, err } = createTerminal(base, options);
  const outcome = await runProgram(args, terminal).catch((error: unknown) => error);
  return { outcome, out: out.join('\n'), err: err.join('\n') };
}

describe('a command that cannot be undone', () => {
  const cancelled = { exit: 2, message: 'Canceled. Nothing was done.' };

  it('is done only after a confirmation', async () => {
    const { id } = await api.done<{ id: string }>(org, 'create_api_key', { name: 'Old' });
    for (const answer of ['n', '', 'yess', null]) {
      const asked = await run(['keys', 'revoke', id], { answers: [answer] });
      expect(asked.outcome).toMatchObject(cancelled);
      expect(asked.err).toContain(`Revoke a key (key_id ${id})? This cannot be undone. [y/N]`);
    }
    const done = await run(['keys', 'revoke', id], { answers: ['Y'] });
    expect(done).toMatchObject({ outcome: 0, out: expect.stringContaining(`id\t${id}`) });
  });

  it('is done after its name is typed, when it deletes much', async () => {
    const { supplier } = await setUp(api, org);
    const args = ['suppliers', 'delete', supplier.id];
    expect((await run(args, { answers: ['y'] })).outcome).toMatchObject(cancelled);
    const done = await run(args, { answers: [' Search '] });
    expect(done.outcome).toBe(0);
    expect(done.err).toContain('This removes the supplier, its key and its terms, Search');
  });

  it('uses the id when the key may not read the name', async () => {
    const leads = await org.key(['leads:write']);
    const args = ['deliveries', 'drop', '--buyer-id', 'B', '--yes'];
    const { outcome } = await run(args, {}, { LEADWIRE_API_KEY: leads });
    expect(outcome).toMatchObject({ message: expect.stringContaining('with its name, "B"') });
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
    expect(done.outcome).toBe(0);
    expect(readProfiles({ HOME: home })).toMatchObject({
      current: 'asked',
      profiles: { asked: { url: api.url, api_key: key } },
    });
    const who = await run(['whoami', '--jq', '.organization.id'], {}, environment());
    expect(who.out).toBe(org.id);
  });

  it('stores nothing when it is canceled, or the key is not valid', async () => {
    const before = readProfiles({ HOME: home });
    const left = await run(['login'], { answers: [api.url, null] }, environment());
    expect(left.outcome).toMatchObject({ exit: 2, message: 'Canceled. Nothing was stored.' });
    const wrong = await run(['login'], { answers: [api.url, createKey('live')] }, environment());
    expect(wrong.outcome).toMatchObject({ exit: 4 });
    expect(readProfiles({ HOME: home })).toEqual(before);
  });

  it('finds the key of a demo, and reports when there is none', async () => {
    const none = await run(['login', '--demo'], {}, { LEADWIRE_HOME: home });
    expect(none.outcome).toMatchObject({
      message: expect.stringContaining('start one with leadwire up --demo'),
    });
  });
});

describe('leadwire leads trail', () => {
  it('says that there is no such lead', async () => {
    const { outcome } = await run(['leads', 'trail', 'none']);
    expect(outcome).toMatchObject({ exit: 1, message: 'There is no lead none.' });
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
    expect(missing.outcome).toBe(1);
    expect(missing.out).toMatch(/^Bare \(\S+\) is \w+\.\n/);
    expect(missing.out).toMatch(
      /\n✗ A buyer accepts .*\n {4}leadwire buyers create --name 'First buyer'\n/,
    );
    expect(missing.out).toMatch(/\n! .*\(advice\) /);
    expect(missing.out).toMatch(/\n\d+ things are missing before it accepts live leads\.$/);
    const { campaign, buyer } = await setUp(api, other);
    const before = await check(campaign.id, '--json', 'ready');
    expect([before.outcome, before.out]).toEqual([1, '{\n  "ready": false\n}']);
    await api.done(other, 'set_buyer_delivery', {
      buyer_id: buyer.id,
      url: 'https://b.example/leads',
    });
    const after = await check(campaign.id);
    expect(after).toMatchObject({
      outcome: 0,
      out: expect.stringMatching(/\nIt accepts live leads\.$/),
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
    expect(page.outcome).toBe(0);
    expect(page.out.split('\n', 1)[0]).toMatch(/^# .*Auto/);
    expect(page.out.includes(supplier.id)).toBe(true);
    const data = await guide('--json');
    expect(JSON.parse(data.out)).toMatchObject({ campaign: { id: campaign.id } });
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
    expect(made).toMatchObject({ outcome: 0, out: expect.stringMatching(/^lw_live_\w{38}$/) });
    const again = await run(['init', '--name', 'Other'], {}, environment);
    expect(again.outcome).toMatchObject({
      message: 'An organization already exists: Acme. Nothing was done.',
    });
    const other = await run(['init', '--name', 'Other', '--another', '--json'], {}, environment);
    expect(JSON.parse(other.out)).toMatchObject({
      organization: { name: 'Other', time_zone: 'UTC', currency: 'USD' },
    });
    const wrong = await run(
      ['init', '--name', 'X', '--another', '--currency', 'ABC'],
      {},
      environment,
    );
    expect(wrong.outcome).toMatchObject({ message: expect.stringContaining('currency must be') });
  });
});
