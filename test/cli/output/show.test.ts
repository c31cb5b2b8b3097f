import { describe, expect, it } from '@jest/globals';
import { createPaint } from '../../../cli/output/paint.js';
import { cellText, plainText } from '../../../cli/output/cells.js';
import { chosenFields, csvLine } from '../../../cli/output/formats.js';
import { formatRecord } from '../../../cli/output/record.js';
import { rowSink, showRecord, type ShowOptions } from '../../../cli/output/show.js';
import { shortIds } from '../../../cli/output/shortIds.js';
import { formatRows, type TableView } from '../../../cli/output/table.js';
import { formatTree } from '../../../cli/output/tree.js';
import { textWidth } from '../../../cli/output/width.js';
import { testTerminal } from '../../support/cli.js';
import { viewOf } from '../tableView.js';

const paint = createPaint(false);
const ID = '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11';
const entry = { name: 'list_things', cli: ['things', 'list'], fields: ['id', 'name'] } as const;
const described = { ...entry, fields: [...entry.fields] };

describe('a cell', () => {
  it.each([
    ['price', 1234.5, '1,234.50'],
    ['cost', 0.1234, '0.1234'],
    ['daily_budget', null, '–'],
    ['version', 1234, '1234'],
    ['created_at', '2026-01-31T08:09:10.123Z', '2026-01-31 08:09:10Z'],
    ['test_mode', false, 'no'],
    ['states', ['CA', 'TX'], 'CA, TX'],
    ['states', [], '–'],
    ['zips', { miles: 5 }, '{"miles":5}'],
    ['campaign', { id: 'c', name: 'Auto' }, 'Auto'],
    ['changes', [{ path: 'status', from: 'PAUSED', to: 'ACTIVE' }], 'status: PAUSED → ACTIVE'],
    ['changes', [{ path: 'buyers["A"]', from: null, to: { price: 1 } }], 'buyers["A"] added'],
    ['name', 'two\nlines \u001b[31mred', 'two lines  [31mred'],
  ])('of %s shows %j as %s', (key, value, shown) => {
    expect(cellText(key, value)).toBe(shown);
  });

  it('is for programs as it was sent, on one line', () => {
    expect([null, 1.5, true, 'a\tb', ['x']].map(plainText)).toEqual([
      '',
      '1.5',
      'true',
      'a b',
      '["x"]',
    ]);
  });
});

/** An account in New York, at half past two in the afternoon there. */
const look = { zone: 'America/New_York', currency: 'USD', now: Date.UTC(2026, 10, 28, 19, 30) };
const ofAccount = (width: number, names: [string, string][] = []): TableView =>
  viewOf(width, { look, names: new Map(names) });
const columnsFor = (...keys: string[]) => keys.map((key) => ({ key }));
const linesOf = (rows: object[], keys: string[], view: TableView) =>
  formatRows(rows, columnsFor(...keys), view).text.split('\n');

