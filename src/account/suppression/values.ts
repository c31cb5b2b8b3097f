/** The recognized columns of an uploaded list, and how each of their values is read. */
import { normalizeEmail, normalizePhone } from '../../fields/normalize.js';
import { suppressionEntry, suppressionKeys } from '../rules/suppressionKeys.js';
import { invalidValue } from '../values.js';
import type { AppError } from '../../lib/errors.js';
import { hashMd5 } from './hashMd5.js';

export interface Column {
  /** The kind of its values. */
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

/** Column names in lists, in lower case, letters and digits alone. */
const KNOWN_AS: Record<Column['name'], readonly string[]> = {
  phone: [
    'phone',
    'phoneno',
    'phonenumber',
    'phonenr',
    'phone1',
    'tel',
    'telno',
    'telephone',
    'telephonenumber',
    'mobile',
    'mobileno',
    'mobilenumber',
    'mobilephone',
    'mobilephonenumber',
    'cell',
    'cellno',
    'cellnumber',
    'cellphone',
    'cellphonenumber',
    'homephone',
    'workphone',
    'dayphone',
  ],
  email: ['email', 'email1', 'emailaddress', 'emailaddr', 'mail', 'mailaddress'],
  phone_md5: ['phonemd5', 'md5phone', 'phonehash', 'phonenumbermd5', 'mobilemd5'],
  email_md5: ['emailmd5', 'md5email', 'emailhash', 'emailaddressmd5'],
  md5: ['md5', 'md5hash', 'hash', 'hashmd5'],
};
const NAMES = new Map(
  Object.entries(KNOWN_AS).flatMap(([name, all]) =>
    all.map((one) => [one, name as Column['name']] as const),
  ),
);

export interface Header {
  columns: Column[];
  /** As they are written in the file. */
  read: string[];
  ignored: string[];
}

const HEADERS_MAX = 100;
const HEADER_MAX = 60;

/**
 * The recognized columns of a header, by their usual names without case, blanks and punctuation; other columns are
 * skipped and reported.
 * @throws {AppError} `validation_failed` when none is recognized. The error does not repeat the line: without a header
 * it would be a person's phone
 */
export function readHeader(header: readonly string[]): Header {
  const columns = header.flatMap((cell, index): Column[] => {
    const name = NAMES.get(cell.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
    return name === undefined ? [] : [{ name, index }];
  });
  if (columns.length === 0) throw noColumns();
  const counts = new Set(columns.map(({ index }) => index));
  const titles = (of: (index: number) => boolean) =>
    header
      .filter((cell, index) => cell.trim() !== '' && of(index))
      .slice(0, HEADERS_MAX)
      .map((cell) => cell.trim().slice(0, HEADER_MAX));
  return {
    columns,
    read: titles((at) => counts.has(at)),
    ignored: titles((at) => !counts.has(at)),
  };
}

export function noColumns(): AppError {
  const names = Object.keys(RULES).join(', ');
  return invalidValue('file', 'required', `The first line must name one of the columns ${names}.`);
}

const READY_HASH = /^[0-9a-f]{32}$/i;

/** The MD5 of a value, or the rule it breaks. A ready hash is accepted in any column. */
export function readValue(name: Column['name'], value: string): { is: string } | { rule: string } {
  if (READY_HASH.test(value)) return { is: value.toLowerCase() };
  const entry =
    name === 'phone' || name === 'email' ? suppressionEntry(name, value, hashMd5) : null;
  return entry === null ? { rule: RULES[name] } : { is: entry };
}

/**
 * Every MD5 that a value may be given as: a phone may have been hashed without its country code, or with a plus, and a
 * domain as people read it.
 */
export function readSpellings(
  name: Column['name'],
  value: string,
): { is: string[] } | { rule: string } {
  const read = readValue(name, value);
  if ('rule' in read) return read;
  const isValue = (name === 'phone' || name === 'email') && !READY_HASH.test(value);
  const normal = isValue ? (name === 'phone' ? normalizePhone : normalizeEmail)(value) : null;
  const keys = normal === null ? [] : suppressionKeys({ [name]: normal }, hashMd5);
  return { is: [...new Set([read.is, ...keys.map(({ md5 }) => md5)])] };
}

const SHOWN_MAX = 40;

/** The shape of a value, without the value: `+1 (555) 12x` becomes `+9 (999) 99a`. */
export function shapeOf(value: string): string {
  const shape = value
    .slice(0, SHOWN_MAX)
    .replace(/\p{N}/gu, '9')
    .replace(/[\p{L}\p{M}]/gu, 'a');
  return value.length > SHOWN_MAX ? `${shape}…` : shape;
}
