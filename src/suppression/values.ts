/** Which columns of an uploaded list count, and what each of their values becomes. */
import { suppressionEntry } from '../domain/suppression.js';
import { invalidValue } from '../account/values.js';
import type { AppError } from '../errors.js';
import { md5 } from './md5.js';

export interface Column {
  /** As its header is read: lower case, underscores. */
  name: 'phone' | 'email' | 'phone_md5' | 'email_md5' | 'md5';
  index: number;
}

const RULES: Record<Column['name'], string> = {
  phone: 'phone must have 10 to 15 digits',
  email: 'email must be an address such as name@example.com',
  phone_md5: 'phone_md5 must have 32 hexadecimal digits',
  email_md5: 'email_md5 must have 32 hexadecimal digits',
  md5: 'md5 must have 32 hexadecimal digits',
};

/**
 * The columns of a header that count; any other is passed over.
 * @throws {AppError} `validation_failed` when none does. It does not say what was there instead: without a
 * header that would be somebody's phone
 */
export function columnsOf(header: readonly string[]): Column[] {
  const columns = header.flatMap((cell, index): Column[] => {
    const name = cell
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_');
    return isColumn(name) ? [{ name, index }] : [];
  });
  if (columns.length > 0) return columns;
  throw noColumns();
}

export function noColumns(): AppError {
  const names = Object.keys(RULES).join(', ');
  return invalidValue('file', 'required', `The first line must name one of the columns ${names}.`);
}

const isColumn = (name: string): name is Column['name'] => Object.hasOwn(RULES, name);

const READY_HASH = /^[0-9a-f]{32}$/i;

/** What is stored of a value, or the rule it breaks. A ready hash is taken in any column. */
export function readValue(name: Column['name'], value: string): { md5: string } | { rule: string } {
  if (READY_HASH.test(value)) return { md5: value.toLowerCase() };
  const entry = name === 'phone' || name === 'email' ? suppressionEntry(name, value, md5) : null;
  return entry === null ? { rule: RULES[name] } : { md5: entry };
}

const SHOWN_MAX = 40;

/** How a value is built, without the value: `+1 (555) 12x` becomes `+9 (999) 99a`. */
export function shapeOf(value: string): string {
  const shape = value
    .slice(0, SHOWN_MAX)
    .replace(/\p{N}/gu, '9')
    .replace(/[\p{L}\p{M}]/gu, 'a');
  return value.length > SHOWN_MAX ? `${shape}…` : shape;
}
