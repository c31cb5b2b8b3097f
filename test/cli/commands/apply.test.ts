/** The account as a file, as a person and a script use it, on a real server. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Org } from '../../support/api.js';
import { startCliAccount, type CliAccount } from '../cliAccount.js';
import { failed, type CliOptions } from '../../support/cli.js';

let account: CliAccount;
beforeAll(async () => {
  account = await startCliAccount();
});
afterAll(() => account.stop());

const by = async (org: Org) => ({ LEADWIRE_API_KEY: await org.key() });

/** Runs it with a key of the organization, and with the given answers of a person, or none. */
const asked = async (org: Org, args: string[], options: CliOptions = {}) =>
  account.run(args, await by(org), options);

describe('leadwire export', () => {
  it('writes a file from which apply creates the same account, and shows secrets once', async () => {
    const path = join(account.home, 'account.yaml');
    const { delivery } = await account.api.done<{ delivery: object }>(
      account.org,
      'set_buyer_delivery',
      {
        buyer_id: account.ids.buyer,
        url: 'https://buyer.example/leads',
      },
    );
    await account.api.done(account.org, 'set_buyer_ping', {
      buyer_id: account.ids.buyer,
      url: 'https://buyer.example/ping',
      fields: ['zip_code'],
    });
    await account.api.done(account.org, 'configure_ping_post', {
      campaign_id: account.ids.campaign,
      margin: { percent: 12.5 },
      max_bid: 40,
    });
    await account.api.done(account.org, 'update_campaign_buyer', {
      campaign_id: account.ids.campaign,
      buyer_id: account.ids.buyer,
      margin: { fixed: 2.25 },
      daily_ping_cap: 1_000,
      conversion_price: 99.5,
    });
    await account.api.done(account.org, 'update_campaign', {
      campaign_id: account.ids.campaign,
      conversion_window_days: 60,
      share_outcomes: true,
      vertical: 'Auto insurance',
    });
    expect(await account.run(['export', '--output', path])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: `Written to ${path}: campaigns 1, buyers 1, suppliers 1, funnels 0, automations 0.\n`,
    });
    const text = await readFile(path, 'utf8');
    expect(text).toMatch(/^# An account of Leadwire\./);
    expect(text).not.toContain(account.ids.buyer);
    expect(parse(text)).toMatchObject({
      version: 1,
      buyers: [
        {
          name: 'Acme',
          email: 'a@b.example',
          delivery,
          ping: { enabled: true, timeout_ms: 500, fields: ['zip_code'] },
        },
      ],
      suppliers: [
        {
          name: 'Search',
          rate_limit: { per_second: 100 },
          ping_rate_limit: { per_second: 500 },
        },
      ],
      campaigns: [
        {
          name: 'Auto',
          status: 'ACTIVE',
          caps: {},
          fields: [],
          filters: null,
          ping: { margin: { percent: 12.5 }, max_bid: 40, deadline_ms: 750 },
          conversion_window_days: 60,
          share_outcomes: true,
          vertical: 'Auto insurance',
          campaign_type: 'LEADS',
          buyers: [
            {
              buyer: 'Acme',
              price: 25.5,
              states: ['CA'],
              caps: { daily_cap: 100, total_budget: 900.25 },
              margin: { fixed: 2.25 },
              daily_ping_cap: 1_000,
              conversion_price: 99.5,
            },
          ],
          suppliers: [{ supplier: 'Search', cost_per_lead: 12 }],
        },
      ],
    });

    const other = await account.api.org();
    const [environment, again] = [await by(other), await by(other)];
    expect(await account.run(['diff', '-f', path], environment)).toMatchObject({
      code: 3,
      stderr: '',
      stdout: expect.stringMatching(/^\+ create buyer "Acme"\n[^]*\n5 to create, 0 to change\.\n$/),
    });
    const applied = await account.run(['apply', '-f', path, '--yes'], environment);
    expect(applied).toMatchObject({ code: 0, stderr: expect.stringContaining('[7/7] ') });
    expect(applied.stdout).toMatch(
      /^supplier\tSearch\tapi_key\tlw_live_\S+\nbuyer\tAcme\twebhook_secret\t\S+\nbuyer\tAcme\tsigning_secret\t\S+\n$/,
    );
    const [exported, diff] = await Promise.all([
      account.run(['export'], again),
      account.run(['diff', '-f', path, '--json'], again),
    ]);
    expect(exported.stdout).toBe(text);
    expect(diff.code).toBe(0);
    expect(JSON.parse(diff.stdout)).toEqual({ equal: true, changes: [], not_in_file: [] });
  });
});

