/** Leads from the command line while the service runs: sent, watched, followed, explained. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOrgKey, permissionsOf } from '../../../src/account/keys/keys.js';
import { startTestbed, type Market, type Testbed } from '../../support/testbed.js';
import { failed, runCli, startCli, type CliOptions } from '../../support/cli.js';
import { aPerson } from '../../support/supplier.js';
import { accountOf } from '../../support/org.js';

const DOWN = { status: 503, headers: { 'retry-after': '600' } };

let testbed: Testbed;
let market: Market;
let surroundings: Record<string, string>;
beforeAll(async () => {
  testbed = await startTestbed();
  market = await testbed.market({
    buyers: { no: { answer: () => ({ status: 422 }) }, wants: { price: 25.5 } },
  });
  surroundings = {
    HOME: '/nowhere',
    LEADWIRE_URL: testbed.url,
    LEADWIRE_API_KEY: await keyOf(market),
  };
});
afterAll(() => testbed.stop());

async function keyOf({ account }: Market): Promise<string> {
  const input = { name: 'Operator', permissions: permissionsOf('write') };
  return (await createOrgKey(accountOf(testbed, account.orgId), input)).api_key;
}

const run = (args: string[], extra: Record<string, string> = {}, options: CliOptions = {}) =>
  runCli(args, { ...surroundings, ...extra }, options);

/** A running command. */
const start = (args: string[], environment: Record<string, string> = {}) =>
  startCli(args, { ...surroundings, ...environment });

const fieldsOf = (fields: Record<string, string>): string[] =>
  Object.entries(fields).flatMap(([name, value]) => ['--field', `${name}=${value}`]);

describe('leadwire post', () => {
  const args = () => {
    const { campaignId, suppliers } = market.account;
    return ['post', '--campaign-id', campaignId, '--supplier-id', suppliers[0]?.id ?? ''];
  };
  const withKey = () => ({ LEADWIRE_SUPPLIER_KEY: market.account.suppliers[0]?.key ?? '' });

  it('sends a lead with the key of a supplier, and shows the answer', async () => {
    const person = aPerson();
    const sent = await run([...args(), ...fieldsOf(person)], withKey());
    expect(sent.code).toBe(0);
    expect(sent.stdout).toMatch(
      /^ACCEPTED (?:delivered|pending) {2}lead \S+ {2}\(201, \d+ ms\)\n$/,
    );
    const again = await run([...args(), '--input', '-', '--exit-status', '--json'], withKey(), {
      input: JSON.stringify(person),
    });
    expect(again.code).toBe(1);
    expect(JSON.parse(again.stdout)).toMatchObject({
      http_status: 200,
      answer: { data: { status: 'DUPLICATE' } },
    });
  });

  it('says which fields are wrong, and fails', async () => {
    const person = { ...aPerson(), phone: 'none' };
    const { code, stdout } = await run([...args(), ...fieldsOf(person)], withKey());
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^validation_failed {2}.* {2}\(400, \d+ ms\)\n {2}phone {2}Phone must be/,
    );
  });

  it('needs a known key, and an address that answers', async () => {
    const none = await run([...args(), '--field', 'a=b']);
    expect(none).toMatchObject(failed(4, /\n.*leadwire suppliers get/));
    const odd = await run([...args(), '--field', 'state'], withKey());
    expect(odd).toMatchObject(
      failed(1, 'Error: --field must be name=value, such as state=CA: not "state".\n'),
    );
    const wrong = await run([...args(), '--field', 'a=b', '--key', 'mistyped']);
    expect(wrong).toMatchObject({ code: 4, stdout: expect.stringMatching(/^unauthorized/) });
    const nobody = await run([...args(), '--url', 'http://127.0.0.1:1'], withKey());
    expect(nobody).toMatchObject(failed(1, /^Error: Cannot reach http:\/\/127\.0\.0\.1:1\b/));
  });
});

