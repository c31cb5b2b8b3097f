/** Kinds of settings that determine where something is sent: addresses, headers, sheets. */
import { z } from 'zod';
import { normalizeEmail } from '../../fields/normalize.js';
import { texts } from '../../lib/schema/settings.js';
import { customIssue } from '../../lib/schema/zodIssues.js';

/** Maximum addresses of one list. */
export const ADDRESSES_MAX = 20;

/** Plain ASCII addresses: every mail server accepts them, and none of the characters has a meaning in a header. */
const ASCII = /^[\x21-\x7e]+$/;

/** Mail addresses, each once. A bad one is reported by its place alone: it may identify a person. */
export const OptionalAddresses = texts(ADDRESSES_MAX)
  .check(({ value: addresses, issues }) => {
    addresses.forEach((address, n) => {
      if (ASCII.test(address) && normalizeEmail(address) !== null) return;
      const rule = `must contain addresses; entry ${n + 1} is not one`;
      issues.push({ ...customIssue('invalid_format', rule), input: undefined });
    });
  })
  .transform((addresses) => [...new Set(addresses)])
  .prefault([]);

const ADDRESSES_RULE = `must be 1 to ${ADDRESSES_MAX} addresses`;
export const Addresses = OptionalAddresses.check(({ value, issues }) => {
  if (value.length === 0)
    issues.push({ ...customIssue('required', ADDRESSES_RULE), input: undefined });
});

const HEADERS_MAX = 50;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const VALUE = /^[\t\x20-\x7e]*$/;

/** Headers by their names, with values as they are given; reserved names are checked where the headers are read. */
export const Headers = z
  .record(
    z.string().regex(NAME),
    z
      .string('must be text')
      .regex(VALUE, 'must be printable ASCII on one line')
      .max(4_096, 'must have at most 4096 characters'),
    {
      error: ({ code }) =>
        code === 'invalid_key' ? 'cannot be a header name' : 'must be an object of texts',
    },
  )
  .check(({ value, issues }) => {
    if (Object.keys(value).length <= HEADERS_MAX) return;
    const rule = `must have at most ${HEADERS_MAX} entries`;
    issues.push({ ...customIssue('too_long', rule), input: undefined });
  })
  .meta({ maxProperties: HEADERS_MAX, examples: [{ 'X-Source': 'leadwire' }] });

export const COLUMNS_MAX = 200;
const LIST_RULE = 'must be a list of texts';
export const Columns = z
  .array(z.string(LIST_RULE).trim(), LIST_RULE)
  .max(COLUMNS_MAX, `must have at most ${COLUMNS_MAX} entries`);

const ID = /^[A-Za-z0-9_-]{10,100}$/;
const ADDRESS =
  /^https:\/\/docs\.google\.com\/spreadsheets\/(?:u\/[0-9]+\/)?d\/([A-Za-z0-9_-]{10,100})(?:[/?#]|$)/;
const SHEET_RULE =
  'must be the address of the sheet, or the part of it between /d/ and the next slash';

/** A spreadsheet by its id, or by the address in the browser; the output is its id. */
export const SpreadsheetId = z
  .string({ error: ({ input }) => (input === undefined ? SHEET_RULE : 'must be text') })
  .min(1, SHEET_RULE)
  .max(500, 'must have at most 500 characters')
  .transform((given) => ADDRESS.exec(given.trim())?.[1] ?? given.trim())
  .pipe(z.string().regex(ID, SHEET_RULE));
