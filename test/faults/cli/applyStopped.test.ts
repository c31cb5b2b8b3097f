/** `leadwire apply` that is stopped while the server works. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startCliAccount, type CliAccount } from '../../cli/cliAccount.js';
import { startProgram } from '../../support/program.js';

let account: CliAccount;
beforeAll(async () => {
  account = await startCliAccount();
});
afterAll(() => account.stop());

describe('leadwire apply', () => {
  it.each([
    ['SIGTERM', []],
    ['SIGINT', ['--json']],
  ] as const)(
    'shows the secrets of the step that %s interrupts, and starts no other',
    async (signal, flags) => {
      const org = await account.api.org();
      // A proxy between the program and the server: it holds each answer until the test releases it.
      const created = Promise.withResolvers<undefined>();
      const released = Promise.withResolvers<undefined>();
      const between = createServer((request, response) => {
        void (async () => {
          const { authorization = '' } = request.headers;
          const body = await text(request);
          const answer = await fetch(`${account.api.url}${request.url ?? ''}`, {
            method: request.method ?? 'GET',
            headers: { authorization, 'content-type': 'application/json' },
            ...(body === '' ? {} : { body }),
          });
          const content = await answer.text();
          if (request.url?.endsWith('/create_supplier')) {
            created.resolve(undefined);
            await released.promise;
          }
          response.writeHead(answer.status, { 'content-type': 'application/json' }).end(content);
        })();
      });
      between.listen(0, '127.0.0.1');
      await once(between, 'listening');
      const url = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
      const run = startProgram(['apply', '-f', '-', '--yes', ...flags], {
        HOME: account.home,
        LEADWIRE_URL: url,
        LEADWIRE_API_KEY: await org.key(),
      });
      run.child.stdin.end('version: 1\nsuppliers: [{ name: S }, { name: T }]\n');
      await created.promise;
      run.child.kill(signal);
      await run.said('Stopping.');
      released.resolve(undefined);
      const { code, stdout, stderr } = await run.ended;
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /Error: create supplier "T": Canceled\.\n1 of 2 steps are done; run it again/,
      );
      expect(stdout).toMatch(/lw_live_\S+/);
      const suppliers = await account.api.done<{ name: string }[]>(org, 'list_suppliers');
      expect(suppliers.map(({ name }) => name)).toEqual(['S']);
      if (flags.length > 0)
        expect(JSON.parse(stdout)).toMatchObject({ applied: false, secrets: [{ name: 'S' }] });
      between.closeAllConnections();
      await new Promise((resolve) => between.close(resolve));
    },
  );
});
