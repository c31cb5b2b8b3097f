import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { Cell, PartnerContext, PartnerFile } from '../../../src/api/partner/call.js';
import { createDownloads } from '../../../src/api/partner/downloads.js';
import { createLog } from '../../../src/lib/log.js';
import { AppError } from '../../../src/lib/errors.js';
import { waitFor } from '../../support/waitFor.js';

const contextOf = (party_id: string, exports = true) =>
  ({
    org_id: 'org-1',
    party_id,
    caller: {
      org_id: 'org-1',
      actor: { kind: 'person', id: 'per_1', name: 'Pat', is_fresh: true },
      party: { kind: 'buyer', id: party_id },
      portal: { settings: { exports }, isAdmin: false },
    },
    clock: { now: () => new Date(0) },
  }) as unknown as PartnerContext;

const fileOf = (batches: () => AsyncIterable<Cell[][]>): PartnerFile => ({
  name: 'leads.csv',
  permits: 'exports',
  effect: 'read',
  letsOut: [],
  input: z.strictObject({}),
  rows: () => Promise.resolve({ head: ['n'], batches: batches() }),
});

async function* twoRows(): AsyncGenerator<Cell[][]> {
  yield await Promise.resolve([[1]]);
  yield [[2]];
}

describe('downloads', () => {
  const recorded: string[] = [];
  const recordRead = ({ name }: { name: string }) => {
    recorded.push(name);
    return Promise.resolve();
  };
  const open = (limits = {}) =>
    createDownloads({ recordRead, log: createLog('silent', 'test') }, limits);
  const begin = (downloads: ReturnType<typeof open>, party: string, file = fileOf(twoRows)) =>
    downloads.begin(file, new URLSearchParams(), contextOf(party));
  const textOf = async (body: AsyncIterable<Buffer | string>) => {
    let text = '';
    for await (const chunk of body) text += chunk.toString();
    return text;
  };

  it('stream the rows under a header, and are recorded', async () => {
    const { headers, body } = await begin(open(), 'a');
    expect(headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8' });
    expect(await textOf(body)).toBe('\uFEFFn\r\n1\r\n2\r\n');
    expect(recorded).toContain('buyer_portal.leads.csv');
  });

  it('are limited to one at a time per partner, and never delay others', async () => {
    const downloads = open();
    const first = await begin(downloads, 'a');
    await expect(begin(downloads, 'a')).rejects.toMatchObject({ code: 'rate_limited' });
    const others = await Promise.all(['b', 'c', 'd'].map((party) => begin(downloads, party)));
    await expect(begin(downloads, 'e')).rejects.toMatchObject({ code: 'rate_limited' });
    await textOf(first.body);
    await Promise.all(others.map(({ body }) => textOf(body)));
    const again = await begin(downloads, 'a');
    expect(await textOf(again.body)).toContain('2');
  });

  it('end when the client stops reading, and free their place', async () => {
    async function* endless(): AsyncGenerator<Cell[][]> {
      for (let n = 0; ; n += 1) yield await Promise.resolve([['x'.repeat(100_000), n]]);
    }
    const downloads = open({ stalledMs: 20 });
    const { body } = await begin(downloads, 'a', fileOf(endless));
    body.once('error', () => undefined);
    await waitFor(() => Promise.resolve(body.destroyed));
    const next = await begin(downloads, 'a');
    expect(await textOf(next.body)).toContain('1');
  });

  it('say that they are truncated when there are too many rows', async () => {
    const { body } = await begin(open({ rowsMax: 1 }), 'a');
    expect(await textOf(body)).toBe('\uFEFFn\r\n1\r\nCut after 1 rows: ask for fewer days.\r\n');
  });

  it('are refused like any call before a byte is sent, and then hold no place', async () => {
    const downloads = open();
    const broken: PartnerFile = {
      ...fileOf(twoRows),
      rows: () => Promise.reject(new AppError('invalid_input', 'no')),
    };
    await expect(begin(downloads, 'a', broken)).rejects.toMatchObject({ code: 'invalid_input' });
    const closed = downloads.begin(fileOf(twoRows), new URLSearchParams(), contextOf('a', false));
    await expect(closed).rejects.toMatchObject({
      code: 'forbidden',
      extras: { required: 'exports' },
    });
    expect(await textOf((await begin(downloads, 'a')).body)).toContain('1');
  });
});
