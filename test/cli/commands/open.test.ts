import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from '../../../cli/commands/open.js';
import { markProcess } from '../../../src/embedded/processes.js';
import { failed, testTerminal } from '../../support/cli.js';
import { startCliAccount, type CliAccount } from '../cliAccount.js';

let account: CliAccount;
beforeAll(async () => {
  account = await startCliAccount();
});
afterAll(() => account.stop());
const run: CliAccount['run'] = (...args) => account.run(...args);

describe('leadwire open', () => {
  it.each([
    [[], ''],
    [['console'], ''],
    [['changes'], '&page=changes'],
    [['buyer', 'b1'], '&page=buyers%2Fb1'],
    [['supplier', 's1'], '&page=suppliers%2Fs1'],
    [['lead', 'l1'], '&page=leads%2Fl1'],
  ])('prints where the organization of the key has the page of %j', async (words, page) => {
    const { api, org } = account;
    expect(await run(['open', ...words, '--print'])).toEqual({
      code: 0,
      stdout: `${api.url}/choose?org=${org.id}${page}\n`,
      stderr: '',
    });
  });

  it('needs no key for the reference of the API', async () => {
    const { url } = account.api;
    const ended = await run(['open', 'docs', '--json'], { LEADWIRE_API_KEY: '' });
    expect(JSON.parse(ended.stdout)).toEqual({ url: `${url}/docs` });
  });

  it.each([
    [['campain'], /There is no page of campain\. There are: console, changes, members, buyer/],
    [['buyr', 'x'], /Did you mean buyer\?/],
    [['buyer'], /Which buyer\? leadwire open buyer ID; leadwire buyers list shows them\./],
    [['members', 'x'], /members is one page, without an id\./],
    [['lead', 'x', '--workflows'], /no stack runs in .*or see leadwire leads trail x\./],
    [['buyer', 'x', '--workflows'], /--workflows is for leads/],
  ])('refuses %j', async (words, message) => {
    const environment = { LEADWIRE_API_KEY: account.keys.all, LEADWIRE_HOME: account.home };
    expect(await run(['open', ...words], environment)).toMatchObject(failed(1, message));
  });

  it('opens the browser of a person, and none for a program', async () => {
    const opened: string[] = [];
    const browse = (url: string) => void opened.push(url);
    const environment = { ...account.surroundings, LEADWIRE_API_KEY: account.keys.all };
    const program = testTerminal(environment);
    await open(program.terminal, { browse }, 'docs');
    expect(opened).toEqual([]);
    const person = testTerminal(environment, { answers: [] });
    await open(person.terminal, { browse }, 'docs');
    await open(person.terminal, { browse, print: true }, 'docs');
    expect(opened).toEqual([person.stdout().split('\n')[0]]);
  });

  it('shows the workflows of a lead in the Temporal UI of the stack that runs here', async () => {
    const home = await mkdtemp(join(tmpdir(), 'leadwire-open-'));
    const holder = { ...markProcess(process.pid), token: 't', host: hostname() };
    const lock = { ...holder, temporal_ui: 'http://127.0.0.1:8233' };
    await writeFile(join(home, 'lock.json'), JSON.stringify(lock));
    const shown = async (environment: Record<string, string>) =>
      (await run(['open', 'lead', 'L', '--workflows', '--print'], environment)).stdout;
    const path = '/namespaces/default/workflows?query=LeadId%3D%22L%22\n';
    expect(await shown({ LEADWIRE_HOME: home })).toBe(`http://127.0.0.1:8233${path}`);
    const set = { LEADWIRE_HOME: home, TEMPORAL_UI_URL: 'https://temporal.example/' };
    expect(await shown(set)).toBe(`https://temporal.example${path}`);
    await rm(home, { recursive: true });
  });
});
