/** Tools for buyers: checking the signature of a delivery, and receiving deliveries. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signBody } from '../../../src/platform/security/signatures.js';
import { runCli, startCli } from '../../support/cli.js';

const SECRET = 'a0b1c2';
const BODY = '{"lead_id":"1","name":"Zoë"}';

const run = (args: string[], input = '', environment = {}) => runCli(args, environment, { input });

describe('leadwire signature', () => {
  const secret = { LEADWIRE_SIGNING_SECRET: SECRET };
  // RFC 4231, test case 2.
  const KNOWN = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';

  it('signs as defined by RFC 2104 with SHA-256, in lower-case hex', async () => {
    const args = ['signature', 'sign', '--secret', 'Jefe'];
    expect(await run(args, 'what do ya want for nothing?')).toMatchObject({
      code: 0,
      stdout: `${KNOWN}\n`,
    });
  });

  it('verifies the bytes of a file, whatever they are', async () => {
    const home = await mkdtemp(join(tmpdir(), 'leadwire-signature-'));
    const path = join(home, 'body');
    // Bytes that are not text, and a byte order mark, which text decoders remove.
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x00, 0x0a]);
    await writeFile(path, bytes);
    const signature = signBody(SECRET, bytes).toUpperCase();
    const args = ['signature', 'verify', '--body', path, '--signature', signature];
    expect(await run(args, '', secret)).toMatchObject({
      code: 0,
      stdout: 'The signature is right.\n',
    });
    await rm(home, { recursive: true });
  });

  it.each([
    [`${BODY}\n`, SECRET, 'without the line break at the end'],
    [BODY, ` ${SECRET} `, 'without the blanks around it'],
    [
      JSON.stringify(JSON.parse(BODY), null, 2),
      SECRET,
      'in compact JSON: this one was formatted again',
    ],
    [BODY, 'other', '29 bytes were signed with another secret'],
  ])('fails for %j with %j, and says what is likely', async (body, given, advice) => {
    const args = ['signature', 'verify', '--signature', signBody(SECRET, BODY)];
    const { code, stdout, stderr } = await run([...args, '--secret', given], body);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('The signature is wrong.');
    expect(stderr).toContain(advice);
  });

  it.each([
    [['sign'], {}, 'LEADWIRE_SIGNING_SECRET, or --secret'],
    [['verify', '--signature', 'abc'], secret, '64 digits'],
    [['sign', '--body', '/nowhere/at/all'], secret, 'Cannot read the file /nowhere/at/all'],
  ])('says what is missing: %j', async (args, environment, message) => {
    const { code, stdout, stderr } = await run(['signature', ...args], '', environment);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Error: /);
    expect(stderr).toContain(message);
  });
});

describe('leadwire receive', () => {
  let behind: Server;
  let target: string;
  beforeAll(async () => {
    behind = createServer((request, response) => {
      response.writeHead(422, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ reason: `no, ${request.headers['x-lead-id'] as string}` }));
    });
    behind.listen(0, '127.0.0.1');
    await once(behind, 'listening');
    target = `http://127.0.0.1:${(behind.address() as AddressInfo).port}/leads`;
  });
  afterAll(() => new Promise((resolve) => behind.close(resolve)));

  async function listening(args: string[]) {
    const environment = { LEADWIRE_SIGNING_SECRET: SECRET };
    const program = startCli(['receive', '--port', '0', ...args], environment);
    await program.said('Receiving at ');
    const url = /http:\/\/\S+\//.exec(program.stderr())?.[0] ?? '';
    const send = async (signature: string | null) => {
      const headers = new Headers({ 'content-type': 'application/json', 'x-lead-id': 'l1' });
      if (signature !== null) headers.set('x-leaddistro-signature', signature);
      const response = await fetch(url, { method: 'POST', headers, body: BODY });
      return { status: response.status, body: await response.json() };
    };
    return { ...program, send };
  }

  it('accepts, shows the request, and says whether the signature is right', async () => {
    const { interrupted, send, stdout } = await listening([]);
    expect(await send(signBody(SECRET, BODY))).toEqual({
      status: 200,
      body: { status: 'accepted' },
    });
    await send(signBody('other', BODY));
    await send(null);
    expect((await interrupted()).code).toBe(0);
    expect(stdout()).toMatch(
      /^\S+Z {2}l1 {2}signed {2}answered 200\n {2}lead_id: "1"\n {2}name: "Zoë"\n/,
    );
    expect(stdout()).toMatch(/ {2}WRONG SIGNATURE {2}.*\n(?:.*\n)+.* {2}no signature {2}/);
  });

  it('forwards each request unchanged, and returns the answer', async () => {
    const { signal, send, ended, stdout } = await listening(['--forward-to', target, '--jsonl']);
    const answer = await send(signBody(SECRET, BODY));
    expect(answer).toEqual({ status: 422, body: { reason: 'no, l1' } });
    signal('SIGTERM');
    expect((await ended).code).toBe(0);
    expect(JSON.parse(stdout())).toMatchObject({
      lead_id: 'l1',
      signature: 'right',
      answered: 422,
      body: { name: 'Zoë' },
    });
  });
});
