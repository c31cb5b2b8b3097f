/** The client for TypeScript, built as it is published, and the quick starts of docs/clients.md, run as they are written. */
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOrgKey } from '../../../src/account/keys/keys.js';
import { readRoot, ROOT } from '../../deploy/repository.js';
import { testFolder, type TestFolder } from '../../embedded/support.js';
import { createAccount, type TestAccount } from '../../support/account.js';
import { hasInterpreter } from '../../support/interpreters.js';
import { accountOf } from '../../support/org.js';
import { startServiceBed, type ServiceBed } from '../../support/service.js';

const run = promisify(execFile);
/** Compilers are programs of their own. */
const TIMEOUT_MS = 120_000;
const PACKAGE = 'clients/typescript';

let bed: ServiceBed;
let folder: TestFolder;
let account: TestAccount;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = testFolder();
  bed = await startServiceBed();
  const { url } = await bed.start('all');
  const buyers = { only: { delivery: { method: 'STORE' as const } } };
  account = await createAccount(bed, { timeZone: 'America/Denver', buyers });
  const [supplier] = account.suppliers;
  const permissions = ['campaigns:write', 'leads:write', 'buyers:write'] as const;
  const { api_key } = await createOrgKey(accountOf(bed, account.orgId), {
    name: 'Client',
    permissions: [...permissions],
  });
  environment = {
    LEADWIRE_URL: url,
    LEADWIRE_API_KEY: api_key,
    CAMPAIGN_ID: account.campaignId,
    SUPPLIER_ID: supplier?.id ?? '',
    SUPPLIER_KEY: supplier?.key ?? '',
    BUYER_ID: account.buyers.only ?? '',
  };
  await run(process.execPath, [join(ROOT, PACKAGE, 'build.mjs'), join(folder.path, 'built/dist')]);
  writeFileSync(join(folder.path, 'built/package.json'), readRoot(`${PACKAGE}/package.json`));
  mkdirSync(join(folder.path, 'node_modules/@leadwire'), { recursive: true });
  symlinkSync(join(folder.path, 'built'), join(folder.path, 'node_modules/@leadwire/client'));
}, TIMEOUT_MS);
afterAll(async () => {
  await bed.stop();
  folder.remove();
});

const env = () => ({ ...process.env, ...environment });

/** The program under a heading of the page. */
function quickStart(heading: string, fence: string): string {
  const [, section = ''] = readRoot('docs/clients.md').split(`\n## ${heading}\n`);
  const [, program] = new RegExp(`\n\`\`\`${fence}\n(.*?)\n\`\`\`\n`, 's').exec(section) ?? [];
  if (program === undefined) throw new Error(`docs/clients.md has no program under ${heading}`);
  return `${program}\n`;
}

async function expectSold(stdout: string): Promise<void> {
  const [first, second = ''] = stdout.trim().split('\n');
  expect(first).toMatch(/ is ACTIVE$/);
  const [id = '', status] = second.split(' ');
  expect(status).toBe('ACCEPTED');
  expect(await bed.collections.leads.findOne({ _id: id })).toMatchObject({
    status: 'ACCEPTED',
    fields: { last_name: 'Lovelace' },
  });
}

describe('the quick start', () => {
  const STARTS = [
    { name: 'TypeScript', fence: 'ts', file: 'quick.ts', command: process.execPath, args: [] },
    { name: 'Python', fence: 'python', file: 'quick.py', command: 'python3', args: [] },
    { name: 'Go', fence: 'go', file: 'quick.go', command: 'go', args: ['run'] },
    { name: 'curl', fence: 'sh', file: 'quick.sh', command: 'sh', args: [], needs: ['curl', 'jq'] },
  ] as const;

  for (const { name, fence, file, command, args, ...rest } of STARTS) {
    const needed = 'needs' in rest ? [command, ...rest.needs] : [command];
    const missing = needed.filter((one) => !hasInterpreter(one));
    if (missing.length > 0) process.stderr.write(`Skipped without ${missing.join()}: ${name}\n`);
    (missing.length > 0 ? it.skip : it)(
      `in ${name} sends a lead and reads how it was decided`,
      async () => {
        writeFileSync(join(folder.path, file), quickStart(name, fence));
        const { stdout } = await run(command, [...args, file], { cwd: folder.path, env: env() });
        await expectSold(stdout);
      },
      TIMEOUT_MS,
    );
  }
});

/** Compiled with strict types, and run. */
async function runTyped(name: string, program: string): Promise<string> {
  const file = `${name}.ts`;
  writeFileSync(join(folder.path, file), program);
  writeFileSync(join(folder.path, 'package.json'), JSON.stringify({ type: 'module' }));
  // prettier-ignore
  const options = ['--noEmit', '--strict', '--target', 'ES2022', '--module', 'NodeNext', '--skipLibCheck', 'false',
    '--lib', 'ES2023,DOM', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
  await run(join(ROOT, 'node_modules/.bin/tsc'), [...options, file], { cwd: folder.path }).catch(
    (error: unknown) => {
      throw new Error((error as { stdout: string }).stdout);
    },
  );
  const { stdout } = await run(process.execPath, [file], { cwd: folder.path, env: env() });
  return stdout;
}

describe('the client for TypeScript', () => {
  it(
    'types the quick start',
    async () => {
      await expectSold(await runTyped('typed', quickStart('TypeScript', 'ts')));
    },
    TIMEOUT_MS,
  );

  it(
    'runs actions, reads lists page by page, sends, pings and looks up leads, reports outcomes, and throws refusals',
    async () => {
      const stdout = await runTyped(
        'whole',
        readRoot('test/contract/generators/programs/client.txt'),
      );
      expect(JSON.parse(stdout)).toEqual({
        made: 'PAUSED',
        names: expect.arrayContaining(['Page 0', 'Page 1', 'Page 2']),
        sent: ['ACCEPTED', true],
        found: 'ACCEPTED',
        refused: { status: 400, code: 'record_not_found', id: true },
        faults: [{ path: 'name', code: 'required', message: 'name is required.' }],
        pinged: { status: 400, code: 'validation_failed' },
        reported: 'converted',
        wrongHost: 'not_leadwire',
      });
    },
    TIMEOUT_MS,
  );
});
