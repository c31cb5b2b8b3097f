/** Field types, delivery methods, the definition of funnels and the rules of calls are documented. */
import { describe, expect, it } from '@jest/globals';
import { METHOD_NAMES } from '../../src/account/buyers/deliverySchema.js';
import { FIELD_TYPE_NAMES } from '../../src/fields/fieldRule.js';
import { readRoot } from '../deploy/repository.js';
import { withCalls } from './callTables.js';
import { withFieldTypes } from './fieldTypesTable.js';
import { withDefinition } from './funnelDefinitionTables.js';

const API = readRoot('docs/api.md');
const CONTRACT = readRoot('docs/contract.md');

/** The line of the contract with this number. */
const statement = (number: string): string =>
  CONTRACT.split('\n').find((line) => line.startsWith(`| ${number} `)) ?? '';

describe('docs/contract.md', () => {
  it.each(FIELD_TYPE_NAMES)('names the field type %s in 2.3.2', (name) => {
    expect(statement('2.3.2')).toContain(`\`${name}\``);
  });

  it.each(METHOD_NAMES)('names the delivery method %s in 6.1.1', (name) => {
    expect(statement('6.1.1')).toContain(`\`${name}\``);
  });
});

describe('docs/api.md', () => {
  it('has the field types that src/fields/fieldTypes.ts has (npm run docs:types writes them)', () => {
    expect(withFieldTypes(API)).toBe(API);
  });

  it.each(METHOD_NAMES.filter((name) => name !== 'WEBHOOK'))(
    'has a row for the delivery method %s in "Other ways"',
    (name) => {
      const [, section = ''] = API.split('\n### Other ways\n');
      const [rows = ''] = section.split('\n### ');
      expect(rows).toMatch(new RegExp(`^\\| \`${name}\` `, 'm'));
    },
  );
});

describe('docs/funnel-definitions.md', () => {
  it('has the keys, limits and defaults of the schema (npm run docs:types writes them)', () => {
    const page = readRoot('docs/funnel-definitions.md');
    expect(withDefinition(page)).toBe(page);
  });
});

describe('docs/permissions.md', () => {
  it('has the rules of every action and call (npm run docs:calls writes them)', () => {
    const page = readRoot('docs/permissions.md');
    expect(withCalls(page)).toBe(page);
  });
});
