/** The columns that the console offers for a file of leads are those of the service. */
import { expect, it } from '@jest/globals';
import { columnsOf, EXPORT_COLUMNS } from '../../../../src/api/actions/exportColumns.js';
import { CSV_COLUMNS, STANDARD_COLUMNS } from '../../../../src/web/app/console/leads/csvColumns.js';

it('offers every column of an export, and the fields that most leads have', () => {
  const names = CSV_COLUMNS.map(([name]) => name);
  const fields = ['first_name', 'last_name', 'phone', 'email', 'state', 'zip_code'];
  expect(new Set(['id', ...names])).toEqual(new Set([...EXPORT_COLUMNS, ...fields]));
  expect(names).toHaveLength(new Set(names).size);
});

it('begins with the columns of a file without a choice', () => {
  expect(new Set(['id', ...STANDARD_COLUMNS])).toEqual(new Set(columnsOf(undefined)));
});
