/** `leadwire suppressions import` of a long file, while the service and then the program itself are killed. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOrgKey, permissionsOf } from '../../../src/account/keys/keys.js';
import { entriesOf } from '../../../src/account/store/suppressionIds.js';
import { startProgram } from '../../support/program.js';
import { startServiceBed, type ServiceBed } from '../../support/service.js';
import { accountOf, makeOrg } from '../../support/org.js';
import { waitFor } from '../../support/waitFor.js';

const ROWS = 200_000;

describe('the import of 200,000 suppressions', () => {
  let bed: ServiceBed;
  let home: string;
  beforeAll(async () => {
    bed = await startServiceBed();
    home = await mkdtemp(join(tmpdir(), 'leadwire-import-'));
    const lines = Array.from({ length: ROWS }, (_, n) => `+1415${1_000_000 + n}`);
    await writeFile(join(home, 'dnc.csv'), `phone\n${lines.join('\n')}\n`);
  });
  afterAll(async () => {
    await bed.stop();
    await rm(home, { recursive: true });
  });

  it.each([[false], [true]])(
    'loses none and has none twice when the service and the program are killed (replace: %s)',
    async (replace) => {
      const { _id: orgId } = await makeOrg(bed.collections, `Imports ${String(replace)}`);
      const account = accountOf(bed, orgId);
      const { api_key } = await createOrgKey(account, {
        name: 'Import',
        permissions: permissionsOf('write'),
      });
      const { suppressionImports: imports, suppressions, suppressionLists } = bed.collections;
      const storedRows = async () => (await imports.findOne({ org_id: orgId }))?.rows ?? 0;
      const comesTo = (rows: number) =>
        waitFor(async () => (await storedRows()) >= rows, {
          message: `${rows} rows are stored`,
          timeoutMs: 120_000,
        });
      let service = await bed.spawn('intake');
      const port = new URL(service.url).port;
      const file = join(home, 'dnc.csv');
      const words = ['suppressions', 'import', file, '--name', 'DNC', '--json'];
      const run = () =>
        startProgram([...words, ...(replace ? ['--replace'] : [])], {
          HOME: home,
          LEADWIRE_URL: service.url,
          LEADWIRE_API_KEY: api_key,
        });

      const first = run();
      await comesTo(ROWS / 4);
      service.kill('SIGKILL');
      await first.said('Trying again');
      service = await bed.spawn('intake', { PORT: port });
      await comesTo(ROWS / 2);
      first.child.kill('SIGKILL');
      await first.ended;
      expect(await storedRows()).toBeLessThan(ROWS);
      if (replace) expect(await suppressionLists.countDocuments({ org_id: orgId })).toBe(0);

      const { code, stdout, stderr } = await run().ended;
      expect([code, stderr]).toEqual([0, expect.stringContaining('Going on after')]);
      expect(JSON.parse(stdout)).toMatchObject({
        state: 'done',
        rows: ROWS,
        bad: 0,
        entries: ROWS,
      });
      const [list, ...more] = await suppressionLists.find({ org_id: orgId }).toArray();
      expect([list?.name, list?.entries, more]).toEqual(['DNC', ROWS, []]);
      expect(await suppressions.countDocuments({ _id: entriesOf(list?._id ?? '') })).toBe(ROWS);
      service.kill('SIGKILL');
    },
    240_000,
  );
});