describe('leadwire leads watch', () => {
  it('waits until a lead is decided; the exit code says how', async () => {
    const { data } = await market.post();
    const sold = await run(['leads', 'watch', data?.id ?? '', '--exit-status']);
    expect(sold).toMatchObject({
      code: 0,
      stdout: `Lead ${data?.id} is ACCEPTED, wants pays 25.50.\n`,
    });
    const fields = await run(['leads', 'watch', data?.id ?? '', '--json', 'status,price']);
    expect(JSON.parse(fields.stdout)).toEqual({ status: 'ACCEPTED', price: 25.5 });
  });

  it('ends with 8 when it is not decided in time, and otherwise waits', async () => {
    const away = await testbed.market({ buyers: { only: { answer: () => DOWN } } });
    const key = { LEADWIRE_API_KEY: await keyOf(away) };
    const { data } = await away.post();
    const id = data?.id ?? '';
    await testbed.becomes(id, 'PENDING');
    const short = await run(['leads', 'watch', id, '--timeout', '0'], key);
    expect(short).toMatchObject({
      code: 8,
      stderr: `PENDING … Ctrl-C ends it.\nError: Lead ${id} is still PENDING after 0 s.\nWhat it waits for: leadwire leads explain ${id}\n`,
    });
    const watching = run(['leads', 'watch', id, '--exit-status', '--timeout', '60'], key);
    const dropped = await run(['deliveries', 'drop', '--lead-id', id, '--yes'], key);
    expect(dropped.code).toBe(0);
    expect(await watching).toMatchObject({ code: 1, stdout: `Lead ${id} is EXPIRED.\n` });
  });
});

describe('leadwire leads explain', () => {
  it('explains in sentences: the result, each step, each buyer', async () => {
    const { data } = await market.post();
    await testbed.becomes(data?.id, 'ACCEPTED');
    const inTerminal = { LEADWIRE_FORCE_TTY: '90', NO_COLOR: '1' };
    const { code, stdout: out } = await run(['leads', 'explain', data?.id ?? ''], inTerminal);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^Lead ${data?.id} is ACCEPTED\\n.+ \\(version \\d+\\), from `));
    expect(out).toContain('\nrevenue 25.50, cost 4.00, profit 21.50 USD\n');
    expect(out).toMatch(/\n\nSteps\n {2}received {2}Its fields/);
    expect(out).toMatch(/\n\nBuyers\n {2}sold {5}wants .*\n(?:.*\n)* {2}refused {2}no /);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(90);
    const json = await run(['leads', 'explain', data?.id ?? '', '--json', 'status'], inTerminal);
    expect(JSON.parse(json.stdout)).toEqual({ status: 'ACCEPTED' });
  });
});

describe('leadwire leads tail', () => {
  it('prints each new lead once, and ends with 0 at Ctrl-C', async () => {
    const before = await market.post();
    const tail = start(['leads', 'tail', '--last', '1', '--json', 'id,status']);
    expect((await tail.lines(1))[0]).toContain(before.data?.id);
    const posted = await Promise.all([market.post(), market.post()]);
    const lines = await tail.lines(3);
    const shown = lines.slice(1).map((line) => (JSON.parse(line) as { id: string }).id);
    expect(shown.toSorted()).toEqual(posted.map(({ data }) => data?.id).toSorted());
    expect(await tail.interrupted()).toMatchObject({ code: 0, stderr: '' });
    expect(await tail.lines(0)).toHaveLength(3);
  });

  it('ends with 0 when its reader closes the pipe', async () => {
    const tail = start(['leads', 'tail', '--since', '1h', '--status', 'ACCEPTED,PENDING'], {
      LEADWIRE_FORCE_TTY: '120',
    });
    const [head, first] = await tail.lines(2);
    expect([head, first]).toEqual([
      expect.stringMatching(/TIME/),
      expect.stringMatching(/ACCEPTED|PENDING/),
    ]);
    tail.loseReader();
    await market.post();
    expect((await tail.ended).code).toBe(0);
  });

  it('refuses invalid options before it starts', async () => {
    const both = await run(['leads', 'tail', '--since', '1h', '--last', '3']);
    expect(both).toMatchObject(failed(1, 'Error: --since and --last exclude each other.\n'));
    const status = await run(['leads', 'tail', '--status', 'SOLD']);
    expect(status).toMatchObject(failed(1, /The statuses are: NEW/));
    const nobody = await run(['leads', 'tail'], { LEADWIRE_URL: 'http://127.0.0.1:1' });
    expect(nobody).toMatchObject(failed(1, /\n.*doctor/));
  });
});

describe('Ctrl-C while the server works', () => {
  it('ends a call with 2, and warns that a change may have been made', async () => {
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const call = start(['buyers', 'create', '--name', 'Acme'], { LEADWIRE_URL: url });
    await once(silent, 'request');
    expect(await call.interrupted()).toMatchObject({
      code: 2,
      stderr: 'Error: Canceled. The request may have been carried out: check the current state.\n',
    });
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  });
});
