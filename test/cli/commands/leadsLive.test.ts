/** Leads from the command line while the service runs: sent, watched, followed, explained. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runProgram } from '../../../cli/program.js';
import { createOrgKey, permissionsOf } from '../../../src/account/keys/keys.js';
import { startTestbed, type Market, type Testbed } from '../../support/testbed.js';
import { startProgram } from '../../support/program.js';
import { aPerson } from '../../support/supplier.js';
import { createTerminal, type TerminalOptions } from '../testTerminal.js';

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
  return (await createOrgKey(testbed.collections, account.orgId, input)).api_key;
}

async function run(args: string[], options: TerminalOptions = {}, extra = {}) {
  const { terminal, out, err } = createTerminal({ ...surroundings, ...extra }, options);
  const outcome = await runProgram(args, terminal).catch((error: unknown) => error);
  return { outcome, out: out.join('\n'), err: err.join('\n') };
}

/** A running command. */
const start = (args: string[], environment: Record<string, string> = {}) =>
  startProgram(args, { ...surroundings, ...environment });

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
    const sent = await run([...args(), ...fieldsOf(person)], {}, withKey());
    expect(sent.outcome).toBe(0);
    expect(sent.out).toMatch(/^ACCEPTED (?:delivered|pending) {2}lead \S+ {2}\(201, \d+ ms\)$/);
    const again = await run(
      [...args(), '--input', '-', '--exit-status', '--json'],
      { input: JSON.stringify(person) },
      withKey(),
    );
    expect(again.outcome).toBe(1);
    expect(JSON.parse(again.out)).toMatchObject({
      http_status: 200,
      answer: { data: { status: 'DUPLICATE' } },
    });
  });

  it('says which fields are wrong, and fails', async () => {
    const person = { ...aPerson(), phone: 'none' };
    const { outcome, out } = await run([...args(), ...fieldsOf(person)], {}, withKey());
    expect(outcome).toBe(1);
    expect(out).toMatch(/^validation_failed {2}.* {2}\(400, \d+ ms\)\n {2}phone {2}Phone must be/);
  });

  it('needs a known key, and an address that answers', async () => {
    const none = await run([...args(), '--field', 'a=b']);
    expect(none.outcome).toMatchObject({
      exit: 4,
      hint: expect.stringContaining('leadwire suppliers get'),
    });
    const odd = await run([...args(), '--field', 'state'], {}, withKey());
    expect(odd.outcome).toMatchObject({
      message: '--field must be name=value, such as state=CA: not "state".',
    });
    const wrong = await run([...args(), '--field', 'a=b', '--key', 'mistyped']);
    expect(wrong).toMatchObject({ outcome: 4, out: expect.stringMatching(/^unauthorized/) });
    const nobody = await run([...args(), '--url', 'http://127.0.0.1:1'], {}, withKey());
    expect(nobody.outcome).toMatchObject({
      exit: 1,
      message: expect.stringContaining('Cannot reach http://127.0.0.1:1'),
    });
  });
});

describe('leadwire leads watch', () => {
  it('waits until a lead is decided; the exit code says how', async () => {
    const { data } = await market.post();
    const sold = await run(['leads', 'watch', data?.id ?? '', '--exit-status']);
    expect(sold).toMatchObject({
      outcome: 0,
      out: `Lead ${data?.id} is ACCEPTED, wants pays 25.50.`,
    });
    const fields = await run(['leads', 'watch', data?.id ?? '', '--json', 'status,price']);
    expect(JSON.parse(fields.out)).toEqual({ status: 'ACCEPTED', price: 25.5 });
  });

  it('ends with 8 when it is not decided in time, and otherwise waits', async () => {
    const away = await testbed.market({ buyers: { only: { answer: () => DOWN } } });
    const key = { LEADWIRE_API_KEY: await keyOf(away) };
    const { data } = await away.post();
    const id = data?.id ?? '';
    await testbed.becomes(id, 'PENDING');
    const short = await run(['leads', 'watch', id, '--timeout', '0'], {}, key);
    expect(short).toMatchObject({
      outcome: { exit: 8, message: `Lead ${id} is still PENDING after 0 s.` },
      err: 'PENDING … Ctrl-C ends it.',
    });
    const watching = run(['leads', 'watch', id, '--exit-status', '--timeout', '60'], {}, key);
    const dropped = await run(['deliveries', 'drop', '--lead-id', id, '--yes'], {}, key);
    expect(dropped.outcome).toBe(0);
    expect(await watching).toMatchObject({ outcome: 1, out: `Lead ${id} is EXPIRED.` });
  });
});

describe('leadwire leads explain', () => {
  it('explains in sentences: the result, each step, each buyer', async () => {
    const { data } = await market.post();
    await testbed.becomes(data?.id, 'ACCEPTED');
    const { outcome, out } = await run(['leads', 'explain', data?.id ?? ''], { columns: 90 });
    expect(outcome).toBe(0);
    expect(out).toMatch(new RegExp(`^Lead ${data?.id} is ACCEPTED\\n.+ \\(version \\d+\\), from `));
    expect(out).toContain('\nrevenue 25.50, cost 4.00, profit 21.50 USD\n');
    expect(out).toMatch(/\n\nSteps\n {2}received {2}Its fields/);
    expect(out).toMatch(/\n\nBuyers\n {2}sold {5}wants .*\n(?:.*\n)* {2}refused {2}no /);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(90);
    const json = await run(['leads', 'explain', data?.id ?? '', '--json', 'status'], {
      columns: 90,
    });
    expect(JSON.parse(json.out)).toEqual({ status: 'ACCEPTED' });
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
      expect.stringMatching(/CREATED AT/),
      expect.stringMatching(/ACCEPTED|PENDING/),
    ]);
    tail.child.stdout.destroy();
    await market.post();
    expect((await tail.ended).code).toBe(0);
  });

  it('refuses invalid options before it starts', async () => {
    const both = await run(['leads', 'tail', '--since', '1h', '--last', '3']);
    expect(both.outcome).toMatchObject({ message: '--since and --last exclude each other.' });
    const status = await run(['leads', 'tail', '--status', 'SOLD']);
    expect(status.outcome).toMatchObject({
      message: expect.stringContaining('The statuses are: NEW'),
    });
    const nobody = await run(['leads', 'tail'], {}, { LEADWIRE_URL: 'http://127.0.0.1:1' });
    expect(nobody.outcome).toMatchObject({ exit: 1, hint: expect.stringContaining('doctor') });
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
