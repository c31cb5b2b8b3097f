/** Automations in the account file, and how few calls a file needs. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Org, Row } from '../../support/api.js';
import { startCliAccount, type CliAccount } from '../cliAccount.js';

let account: CliAccount;
beforeAll(async () => {
  account = await startCliAccount();
  const { api, org, ids } = account;
  const made = (input: object) => api.done<Row>(org, 'create_automation', input);
  const other = await api.done<Row>(org, 'create_campaign', { name: 'Second' });
  await made({
    name: 'Again',
    trigger: 'lead.unmatched',
    action: 'REDISTRIBUTE',
    campaign_id: ids.campaign,
    conditions: [{ field: 'state', operator: '==', value: 'CA' }],
    target: { campaign_id: other.id },
  });
  await made({
    name: 'CRM',
    trigger: 'lead.accepted',
    action: 'WEBHOOK',
    target: { url: 'https://crm.example/', headers: { 'X-Key': 'k-1' } },
  });
  const slack = { url: 'https://hooks.slack.example/T0/B0/secret' };
  await made({ name: 'Shout', trigger: 'buyer.paused', action: 'SLACK', target: slack });
});
afterAll(() => account.stop());

const run = async (org: Org, ...args: string[]) =>
  account.run(args, { LEADWIRE_API_KEY: await org.key() });

/** The calls of the key of a run: each is in the window of its minute. */
async function callsOf(org: Org, ...args: string[]): Promise<number> {
  const { apiKeys, windows } = account.api.collections;
  const before = await apiKeys.distinct('_id', { org_id: org.id });
  expect((await run(org, ...args)).code).toBe(0);
  const [used] = await apiKeys.distinct('_id', { org_id: org.id, _id: { $nin: before } });
  const window = await windows.findOne({ _id: used ?? '' });
  return window?.all.length ?? 0;
}

describe('the automations of a file', () => {
  it('are those of the account by the names of their campaigns, without secrets, in five calls', async () => {
    const path = join(account.home, 'same.yaml');
    expect(await callsOf(account.org, 'export', '--output', path)).toBe(5);
    const text = await readFile(path, 'utf8');
    expect(text).toMatch(/name: Again\n[^]*campaign: Auto\n[^]*target: \{ campaign: Second \}/);
    expect(text).not.toMatch(/k-1|B0/);
    expect(await callsOf(account.org, 'diff', '-f', path)).toBeLessThanOrEqual(5);
  });

  it('are created in another account, changed, and then are the same', async () => {
    const path = join(account.home, 'elsewhere.yaml');
    await run(account.org, 'export', '--output', path);
    const shown = (await readFile(path, 'utf8')).replaceAll('"[hidden]"', 'a-value');
    await writeFile(path, shown.replace('url: a-value', 'url: "https://hooks.slack.example/x"'));
    const other = await account.api.org();
    const { code, stdout } = await run(other, 'apply', '-f', path, '--yes');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/automation\s+CRM\s+secret/)]);
    const listed = () => account.api.done<Row[]>(other, 'list_automations');
    const [again] = await listed();
    const [first, second] = await account.api.done<Row[]>(other, 'list_campaigns');
    expect(again).toMatchObject({ campaign_id: first?.id, target: { campaign_id: second?.id } });
    expect((await run(other, 'diff', '-f', path)).code).toBe(0);
    await writeFile(
      path,
      (await readFile(path, 'utf8')).replace('trigger: lead.accepted', 'trigger: lead.expired'),
    );
    const changed = await run(other, 'diff', '-f', path);
    expect(changed.stdout).toMatch(
      /~ change automation "CRM"\n {4}trigger: "lead.accepted" → "lead.expired"/,
    );
    expect((await run(other, 'apply', '-f', path, '--yes')).code).toBe(0);
    expect((await listed()).map(({ trigger }) => trigger)).toContain('lead.expired');
  });

  it('are refused with the line of each fault', async () => {
    const path = join(account.home, 'faulty.yaml');
    const text = [
      'version: 1',
      'automations:',
      '  - name: New',
      '    trigger: lead.accepted',
      '    action: WEBHOOK',
      '    campaign: Aut',
      '    target: { to: [a@b.example] }',
      '  - name: CRM',
      '    trigger: lead.accepted',
      '    action: SLACK',
      '    target: { url: "[hidden]" }',
    ];
    await writeFile(path, text.join('\n'));
    const { code, stderr } = await run(account.org, 'diff', '-f', path);
    expect(code).toBe(1);
    expect(stderr).toMatch(/faulty\.yaml:6 {2}automations\[0\]\.campaign: .*Did you mean "Auto"/);
    expect(stderr).toMatch(/:7 {2}automations\[0\]\.target\.to is no setting of WEBHOOK/);
    expect(stderr).toMatch(
      /:10 {2}automations\[1\]\.action of an automation stays as it is: WEBHOOK/,
    );
  });
});
