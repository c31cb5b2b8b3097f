/** Commands that read and write long files. */
import { existsSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aLead, before } from '../../support/storedRows.js';
import { startCliAccount, type CliAccount } from '../cliAccount.js';
import { failed } from '../../support/cli.js';

const COUNT = 700;

let account: CliAccount;
beforeAll(async () => {
  account = await startCliAccount();
  const { ids, org } = account;
  await account.api.collections.leads.insertMany(
    Array.from({ length: COUNT }, (_, n) =>
      aLead({
        org_id: org.id,
        campaign_id: ids.campaign,
        supplier_id: ids.supplier,
        fields: { phone: `+1555${1_000_000 + n}`, note: 'two\nlines' },
        created_at: before(n),
      }),
    ),
  );
});
afterAll(() => account.stop());

const path = (name: string) => join(account.home, name);

/** A server that sends this as an export, and then ends, or breaks the connection. */
async function serving(body: string, isBroken: boolean) {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' });
    response.write(body, () => {
      if (isBroken) response.destroy();
      else response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => server.close() };
}

describe('leadwire leads export', () => {
  it('writes every lead to standard output, without the line that ends an export', async () => {
    const { code, stdout, stderr } = await account.run(['leads', 'export', '--fields', 'phone']);
    const lines = stdout.trimEnd().split('\r\n');
    expect([code, lines.length, lines[0], stderr]).toEqual([0, COUNT + 1, 'id,phone', '']);
    expect(stdout).not.toContain('#end');
  });

  it('writes a file of JSON lines as a whole, with what its filters select', async () => {
    const out = path('leads.jsonl');
    const words = ['--format', 'jsonl', '--fields', 'note', '--out', out];
    const filter = ['--campaign-id', account.ids.campaign, '--date-from', '2020-01-01'];
    const { code, stdout, stderr } = await account.run(['leads', 'export', ...words, ...filter]);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^700 leads in [0-9.]+ s: .*leads\.jsonl\.\n$/);
    const rows = (await readFile(out, 'utf8')).trimEnd().split('\n');
    expect(rows).toHaveLength(COUNT);
    expect(JSON.parse(rows[0] ?? '')).toMatchObject({ note: 'two\nlines' });
  });

  it.each([
    ['whose last line is missing', 'id\r\na\r\nb\r\n', false],
    ['that ends within a line', 'id\r\na\r\n#en', false],
    ['whose connection breaks', 'id\r\na\r\n#end 1', true],
  ])(
    'tells of one %s, and leaves no file and an earlier one as it was',
    async (_, body, broken) => {
      const server = await serving(body, broken);
      const out = path('cut.csv');
      await writeFile(out, 'the earlier one');
      const environment = { LEADWIRE_URL: server.url, LEADWIRE_API_KEY: account.keys.all };
      const ended = await account.run(['leads', 'export', '--out', out], environment);
      server.close();
      expect(ended).toMatchObject(failed(1, /Error: (The export was cut|Cannot reach)/));
      expect(await readFile(out, 'utf8')).toBe('the earlier one');
      expect(existsSync(`${out}.part`)).toBe(false);
    },
  );

  it('refuses what the server refuses, and a file that cannot be written', async () => {
    const wrong = await account.run(['leads', 'export', '--status', 'SOLD']);
    expect(wrong).toMatchObject(failed(1, /leadwire leads export was refused/));
    const nowhere = await account.run(['leads', 'export', '--out', path('none/leads.csv')]);
    expect(nowhere).toMatchObject(failed(1, /Cannot write .*none\/leads\.csv/));
  });

  it('ends in silence when its reader is gone', async () => {
    const ended = await account.run(['leads', 'export'], undefined, { output: 'EPIPE' });
    expect([ended.code, ended.stderr]).toEqual([0, '']);
  });
});