describe('a table', () => {
  const rows = [
    {
      id: ID,
      name: 'Auto insurance for the whole of the West',
      price: 12.5,
      note: 'x y '.repeat(9),
    },
    { id: ID, name: 'Home', price: 1000, note: null },
  ];

  it('aligns money to the right, shortens ids, and is at most as wide as the terminal', () => {
    const lines = linesOf(rows, ['id', 'name', 'price', 'note'], ofAccount(80));
    expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(80);
    expect(lines[0]).toMatch(/^ID +NAME +PRICE +NOTE$/);
    expect(lines[1]).toMatch(/^5f3e7c1a {2}Auto insurance.*… +\$12\.50 {2}x y/);
    expect(lines.at(-1)).toMatch(/^5f3e7c1a {2}Home +\$1,000\.00 {2}–$/);
  });

  it('breaks sentences into lines, and leaves out no word of them', () => {
    const advice = 'Set the price of the buyer before you set the campaign to active again.';
    const lines = linesOf([{ name: 'price', advice }], ['name', 'advice'], ofAccount(40));
    expect(lines).toEqual([
      'NAME   ADVICE',
      'price  Set the price of the buyer before',
      '       you set the campaign to active',
      '       again.',
    ]);
  });

  it('leaves out anything before advice', () => {
    const step = {
      id: 'x'.repeat(12),
      title: 'y '.repeat(10),
      required: true,
      done: false,
      detail: 'Set it.',
    };
    const [head] = linesOf([step], ['id', 'title', 'done', 'required', 'detail'], ofAccount(40));
    expect(head).toMatch(/^ID +DONE +REQUIRED +DETAIL$/);
  });

  it('leaves out what matters least rather than cutting a value that has no meaning in part', () => {
    const { text, left } = formatRows(
      rows,
      columnsFor('id', 'name', 'price', 'note'),
      ofAccount(30),
    );
    expect(text.split('\n')[1]).toBe('5f3e7c1a  Auto insurance for …');
    expect(left).toEqual(['price', 'note']);
  });

  it('shows names for ids: those of the row, else those that are known, else the id', () => {
    const some = [
      { buyer_id: 'b1', buyer_name: 'Acme' },
      { buyer_id: 'b2' },
      { buyer_id: ID },
      { buyer_id: null },
    ];
    expect(linesOf(some, ['buyer_id'], ofAccount(80, [['b2', 'Best\u001b[2J']]))).toEqual([
      'BUYER',
      'Acme',
      'Best [2J',
      '5f3e7c1a',
      '–',
    ]);
  });

  it('writes times short, in the zone of the account, which the first of them names', () => {
    const some = [
      { created_at: '2026-11-28T05:00:09.123Z', due_at: '2027-01-01T12:00:00Z' },
      { created_at: '2026-11-28T04:59:00.000Z', due_at: null },
      { created_at: '2026-07-04T16:00:00.000Z', due_at: '2026-11-28T19:31:00Z' },
    ];
    expect(linesOf(some, ['created_at', 'due_at'], ofAccount(80))).toEqual([
      'CREATED ET    DUE',
      '00:00:09      2027-01-01',
      'Nov 27 23:59  –',
      'Jul 04 12:00  14:31:00',
    ]);
  });
});

describe('ids on a screen', () => {
  const [early, late] = [
    '019ac001-71d2-7a3d-8a51-0f2b6c9e7d10',
    '019ac001-71d2-7b00-8a51-0f2b6c9e7d10',
  ];

  it.each([
    [[ID], ['5f3e7c1a']],
    [
      [ID, '5f3e7c1b-6a0e-4d7b-9f57-0c8f2f1f6a11'],
      ['5f3e7c1a', '5f3e7c1b'],
    ],
    [
      [ID, '5f3e7c1a-6b0e-4d7b-9f57-0c8f2f1f6a11'],
      ['5f3e7c1a-6a', '5f3e7c1a-6b'],
    ],
    [[early], ['019ac001-71d2']],
    [
      [early, late],
      ['019ac001-71d2-7a', '019ac001-71d2-7b'],
    ],
    [
      ['fun_3f9a60c17a3d4a539a510f2b', 'key-1'],
      ['fun_3f9a60c1', 'key-1'],
    ],
    [
      [ID, ID],
      ['5f3e7c1a', '5f3e7c1a'],
    ],
  ])('are as much of %j as tells them apart', (ids, shown) => {
    expect(ids.map(shortIds(ids))).toEqual(shown);
  });
});

describe('a record', () => {
  it('is a line for each value, with lists of records as tables', () => {
    const record = {
      id: ID,
      dedupe: { window_days: 30 },
      filters: null,
      created_at: '2026-07-04T16:00:00.000Z',
      buyers: [{ buyer_id: 'b', price: 25.5, states: ['CA'] }],
    };
    expect(formatRecord(record, ofAccount(80, [['b', 'Acme']]))).toBe(
      [
        `id                  ${ID}`,
        'dedupe.window_days  30',
        'filters             –',
        'created_at          2026-07-04 12:00:00 EDT',
        '',
        'buyers',
        '  BUYER   PRICE',
        '  Acme   $25.50',
      ].join('\n'),
    );
  });

  it('goes on under itself where a value is longer than the line', () => {
    const text = formatRecord(
      { name: 'x', hint: 'one two three four five six seven' },
      ofAccount(30),
    );
    expect(text).toBe(['name  x', 'hint  one two three four five', '      six seven'].join('\n'));
  });
});

