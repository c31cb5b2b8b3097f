import { SERVICE_NAMES } from '../../fields/systemFields.js';

export const EXTRA = 'extra.';

/** Whether a name has a value, given the names of the existing fields. */
export const isValueName = (name: string, fieldNames: readonly string[]): boolean =>
  (SERVICE_NAMES as readonly string[]).includes(name) ||
  (name.startsWith(EXTRA) && name.length > EXTRA.length) ||
  fieldNames.includes(name);