describe('leadwire leads import', () => {
  const target = () => ['--campaign', account.ids.campaign, '--supplier', account.ids.supplier];

  it('checks a file, imports it once, and reports each row', async () => {
    const file = path('in.csv');
    await writeFile(file, 'first_name,phone\nAda,4155550134\n"Bob,4155550135\nEve,1,2\n');
    const dry = await account.run(['leads', 'import', file, ...target(), '--dry-run']);
    expect(dry.stdout).toBe('1 valid, 2 refused. Nothing was stored.\n');
    expect(await account.api.collections.importedRows.countDocuments()).toBe(0);
    const report = path('report.csv');
    const words = ['leads', 'import', file, ...target(), '--report', report];
    const first = await account.run(words);
    expect(first.stdout).toBe('1 accepted, 2 refused.\n');
    expect([first.code, first.stderr]).toEqual([
      1,
      '  line 3  refused  A quote that opens a cell must be closed.\n' +
        '  line 4  refused  It has 3 cells, and the header 2.\n',
    ]);
    expect(await readFile(report, 'utf8')).toContain('2,accepted,lead-1,\r\n');
    const again = await account.run(words);
    expect(again.stdout).toBe('1 accepted, 2 refused (1 of them by an earlier run).\n');
  });

  it('takes what leads export has written, as JSON lines too', async () => {
    for (const [n, format] of ['csv', 'jsonl'].entries()) {
      const file = path(`round.${format}`);
      const filter = ['--created-from', before(2).toISOString(), '--format', format];
      await account.run(['leads', 'export', '--fields', 'phone,note', '--out', file, ...filter]);
      const words = ['--key-column', n === 0 ? 'id' : 'phone', '--json'];
      const { code, stdout } = await account.run(['leads', 'import', file, ...target(), ...words]);
      expect([code, JSON.parse(stdout)]).toMatchObject([0, { counts: { accepted: 3 } }]);
    }
  });

  it('needs a name for what comes from standard input, unless rows are told apart by a column', async () => {
    const piped = { input: 'phone\n4155550136\n' };
    const words = ['leads', 'import', '-', ...target()];
    const unnamed = await account.run(words, undefined, piped);
    expect(unnamed).toMatchObject(failed(1, /Standard input needs --import-id/));
    const named = await account.run([...words, '--import-id', 'piped'], undefined, piped);
    expect([named.code, named.stdout]).toEqual([0, '1 accepted.\n']);
  });
});

describe('leadwire suppressions import', () => {
  it('imports a file of several chunks, tells what it could not read, and once more changes nothing', async () => {
    const file = path('dnc.csv');
    const lines = Array.from({ length: 21_000 }, (_, n) => `+1415${1_000_000 + n}`);
    await writeFile(file, `phone\n${lines.join('\n')}\nnot a phone\n`);
    const words = ['suppressions', 'import', file, '--name', 'DNC'];
    const { code, stdout, stderr } = await account.run(words);
    expect([code, stdout]).toEqual([
      1,
      '21,001 rows: 21,000 added, 0 already there, 1 bad. The list has 21,000 entries.\n',
    ]);
    expect(stderr).toMatch(/^List [0-9a-f-]+, .* rows a second\.\n {2}line 21002: phone must have/);
    const again = await account.run(words);
    expect(again.stderr).toContain('This file was imported into the list earlier');
    const replaced = await account.run([...words, '--replace', '--json']);
    expect(JSON.parse(replaced.stdout)).toMatchObject({ state: 'done', entries: 21_000 });
    const lists = account.api.collections.suppressionLists;
    expect(await lists.countDocuments({ name: 'DNC' })).toBe(1);
  });

  it.each([
    [['none.csv'], /Cannot read the file .*none\.csv/],
    [['.'], /is a folder/],
    [['-'], /Standard input needs --import-id/],
    [['empty.csv'], /The file is empty/],
    [['plain.csv'], /The first line must name one of the columns/],
    [['plain.csv', '--campaign-id', 'a', '--buyer-id', 'b'], /exclude each other/],
  ])('refuses %j', async ([name = '', ...more], message) => {
    await writeFile(path('empty.csv'), '');
    await writeFile(path('plain.csv'), '4155550134\n');
    const file = name === '-' ? name : path(name);
    const ended = await account.run(['suppressions', 'import', file, '--name', 'X', ...more]);
    expect(ended).toMatchObject(failed(1, message));
    expect(ended.stderr).not.toContain('4155550134');
    expect(await readdir(account.home)).not.toContain('X');
  });
});
