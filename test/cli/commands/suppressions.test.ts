/** Suppression lists from the terminal. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCliBed, type CliBed } from '../cliBed.js';

let bed: CliBed;
beforeAll(async () => {
  bed = await startCliBed();
});
afterAll(() => bed.stop());

it('an upload and a removal show which columns were read, and which were not', async () => {
  const csv = 'Id,Cell Phone,Notes\n7,5551234567,x\n';
  const upload = await bed.run(['suppressions', 'upload', '--name', 'DNC', '--csv', csv]);
  expect(upload).toMatchObject({ code: 0 });
  expect(upload.stdout).toMatch(/columns_read\s+.*Cell Phone/);
  expect(upload.stdout).toMatch(/columns_ignored\s+.*Id.*Notes/);
  const [list] = await bed.api.collections.suppressionLists.find().toArray();
  const id = String(list?._id);
  const removal = await bed.run(['suppressions', 'remove', id, '--csv', csv, '--yes']);
  expect(removal).toMatchObject({ code: 0 });
  expect(removal.stdout).toMatch(/removed\s+1\b/);
  expect(removal.stdout).toMatch(/columns_ignored\s+.*Id.*Notes/);
  for (const existed of [true, false]) {
    const { code, stdout } = await bed.run(['suppressions', 'delete', id, '--yes', '--json']);
    expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({ code: 0, existed });
  }
});