describe('leadwire apply', () => {
  const FILE = [
    'version: 1',
    'buyers:',
    '  - name: Acme',
    '    delivery: { url: "https://buyer.example", template: { age: "{{age}}" } }',
    'campaigns:',
    '  - name: Auto',
    '    status: active',
    '    fields: [{ name: age, type: Number }]',
    '    buyers: [{ buyer: Acme, price: 12.5, filters: [{ field: age, operator: ">", value: 17 }] }]',
  ].join('\n');

  it('asks for confirmation, does nothing after a refusal, and needs --yes without a terminal', async () => {
    const org = await account.api.org();
    const path = join(account.home, 'asked.yaml');
    await writeFile(path, FILE);
    const args = ['apply', '-f', path];
    const no = await asked(org, args, { answers: [''] });
    expect(no).toMatchObject(failed(2, /\nError: Canceled\. Nothing was done\.\n$/));
    expect(no.stderr).toContain('3 to create, 0 to change.\nApply this? [y/N] ');
    expect(await asked(org, args)).toMatchObject(failed(1, /add --yes/));
    const dry = await asked(org, [...args, '--dry-run', '--json']);
    expect(dry.code).toBe(0);
    expect(JSON.parse(dry.stdout)).toMatchObject({ applied: false, equal: false });
    expect(await account.api.done(org, 'list_campaigns')).toEqual([]);
    expect((await asked(org, args, { answers: ['y'] })).code).toBe(0);
    const second = await asked(org, [...args, '--json']);
    expect(second.code).toBe(0);
    expect(JSON.parse(second.stdout)).toMatchObject({ equal: true, secrets: [] });
  });

  it('refuses when the account changed before the confirmation', async () => {
    const org = await account.api.org();
    const path = join(account.home, 'changed.yaml');
    await writeFile(path, FILE);
    await asked(org, ['apply', '-f', path, '--yes']);
    await writeFile(path, FILE.replace('12.5', '13').replace('active', 'paused'));
    const [{ id } = { id: '' }] = await account.api.done<{ id: string }[]>(org, 'list_campaigns');
    const answer = async () => {
      await account.api.done(org, 'update_campaign', { campaign_id: id, max_sells: 2 });
      return 'y';
    };
    expect(await asked(org, ['apply', '-f', path], { answers: [answer] })).toMatchObject(
      failed(1, /has changed since the plan was created: campaign "Auto"\. Nothing was done/),
    );
    expect(await account.api.done(org, 'get_campaign', { campaign_id: id })).toMatchObject({
      status: 'ACTIVE',
      buyers: [{ price: 12.5 }],
    });
    expect((await asked(org, ['apply', '-f', path, '--yes'])).code).toBe(0);
    expect(await account.api.done(org, 'get_campaign', { campaign_id: id })).toMatchObject({
      status: 'PAUSED',
      max_sells: 2,
      buyers: [{ price: 13 }],
    });
  });

  it('shows the secrets it created before it failed, and a second run does the rest', async () => {
    const org = await account.api.org();
    const key = await org.key(['buyers:write', 'suppliers:write', 'campaigns:read']);
    const apply = (input: string, ...flags: string[]) =>
      account.run(['apply', '-f', '-', '--yes', ...flags], { LEADWIRE_API_KEY: key }, { input });
    const text = 'version: 1\nsuppliers: [{ name: T }]\n';
    const more = `${text}buyers: [{ name: B, delivery: { method: EMAIL, to: a@b.example } }]\n`;
    const cut = await apply(more, '--json');
    expect(cut.code).toBe(1);
    expect(cut.stderr).toMatch(/^Error: create buyer "B": .*EMAIL needs a mail server/m);
    expect(cut.stderr).toContain('\n1 of 2 steps are done; run it again for the rest.\n');
    expect(JSON.parse(cut.stdout)).toMatchObject({
      applied: false,
      secrets: [{ kind: 'supplier', name: 'T', secret: 'api_key' }],
    });
    const rest = await apply(more.replace(/EMAIL.* \} \}/, 'STORE } }'));
    expect(rest).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('[1/1] create buyer "B"'),
    });
  });

  it('reports every problem with its line, and sends nothing', async () => {
    const text = 'version: 1\ncampaigns:\n  - name: A\n    statuss: ACTIVE\n    max_sells: 0\n';
    const environment = { LEADWIRE_API_KEY: account.keys.all, LEADWIRE_URL: 'http://127.0.0.1:9' };
    const args = ['apply', '-f', '-', '--yes'];
    expect(await account.run(args, environment, { input: text })).toMatchObject(
      failed(
        1,
        'Error: The file has 2 problems. Nothing was done.\n  line 4  campaigns[0].statuss is not a key of this ' +
          'input. Did you mean status?\n  line 5  campaigns[0].max_sells must be at least 1.\n',
      ),
    );
    expect(await account.run(['diff', '-f', '/no/such'])).toMatchObject(
      failed(1, /^Error: Cannot read the file/),
    );
  });
});
