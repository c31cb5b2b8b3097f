/** Funnels in the account file, and opened in the browser of a person. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openFunnel } from '../../../cli/commands/funnelOpen.js';
import type { Org, Row } from '../../support/api.js';
import { testTerminal } from '../../support/cli.js';
import { aPng } from '../../support/images.js';
import { startCliAccount, type CliAccount } from '../cliAccount.js';

let account: CliAccount;
let funnel: Row;
beforeAll(async () => {
  account = await startCliAccount();
  const { campaign: campaign_id, supplier: supplier_id } = account.ids;
  funnel = await account.api.done<Row>(account.org, 'create_funnel', {
    template: 'quiz',
    campaign_id,
    supplier_id,
    name: 'Roofs',
  });
  const definition = funnel.definition as { theme: object };
  const logoUrl = `data:image/png;base64,${aPng(4, 4).toString('base64')}`;
  await account.api.done(account.org, 'update_funnel', {
    funnel_id: funnel.id,
    definition: { ...definition, theme: { ...definition.theme, logoUrl } },
  });
  await account.api.done(account.org, 'publish_funnel', { funnel_id: funnel.id });
});
afterAll(() => account.stop());

const run = async (org: Org, ...args: string[]) =>
  account.run(args, { LEADWIRE_API_KEY: await org.key() });
const listed = (org: Org) => account.api.done<Row[]>(org, 'list_funnels');

describe('the funnels of a file', () => {
  it('are those of the account, and change nothing when they are applied to it', async () => {
    const path = join(account.home, 'same.yaml');
    expect(await run(account.org, 'export', '--output', path)).toMatchObject({ code: 0 });
    expect(await readFile(path, 'utf8')).toMatch(
      /funnels:\n {2}- name: Roofs\n {4}template: quiz\n {4}campaign: Auto\n {4}supplier: Search\n/,
    );
    expect(await run(account.org, 'diff', '-f', path)).toMatchObject({ code: 0 });
  });

  it('are created and published in another account with their images, and then are the same', async () => {
    const path = join(account.home, 'elsewhere.yaml');
    await run(account.org, 'export', '--output', path);
    // Two funnels of one installation need two addresses.
    const text = (await readFile(path, 'utf8')).replace(/^ {4}slug: .*\n/m, '');
    await writeFile(path, text);
    const other = await account.api.org();
    expect(await run(other, 'apply', '-f', path, '--yes')).toMatchObject({ code: 0 });
    expect(await listed(other)).toMatchObject([
      { name: 'Roofs', status: 'published', published_version: 1 },
    ]);
    expect(await run(other, 'diff', '-f', path)).toMatchObject({ code: 0 });
  });

  it('change the draft and the published funnel, and name the changed part', async () => {
    const path = join(account.home, 'changed.yaml');
    await run(account.org, 'export', '--output', path);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(/^( {6}title: ).*$/m, '$1A new roof'));
    const { code, stdout } = await run(account.org, 'diff', '-f', path);
    expect(code).toBe(3);
    expect(stdout).toMatch(/~ change funnel "Roofs"\n {4}definition\.title: .* → "A new roof"/);
    expect(await run(account.org, 'apply', '-f', path, '--yes')).toMatchObject({ code: 0 });
    expect(await listed(account.org)).toMatchObject([
      { version: 3, published_version: 2, has_unpublished_changes: false },
    ]);
  });

  it('are refused with the line of each fault', async () => {
    const path = join(account.home, 'faulty.yaml');
    await run(account.org, 'export', '--output', path);
    const text = await readFile(path, 'utf8');
    const faulty = text
      .replace(/^( {6}title: ).*$/m, "$1''")
      .replace('    supplier: Search\n    slug', '    supplier: Serch\n    slug');
    await writeFile(path, faulty);
    const { code, stderr } = await run(account.org, 'diff', '-f', path);
    expect(code).toBe(1);
    expect(stderr).toMatch(/faulty\.yaml:\d+ {2}funnels\[0\]\.supplier: .*"Serch"/);
    expect(stderr).toMatch(/funnels\[0\]\.definition\.title must not be empty/);
  });
});

describe('leadwire funnels open', () => {
  const open = async (options: object, key = account.keys.all) => {
    const environment = { ...account.surroundings, LEADWIRE_API_KEY: key };
    const { terminal, stdout } = testTerminal(environment, { answers: [] });
    const opened: string[] = [];
    const browse = (url: string) => void opened.push(url);
    const outcome = await openFunnel(terminal, { ...options, browse }, funnel.id).catch(
      (error: unknown) => error,
    );
    return { outcome, out: stdout(), opened };
  };
  const live = () => `https://forms.example/f/${String(funnel.slug)}`;

  it('prints the address for visitors, and opens it', async () => {
    expect(await open({})).toEqual({ outcome: 0, out: `${live()}\n`, opened: [live()] });
    expect(await open({ print: true })).toMatchObject({ out: `${live()}\n`, opened: [] });
  });

  it('shows the draft to keys that may change it', async () => {
    const preview = `https://forms.example/f/preview/${funnel.id}?token=token-of-${funnel.id}`;
    expect(await open({ preview: true })).toMatchObject({ opened: [preview] });
    const { outcome, opened } = await open({ preview: true }, account.keys.reads);
    expect([String(outcome), opened]).toEqual([expect.stringContaining('funnels:write'), []]);
  });
});
