/** Clients in other languages, written by generators from the published document, call the running service. */
import { execFile } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOrgKey, permissionsOf } from '../../../src/account/keys/keys.js';
import { ROOT } from '../../deploy/repository.js';
import { testFolder, type TestFolder } from '../../embedded/support.js';
import { createAccount, type TestAccount } from '../../support/account.js';
import { startServiceBed, type ServiceBed } from '../../support/service.js';
import { aPerson } from '../../support/supplier.js';
import { describeWithPackages, type Programs } from './packages.js';
import { accountOf } from '../../support/org.js';

const HERE = join(ROOT, 'test/contract/generators');
const NAME = 'leadwire_client';
/** Each is a program of its own, and takes several seconds of the processor. */
const TIMEOUT_MS = 180_000;
const QUICK_JAVA = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';
const run = promisify(execFile);
const COMPILER = {
  target: 'ES2024',
  module: 'NodeNext',
  lib: ['ES2024', 'DOM', 'DOM.Iterable'],
  types: [],
  strict: true,
  rootDir: '.',
  outDir: 'out',
};

let bed: ServiceBed;
let folder: TestFolder;
let url: string;
let account: TestAccount;
/** Its campaign takes pings, and has no buyer that bids. */
let pinged: TestAccount;
let key: string;
let description: string;

beforeAll(async () => {
  folder = testFolder();
  bed = await startServiceBed();
  ({ url } = await bed.start('all'));
  const buyers = { only: { delivery: { method: 'STORE' as const } } };
  account = await createAccount(bed, { timeZone: 'America/Denver', buyers });
  pinged = await createAccount(bed, { campaign: { routing_method: 'PING_POST' }, buyers: {} });
  const rights = { name: 'Client', permissions: permissionsOf('write') };
  key = (await createOrgKey(accountOf(bed, account.orgId), rights)).api_key;
  description = join(folder.path, 'openapi.json');
  writeFileSync(description, await (await fetch(`${url}/api/v1/openapi.json`)).text());
});
afterAll(async () => {
  await bed.stop();
  folder.remove();
});

/** What a program with a generated client read, and the lead that it sent is stored with. */
async function call(command: string, args: string[], env: Record<string, string> = {}) {
  const [supplier] = account.suppliers;
  const campaign_id = account.campaignId;
  const person = aPerson();
  const lead = { flo_campaign_id: campaign_id, flo_supplier_id: supplier?.id, ...person };
  const [pinger] = pinged.suppliers;
  const ping = { flo_campaign_id: pinged.campaignId, flo_supplier_id: pinger?.id, ...person };
  const keys = { key, supplier_key: supplier?.key, ping_key: pinger?.key };
  const given = { url, ...keys, campaign_id, lead, ping };
  const environment = { ...process.env, ...env, GIVEN: JSON.stringify(given) };
  const { stdout } = await run(command, args, { cwd: folder.path, env: environment });
  const read = JSON.parse(stdout) as { lead: { id: string }; leads: { id: string }[] };
  const stored = await bed.collections.leads.findOne({ _id: read.lead.id });
  return { read, email: { sent: person.email, stored: stored?.fields.email } };
}

type Called = Awaited<ReturnType<typeof call>>;

function expectRead({ read, email }: Called): void {
  expect(read).toEqual({
    whoami: {
      success: true,
      organization: account.orgId,
      since: true,
      expires: null,
      permissions: true,
    },
    campaign: { success: true, id: account.campaignId, status: 'ACTIVE' },
    refusal: { status: 400, success: false, error: 'record_not_found' },
    lead: { code: 201, id: read.lead.id, status: 'ACCEPTED' },
    leads: expect.arrayContaining([{ id: read.lead.id, status: 'pending' }]),
    ping: { accepted: false, reason: 'no_buyer' },
  });
  expect(email.stored).toBe(email.sent);
}

const withPython = async (programs: Programs, program: string, at: string): Promise<Called> => {
  const path = { PYTHONPATH: join(folder.path, at) };
  // Every module, also those that the program does not use.
  await run(programs.python, [join(HERE, 'programs/load_all.py'), NAME], {
    env: { ...process.env, ...path },
  });
  return call(programs.python, [join(HERE, 'programs', program)], path);
};

describeWithPackages('a client in Python', (programs) => {
  it(
    'by OpenAPI Generator calls the service and reads its answers',
    async () => {
      const only = 'models,apis,supportingFiles,modelDocs=false,apiDocs=false,modelTests=false';
      const output = join(folder.path, 'a');
      await run(
        programs.openapiGenerator,
        // prettier-ignore
        ['generate', '-i', description, '-g', 'python', '-o', output, '--package-name', NAME,
          '--global-property', `${only},apiTests=false`],
        // A short run: it ends before the better compiler of Java would pay.
        { env: { ...process.env, JAVA_TOOL_OPTIONS: QUICK_JAVA }, maxBuffer: 1e8 },
      );
      expectRead(await withPython(programs, 'openapi_generator.py', 'a'));
    },
    TIMEOUT_MS,
  );

  it(
    'by openapi-python-client has every operation, calls the service and reads its answers',
    async () => {
      const config = join(folder.path, 'config.json');
      // It would format what it wrote.
      writeFileSync(config, JSON.stringify({ post_hooks: [], package_name_override: NAME }));
      const output = join(folder.path, 'b', NAME);
      await run(
        programs.openapiPythonClient,
        // prettier-ignore
        ['generate', '--path', description, '--config', config, '--meta', 'none', '--output-path', output,
          '--fail-on-warning'],
      );
      expectRead(await withPython(programs, 'openapi_python_client.py', 'b'));
    },
    TIMEOUT_MS,
  );
});

describe('a client in TypeScript', () => {
  it(
    'by @hey-api/openapi-ts compiles, calls the service and reads its answers',
    async () => {
      const at = join(folder.path, 'c');
      const bin = (name: string) => join(ROOT, 'node_modules/.bin', name);
      await run(bin('openapi-ts'), ['-i', description, '-o', join(at, 'client'), '--no-log-file']);
      cpSync(join(HERE, 'programs/openapi_ts.txt'), join(at, 'call.ts'));
      writeFileSync(join(at, 'package.json'), JSON.stringify({ type: 'module' }));
      writeFileSync(join(at, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER }));
      await run(bin('tsc'), ['-p', at]).catch((error: unknown) => {
        throw new Error((error as { stdout: string }).stdout);
      });
      expectRead(await call(process.execPath, [join(at, 'out/call.js')]));
    },
    TIMEOUT_MS,
  );
});