describe('the trail of a lead', () => {
  const step = (ms: number, name: string, result: string, buyer_id: string | null = null) => ({
    at: new Date(Date.UTC(2026, 0, 1) + ms).toISOString(),
    step: name,
    result,
    buyer_id,
    reason: result === 'skipped' ? 'filtered' : null,
    detail: { limit: 5 },
  });
  const steps = [
    step(0, 'received', 'valid'),
    step(3, 'routing', 'ranked'),
    step(3, 'routing', 'skipped', 'b1'),
    step(2_100, 'delivery', 'accepted', 'b2'),
    step(130_000, 'closing', 'done'),
  ];
  const options = { names: new Map([['b1', 'Acme']]), paint, width: null, withValues: false };

  it('is a tree with times, buyers by name under the step that asked them', () => {
    expect(formatTree(steps, options)).toBe(
      [
        '├─  +0 ms  received  valid',
        '├─  +3 ms  routing  ranked',
        '│  ├─  +3 ms  routing  skipped  Acme  filtered',
        '│  └─ +2.1 s  delivery  accepted  b2',
        '└─ +2 min  closing  done',
      ].join('\n'),
    );
  });

  it('has the values of each step on request', () => {
    const [, values] = formatTree(steps.slice(0, 1), { ...options, withValues: true }).split('\n');
    expect(values).toBe('          limit: 5');
  });
});

describe('output for programs', () => {
  const rows = [
    { id: '1', name: 'A "b", c' },
    { id: '2', name: null },
  ];
  const written = async (
    options: ShowOptions,
    columns?: number,
    fields: string[] | null = null,
  ) => {
    const size = columns === undefined ? {} : { LEADWIRE_FORCE_TTY: String(columns) };
    const { terminal, stdout } = testTerminal({ ...size, NO_COLOR: '1' });
    const sink = rowSink(terminal, described, { ...options, fields });
    sink.take(rows);
    await sink.end();
    return stdout().slice(0, -1);
  };

  it.each([
    ['lines with tabs into a pipe', {}, null, '1\tA "b", c\n2\t'],
    ['CSV', { csv: true }, null, 'id,name\n1,"A ""b"", c"\n2,'],
    ['CSV of some fields', { csv: true }, ['name'], 'name\n"A ""b"", c"\n'],
    ['JSON lines', { jsonl: true }, ['id'], '{"id":"1"}\n{"id":"2"}'],
    ['what jq makes of it', { jq: '.[] | .name // "none"' }, null, 'A "b", c\nnone'],
  ] as const)('is %s', async (_what, options, fields, expected) => {
    expect(await written(options as ShowOptions, undefined, fields && [...fields])).toBe(expected);
  });

  it('is complete JSON, or JSON of the given fields', async () => {
    expect(JSON.parse(await written({ json: true }))).toEqual(rows);
    expect(JSON.parse(await written({ json: 'id' }, 80, ['id']))).toEqual([
      { id: '1' },
      { id: '2' },
    ]);
  });

  it('is a table in a terminal', async () => {
    expect(await written({}, 80)).toBe('ID  NAME\n1   A "b", c\n2   –');
  });

  it('lists the fields when one is unknown', () => {
    expect(() => chosenFields('id,nam', described.fields, 'leadwire things list')).toThrow(
      'Unknown field "nam" of leadwire things list. Did you mean name? The fields are:\n  id\n  name',
    );
  });

  it('says what is wrong with a jq filter', async () => {
    const { terminal } = testTerminal();
    await expect(showRecord(terminal, { a: 1 }, { jq: '.a | (', fields: null })).rejects.toThrow(
      /^--jq: /,
    );
    await expect(showRecord(terminal, { a: 1 }, { jq: '.a.b', fields: null })).rejects.toThrow(
      /^--jq: Cannot index number/,
    );
  });

  it('quotes what CSV needs quoted', () => {
    expect(csvLine(['a', 'b\nc', ' d', ['e'], 1.5])).toBe('a,"b\nc"," d","[""e""]",1.5');
  });

  it.each([
    ['=HYPERLINK("http://x";"a")', `"'=HYPERLINK(""http://x"";""a"")"`],
    ['+1-2', "'+1-2"],
    ['-cmd', "'-cmd"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1+1', `"'\t'=1+1"`],
    ['a;=1+1', `"a;'=1+1"`],
    ['+15558675309', '+15558675309'],
    ['-1.5', '-1.5'],
    [-1.5, '-1.5'],
  ])('writes %j into CSV so that no spreadsheet calculates it', (value, cell) => {
    expect(csvLine([value])).toBe(cell);
  });

  it('prints no control sequences of values, as CSV or by jq', async () => {
    const name = 'red \u001b[31m\u009b2J\rover\ttab\r\nline';
    const shown = 'red  [31m 2J over\ttab\r\nline';
    expect(csvLine([name])).toBe(`"${shown}"`);
    const { terminal, stdout } = testTerminal();
    await showRecord(terminal, { name }, { jq: '.name', fields: null });
    expect(stdout()).toBe(`${shown}\n`);
  });
});
