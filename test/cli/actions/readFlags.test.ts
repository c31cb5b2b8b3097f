import { describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandEntry, Flag } from '../../../cli/actions/manifest.js';
import { exposedSecrets, readInput } from '../../../cli/actions/readFlags.js';

const flag = (key: string, kind: Flag['kind'], rest: Partial<Flag> = {}): Flag => ({
  key,
  kind,
  required: false,
  nullable: false,
  description: `The ${key}`,
  ...rest,
});
const entry: CommandEntry = {
  name: 'x',
  cli: ['things', 'make'],
  summary: '',
  description: '',
  effect: 'write',
  idempotent: false,
  permission: 'campaigns:write',
  paged: false,
  rows: null,
  fields: [],
  flags: [
    flag('thing_id', 'text', { required: true }),
    flag('cap', 'integer', { nullable: true }),
    flag('price', 'number'),
    flag('states', 'texts', { nullable: true }),
    flag('zips', 'any'),
    flag('fields', 'json'),
    flag('csv', 'text'),
    flag('is_on', 'boolean'),
    flag('pin', 'text', { secret: true }),
  ],
  example: {},
};
const read = (options: Record<string, unknown>, rest: { input?: string; stdin?: string } = {}) =>
  readInput(entry, { options, positional: 'T', input: rest.input }, () =>
    Promise.resolve(rest.stdin ?? ''),
  );

describe('the flags of a command', () => {
  it.each([
    ['a whole number', { cap: '12' }, { cap: 12 }],
    ['null for none', { cap: 'null' }, { cap: null }],
    ['a number', { price: '12.5' }, { price: 12.5 }],
    ['a list with commas, repeated', { states: ['CA, TX', 'NY'] }, { states: ['CA', 'TX', 'NY'] }],
    ['a list as JSON', { states: ['["a,b"]'] }, { states: ['a,b'] }],
    ['an empty list', { states: [''] }, { states: [] }],
    ['no list', { states: ['null'] }, { states: null }],
    ['text that may be JSON', { zips: '02134' }, { zips: '02134' }],
    ['JSON that may be text', { zips: '{"miles":5}' }, { zips: { miles: 5 } }],
    ['JSON', { fields: '[{"name":"a"}]' }, { fields: [{ name: 'a' }] }],
    [
      'JSON with an id of many digits',
      { fields: '[7615917337430043418]' },
      { fields: ['7615917337430043418'] },
    ],
    ['a boolean', { isOn: false }, { is_on: false }],
    ['text that begins with @', { csv: '@@x' }, { csv: '@x' }],
    ['text that is no number', { csv: '007' }, { csv: '007' }],
  ])('is %s', async (_what, options, expected) => {
    expect(await read(options)).toEqual({ thing_id: 'T', ...expected });
  });

  it.each([
    [{ cap: '1.5' }, '--cap must be a whole number, or null for none; "1.5" is not.'],
    [{ cap: '' }, '--cap must be a whole number'],
    [{ price: 'many' }, '--price must be a number; "many" is not.'],
    [{ fields: '[' }, '--fields is not valid JSON'],
    [{ csv: '@/nowhere/at/all' }, 'Cannot read the file /nowhere/at/all'],
    [{ thingId: 'U' }, 'Give thing_id only once: as an argument, or by --thing-id.'],
    [{ csv: '@-', zips: '@-' }, 'Standard input (-) can be read by one flag only.'],
  ])('is refused for %j', async (options, message) => {
    await expect(read(options)).rejects.toThrow(message);
  });

  it('take a secret from a file or standard input, without the line break at its end', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'leadwire-flags-'));
    const file = join(folder, 'pin.txt');
    await writeFile(file, ' s3cret \r\n');
    expect(await read({ pinFile: file })).toMatchObject({ pin: ' s3cret ' });
    expect(await read({ pinFile: '-' }, { stdin: 's3cret\n' })).toMatchObject({ pin: 's3cret' });
    await writeFile(file, '\n');
    await expect(read({ pinFile: file })).rejects.toThrow(`--pin-file: ${file} is empty.`);
    await expect(read({ pinFile: '-', pin: 'x' })).rejects.toThrow(
      'Give only one of --pin-file and --pin.',
    );
    await rm(folder, { recursive: true });
  });

  it.each([
    [{ pin: 's3cret' }, ['pin']],
    [{ pin: '@@s3cret' }, ['pin']],
    [{ pin: '@pin.txt' }, []],
    [{ pinFile: 'pin.txt' }, []],
    [{ csv: 'open' }, []],
  ])('know which secrets %j shows on the command line', (options, exposed) => {
    expect(exposedSecrets(entry, { options }).map(({ key }) => key)).toEqual(exposed);
  });

  it('also come from files and standard input, and flags override them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'leadwire-flags-'));
    const file = join(folder, 'input.json');
    await writeFile(file, '{"cap":1,"price":2}');
    expect(
      await read({ cap: '9', csv: `@${file}` }, { input: '-', stdin: '{"isOn":true}' }),
    ).toEqual({ thing_id: 'T', isOn: true, cap: 9, csv: '{"cap":1,"price":2}' });
    expect(await read({ cap: '9' }, { input: file })).toEqual({ thing_id: 'T', cap: 9, price: 2 });
    await rm(folder, { recursive: true });
  });

  it('must be one object where it is a file', async () => {
    await expect(read({}, { input: '-', stdin: '[1]' })).rejects.toThrow(
      '--input must contain one JSON object',
    );
  });

  it('names each missing required value with its flag', async () => {
    const typed = { options: {} };
    await expect(readInput(entry, typed, () => Promise.resolve(''))).rejects.toThrow(
      'This is required:\n  --thing-id  The thing_id\nleadwire things make --help shows an example.',
    );
  });
});
