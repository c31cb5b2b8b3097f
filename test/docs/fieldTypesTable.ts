/** The table of field types in the API guide, generated from `src/fields/fieldTypes.ts`. */
import { FIELD_TYPE_NAMES } from '../../src/fields/fieldRule.js';
import { FIELD_TYPES } from '../../src/fields/fieldTypes.js';
import { code, tableOf, withTable } from './generatedTable.js';

const START = '<!-- field types: made by `npm run docs:types`, not by hand -->';
const END = '<!-- end of field types -->';

const JSON_TYPES = { string: 'text', number: 'number', boolean: 'true/false' };

/** @throws {Error} when the page lacks one of its two marks */
export const withFieldTypes = (page: string): string =>
  withTable(
    page,
    START,
    END,
    tableOf(
      ['`type`', 'A value must be', 'Accepted JSON types'],
      FIELD_TYPE_NAMES.map((name) => {
        const { expected, takes } = FIELD_TYPES[name];
        return [code(name), expected, takes.map((type) => JSON_TYPES[type]).join(', ')];
      }),
    ),
  );
