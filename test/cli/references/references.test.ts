/** Names, beginnings of ids and `@last` on the command line, on an account. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startCliAccount, type CliAccount } from '../cliAccount.js';

let account: CliAccount;
beforeAll(async () => {
  account = await startCliAccount();
});
afterAll(() => account.stop());
const run: CliAccount['run'] = (...args) => account.run(...args);
const json = async (...args: string[]) =>
  JSON.parse((await run([...args, '--json'])).stdout) as object;

describe('a name in the place of an id', () => {
  it('is an argument, a flag, and one of several in a flag', async () => {
    const { campaign, buyer } = account.ids;
    expect(await json('campaigns', 'get', 'Auto')).toMatchObject({ id: campaign });
    const changed = await json(
      'campaigns',
      'update-buyer',
      '--campaign-id',
      'auto',
      '--buyer-id',
      'Acme',
      '--price',
      '30',
    );
    expect(changed).toMatchObject({ campaign_id: campaign, buyer_id: buyer, price: 30 });
    expect(await json('campaigns', 'check', campaign.slice(0, 8))).toMatchObject({
      campaign: { id: campaign },
    });
  });

  it('is shown as an id by a dry run, and stays as it is where there is no key', async () => {
    const args = ['campaigns', 'update', 'Auto', '--status', 'PAUSED', '--dry-run', '--json'];
    expect(JSON.parse((await run(args)).stdout)).toMatchObject({
      input: { campaign_id: account.ids.campaign },
    });
    expect(JSON.parse((await run(args, {})).stdout)).toMatchObject({
      input: { campaign_id: 'Auto' },
    });
  });

  it('is not looked for in a file of input, which programs write', async () => {
    const { code, stderr } = await run(['campaigns', 'get', '--input', '-'], undefined, {
      input: '{"campaign_id":"Auto"}',
    });
    expect([code, stderr]).toEqual([
      1,
      'Error: There is no campaign Auto.\nList them: leadwire campaigns list\n',
    ]);
  });

  it('of another kind is none', async () => {
    const { code, stderr } = await run(['campaigns', 'get', 'Acme']);
    expect([code, stderr]).toEqual([
      1,
      'Error: There is no campaign Acme.\nList them: leadwire campaigns list\n',
    ]);
  });
});

describe('@last', () => {
  let environment: NodeJS.ProcessEnv;
  const state = async () =>
    JSON.parse(await readFile(join(account.home, 'state/leadwire/last.json'), 'utf8')) as Record<
      string,
      object
    >;

  beforeAll(async () => {
    const place = { XDG_STATE_HOME: join(account.home, 'state') };
    const { code } = await run(['login', '--url', account.api.url], place, {
      input: account.keys.all,
    });
    expect(code).toBe(0);
    // The address is that of the profile.
    environment = { ...place, LEADWIRE_URL: undefined };
  });

  it('is what a command has made or shown last, of its kind', async () => {
    const none = await run(['buyers', 'get', '@last'], environment);
    expect(none).toMatchObject({
      code: 1,
      stderr:
        'Error: There is no last buyer yet: profile default has made and shown none.\nList them: leadwire buyers list\n',
    });
    const made = await run(['buyers', 'create', '--name', 'Fresh', '--json', 'id'], environment);
    const { id } = JSON.parse(made.stdout) as { id: string };
    await run(['campaigns', 'get', 'Auto'], environment);
    const added = await run(
      ['campaigns', 'add-buyer', '--campaign-id', '@last', '--buyer-id', '@last', '--json'],
      environment,
    );
    expect(JSON.parse(added.stdout)).toMatchObject({
      campaign_id: account.ids.campaign,
      buyer_id: id,
    });
    const shown = await run(['buyers', 'get', 'Acme', '--json', 'id'], environment);
    expect(JSON.parse(shown.stdout)).toEqual({ id: account.ids.buyer });
    expect(await run(['buyers', 'get', '@last', '--jq', '.name'], environment)).toMatchObject({
      stdout: 'Acme\n',
    });
  });

  it('is forgotten with a record that is deleted, and is of one server', async () => {
    await run(['suppliers', 'create', '--name', 'Gone'], environment);
    const deleted = await run(['suppliers', 'delete', '@last', '--confirm', 'Gone'], environment);
    expect(deleted.code).toBe(0);
    expect((await run(['suppliers', 'get', '@last'], environment)).stderr).toContain(
      'There is no last supplier yet',
    );
    expect(Object.keys((await state()).default ?? {})).not.toContain('supplier_id');
  });

  it('is not stored for a key of the environment', async () => {
    const before = await state();
    await run(['suppliers', 'get', account.ids.supplier], {
      ...environment,
      LEADWIRE_API_KEY: account.keys.all,
      LEADWIRE_URL: account.api.url,
    });
    expect(await state()).toEqual(before);
  });

  it('is a help: where nothing can be written, commands work', async () => {
    const { code } = await run(['buyers', 'get', 'Acme'], {
      ...environment,
      XDG_STATE_HOME: join(account.home, 'state/leadwire/last.json'),
    });
    expect(code).toBe(0);
  });
});
