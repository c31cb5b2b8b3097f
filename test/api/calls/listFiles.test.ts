/** Files of lists: whole, or cut for all to see. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { createListFiles } from '../../../src/api/calls/listFiles.js';
import type { ListFile } from '../../../src/api/calls/definition.js';
import { systemClock } from '../../../src/lib/clock.js';
import { startServer } from '../../support/http.js';

const caller = {
  org_id: 'org',
  actor: { kind: 'key' as const, id: 'key', name: 'Key' },
  permissions: [],
};
const context = { caller, clock: systemClock, collections: {} as never };

/** A list whose batches are made by this. */
const listOf = (batches: () => AsyncGenerator<(string | number)[][]>) => ({
  name: 'a_list',
  effect: 'read' as const,
  letsOut: [],
  input: z.object({}),
  file: () => Promise.resolve<ListFile>({ columns: ['id', 'n'], batches: batches() }),
});

const files = (stalledMs?: number) =>
  createListFiles({ recordRead: () => Promise.resolve() }, { stalledMs });

describe('a file of a list', () => {
  let close = () => Promise.resolve();
  afterEach(() => close());

  /** The answer to a request for the list, over HTTP. */
  const get = async (batches: Parameters<typeof listOf>[0]): Promise<IncomingMessage> => {
    const made = files();
    const server = await startServer({
      actions: {
        file: (_key: unknown, { body }: { body: () => Promise<Record<string, unknown>> }) =>
          made.begin(listOf(batches), context, body, 'text/csv'),
      } as never,
    });
    close = () => server.close(0);
    const asked = request(`${server.url}/api/v1/actions/a_list`, {
      method: 'POST',
      headers: { accept: 'text/csv', 'content-type': 'application/json' },
    });
    asked.end('{}');
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return response;
  };

  it('ends with the number of its rows', async () => {
    const response = await get(async function* () {
      yield await Promise.resolve([['a', 1]]);
      yield [['b', 2]];
    });
    expect(await text(response)).toBe('id,n\r\na,1\r\nb,2\r\n#end 2,\r\n');
  });

  it('that fails half-way has no such line, and breaks its connection', async () => {
    const response = await get(async function* () {
      yield await Promise.resolve([['a', 1]]);
      throw new Error('The database is lost');
    });
    expect(response.statusCode).toBe(200);
    await expect(text(response)).rejects.toThrow('aborted');
    expect(response.complete).toBe(false);
  });

  it('that fails at its beginning is an ordinary refusal, and frees its place', async () => {
    const made = files();
    const body = () => Promise.resolve({});
    const broken = listOf(async function* () {
      yield await Promise.reject(new Error('The database is lost'));
    });
    await expect(made.begin(broken, context, body, 'text/csv')).rejects.toThrow('is lost');
    const whole = listOf(async function* () {
      yield await Promise.resolve([['a', 1]]);
    });
    const { body: stream } = await made.begin(whole, context, body, 'application/x-ndjson');
    expect(await text(stream)).toBe('{"id":"a","n":1}\n{"end":true,"rows":1}\n');
  });

  it('that is not read is ended, and makes room', async () => {
    const made = files(30);
    const body = () => Promise.resolve({});
    const endless = listOf(async function* () {
      for (;;) yield await Promise.resolve(Array.from({ length: 500 }, () => ['a', 1]));
    });
    const { body: stream } = await made.begin(endless, context, body, 'text/csv');
    await expect(made.begin(endless, context, body, 'text/csv')).rejects.toThrow(
      'Another export of this organization is running.',
    );
    const [error] = (await once(stream, 'error')) as [Error];
    expect(error.message).toBe('it was not read');
    const next = await made.begin(endless, context, body, 'text/csv');
    next.body.destroy();
  });
});
