/** The commands match the registry: the same actions, inputs and permissions, and no others. */
import { describe, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { z } from 'zod';
import { makeManifest } from '../../../cli/actions/makeManifest.js';
import { flagName, positionalOf, readManifest } from '../../../cli/actions/manifest.js';
import {
  EXAMPLE_SECRET_FILE,
  exampleLine,
  exampleWords,
  optionsOf,
} from '../../../cli/actions/options.js';
import { camelCase, readInput } from '../../../cli/actions/readFlags.js';
import { describedProgram } from '../../../cli/program.js';
import { columnsFor, WORTH } from '../../../cli/actions/worth.js';
import { getOwn } from '../../../src/lib/getOwn.js';
import { REGISTRY } from '../../../src/api/actions/registry.js';

const entries = makeManifest(REGISTRY);

describe('the manifest', () => {
  it('matches the registry (npm run build writes it)', () => {
    expect(readManifest()).toEqual(JSON.parse(JSON.stringify(entries)));
  });

  it('says what is missing when it was not built', () => {
    expect(() => readManifest('/nowhere/manifest.json')).toThrow(
      'The list of commands is missing (/nowhere/manifest.json): npm run build creates it.',
    );
  });

  it.each(REGISTRY.map((action) => [action.name, action] as const))(
    '%s has a flag for each part of its input, and the permission of the action',
    (name, action) => {
      const entry = entries.find((one) => one.name === name);
      const schema = z.toJSONSchema(action.input, { io: 'input' });
      expect(entry?.flags.map(({ key }) => key)).toEqual(Object.keys(schema.properties ?? {}));
      expect(entry?.flags.flatMap(({ key, required }) => (required ? [key] : []))).toEqual(
        schema.required ?? [],
      );
      expect(entry).toMatchObject({ permission: action.permission, effect: action.effect });
    },
  );
});

describe('the columns of a list', () => {
  const lists = entries.filter(({ rows, fields }) => rows !== null && fields.length > 0);

  it.each(lists.map(({ name, columns, fields }) => [name, columns, fields] as const))(
    '%s: each is a part of its rows, once, and those that are named are there',
    (name, columns, fields) => {
      const keys = columns?.map(({ key }) => key) ?? [];
      expect(keys.length).toBeGreaterThan(0);
      expect(new Set(keys).size).toBe(keys.length);
      expect(fields).toEqual(expect.arrayContaining(keys));
      const named = getOwn(WORTH, name)?.split(' ');
      expect(named ?? keys).toEqual(keys);
    },
  );

  it('have the label of their setting, where it is shorter than its name', () => {
    const columns = entries.find(({ name }) => name === 'list_campaigns')?.columns ?? [];
    const titles = Object.fromEntries(columns.map(({ key, title }) => [key, title]));
    expect(titles).toMatchObject({ distribution_method: 'Distribution', max_sells: undefined });
  });

  it('of a list that nobody has ordered begin with what it is, and end with ids', () => {
    const parts = [
      'id',
      'created_at',
      'price',
      'buyer_name',
      'lead_id',
      'count',
      'buyer_id',
      'state',
    ];
    const plain = parts.map((key) => ({ key, isPlain: true }));
    const columns = columnsFor('get_today', [{ key: 'rows', isPlain: false }, ...plain]);
    expect(columns.map(({ key }) => key)).toEqual(
      'state buyer_id price created_at count id lead_id'.split(' '),
    );
  });
});

describe('a value that may be null', () => {
  it('is a flag of its own kind', () => {
    const flagsOf = (name: string) => entries.find((one) => one.name === name)?.flags ?? [];
    const kinds = Object.fromEntries(
      flagsOf('set_buyer_returns').map(({ key, kind, nullable }) => [key, [kind, nullable]]),
    );
    expect(kinds).toMatchObject({
      max_age_days: ['number', true],
      resell: ['boolean', true],
      buyer_id: ['text', false],
    });
  });
});

describe('the commands', () => {
  const program = describedProgram();

  it('are each a noun and a verb, with every flag once', () => {
    for (const { cli, flags } of entries) {
      const [noun, verb] = cli;
      const groups = program.commands.filter((one) => one.name() === noun);
      expect(groups).toHaveLength(1);
      const commands = groups[0]?.commands.filter((one) => one.name() === verb) ?? [];
      expect(commands).toHaveLength(1);
      const names = commands[0]?.options.map(({ long }) => long) ?? [];
      expect(new Set(names).size).toBe(names.length);
      expect(names).toEqual(expect.arrayContaining(flags.map(({ key }) => flagName(key))));
    }
  });

  it('have no input key that is an option of the program', () => {
    // Where dry_run is an input, the server tells what a call would do, and --dry-run is that input.
    const own = ['json', 'jq', 'jsonl', 'all', 'input', 'yes', 'confirm', 'profile'];
    const taken = entries.flatMap(({ name, flags, rows }) =>
      flags
        .filter(({ key }) =>
          [...own, ...(rows === null ? [] : ['csv']), 'color', 'help'].includes(key),
        )
        .map(({ key }) => `${name} ${key}`),
    );
    expect(taken).toEqual([]);
  });

  it('offer --dry-run for changes, and --yes for actions that cannot be undone', () => {
    for (const { cli, effect } of entries) {
      const group = program.commands.find((one) => one.name() === cli[0]);
      const command = group?.commands.find((one) => one.name() === cli[1]);
      const names = command?.options.map(({ long }) => long);
      expect(names?.includes('--dry-run')).toBe(effect !== 'read');
      expect(names?.includes('--yes')).toBe(effect === 'destroy');
    }
  });

  it.each(entries.map((entry) => [entry.name, entry] as const))(
    '%s reads its own example from a command line',
    async (_name, entry) => {
      const words = exampleWords(entry)
        .slice(3)
        .map((word) => (word === EXAMPLE_SECRET_FILE ? '-' : word));
      const secret = entry.flags.find((flag) => flag.secret);
      const stdin = () =>
        secret
          ? Promise.resolve(`${String(entry.example[secret.key])}\n`)
          : Promise.reject(new Error('not asked for'));
      const command = new Command().exitOverride();
      if (positionalOf(entry)) command.argument('[id]');
      for (const flag of entry.flags)
        for (const option of optionsOf(flag)) command.addOption(option);
      command.parse(words, { from: 'user' });
      const typed = { options: command.opts(), positional: command.args[0] };
      const input = await readInput(entry, typed, stdin);
      expect(input).toEqual(entry.example);
    },
  );

  it('show examples that work in a shell', () => {
    const lineOf = (name: string) => {
      const entry = entries.find((one) => one.name === name);
      return entry ? exampleLine(entry) : '';
    };
    expect(lineOf('create_campaign')).toBe(
      "leadwire campaigns create --name 'Auto insurance' --status ACTIVE --daily-cap 500",
    );
    expect(lineOf('upload_suppressions')).toContain(
      String.raw`--csv $'phone\n4155550134\n4155550199'`,
    );
    expect(lineOf('configure_single_sign_on')).not.toContain('a-secret');
    expect(lineOf('configure_single_sign_on')).toContain('--client-secret-file secret.txt');
    expect(lineOf('get_campaign')).toMatch(/^leadwire campaigns get [0-9a-f-]{36}$/);
  });

  it('name flags as commander names their values', () => {
    expect(camelCase('honours_idempotency_key')).toBe('honoursIdempotencyKey');
  });
});
