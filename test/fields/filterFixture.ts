/** A campaign's mapping, and filters checked against it. */
import { checkFilters } from '../../src/fields/checkFilters.js';
import { SYSTEM_FIELDS } from '../../src/fields/mapping.js';
import { aField } from '../support/builders.js';

const fields = [
  ...SYSTEM_FIELDS,
  aField({ name: 'age', type: 'Number' }),
  aField({ name: 'case_type' }),
  aField({ name: 'incident_date', type: 'Date' }),
  aField({ name: 'owner', type: 'Boolean' }),
];
export const check = (input: unknown) => checkFilters(input, fields);
export const rule = (field: string, operator: string, value?: unknown) => ({
  field,
  operator,
  value,
});
export const problems = (input: unknown): string[] => {
  const checked = check(input);
  return checked.ok ? [] : checked.problems;
};
