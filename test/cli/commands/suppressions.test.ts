/** Suppression lists from the terminal. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startCliAccount, type CliAccount } from '../cliAccount.js';

let account: CliAccount;
beforeAll(async () => {
  account = await startCliAccount();
});
afterAll(() => account.stop());

it('an upload and a removal show which columns were read, and which were not', async () => {
  const csv = 'Id,Cell Phone,Notes\n7,5551234567,x\n';
  const upload = await account.run(['suppressions', 'upload', '--name', 'DNC', '--csv', csv]);
  expect(upload).toMatchObject({ code: 0 });
  expect(upload.stdout).toMatch(/columns_read\s+.*Cell Phone/);
  expect(upload.stdout).toMatch(/columns_ignored\s+.*Id.*Notes/);
  const [list] = await account.api.collections.suppressionLists.find().toArray();
  const id = String(list?._id);
  const removal = await account.run(['suppressions', 'remove', id, '--csv', csv, '--yes']);
  expect(removal).toMatchObject({ code: 0 });
  expect(removal.stdout).toMatch(/removed\s+1\b/);
  expect(removal.stdout).toMatch(/columns_ignored\s+.*Id.*Notes/);
  for (const existed of [true, false]) {
    const { code, stdout } = await account.run(['suppressions', 'delete', id, '--yes', '--json']);
    expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({ code: 0, existed });
  }
});
