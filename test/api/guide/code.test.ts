import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeOfLead } from '../../../src/api/guide/code.js';
import type { Code } from '../../../src/api/guide/types.js';
import type { Fields } from '../../../src/fields/values.js';
import { hasInterpreter, interpret } from '../../support/interpreters.js';

/** Text with a special meaning in a shell or a language, numbers and booleans. */
const lead: Fields = {
  flo_campaign_id: 'c1',
  first_name: `O'Neil "$HOME" \\ \\n {$x} \`id\` </script> é 漢字 😀`,
  note: 'line one\nline two\ttab\u2028end',
  age: 41,
  amount: 1234.5,
  test_lead: true,
  owns_home: false,
};

interface Received {
  headers: Record<string, unknown>;
  body: unknown;
}

let server: Server;
let url = '';
let received: Received[] = [];
let status = 201;

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(parts).toString());
      received.push({ headers: request.headers, body });
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"data":{"id":"x"}}');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/api/v1/ingest`;
});
afterAll(() => new Promise((closed) => server.close(closed)));

const LANGUAGES: [keyof Code, string, string[]][] = [
  ['javascript', process.execPath, ['-']],
  ['python', 'python3', ['-']],
  ['php', 'php', []],
];

describe.each(LANGUAGES)('the program in %s', (language, command, args) => {
  const itRuns = hasInterpreter(command) ? it : it.skip;

  itRuns('posts the lead with its key, and prints the answer', async () => {
    received = [];
    status = 201;
    const ran = await interpret(command, args, codeOfLead(url, `key'"\\$x`, lead)[language]);
    expect(ran).toEqual({ code: 0, out: '201 {"data":{"id":"x"}}\n' });
    const headers: unknown = expect.objectContaining({
      'content-type': 'application/json',
      'x-api-key': `key'"\\$x`,
    });
    expect(received).toEqual([{ body: lead, headers }]);
  });

  itRuns('prints a refusal with its status, too', async () => {
    status = 422;
    const ran = await interpret(command, args, codeOfLead(url, 'key', lead)[language]);
    expect(ran.out).toBe('422 {"data":{"id":"x"}}\n');
  });
});
