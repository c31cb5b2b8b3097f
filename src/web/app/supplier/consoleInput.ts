/** The values typed into the test console, as the call takes them, and its faults, as the form shows them. */
import { ApiError, notSent } from '../lib/api.js';
import { parseExactJson } from '../../../lib/exactJson.js';
import type { InputOf, OutputOf } from './calls.js';

export type TestAnswer = OutputOf<'send_test_post'>;
export type GuideField = OutputOf<'get_posting_guide'>['guide']['fields'][number];
type TestFields = NonNullable<InputOf<'send_test_post'>['fields']>;

/** The service sets these itself. */
const OWN = new Set([
  'flo_campaign_id',
  'flo_supplier_id',
  'flo_ping_id',
  'flo_buyer_id',
  'test_lead',
]);
/** The prefix of the controls' names: the faults of the call name its fields the same way. */
export const FIELD = 'fields.';
export const OMIT = 'omit.';

/** The fields that a tester fills in. */
export const typedFields = (fields: readonly GuideField[]): GuideField[] =>
  fields.filter(({ name }) => !OWN.has(name));

/** Typed values by field; the service makes up empty ones, and null leaves the field out. */
export function fieldsOf(values: FormData): TestFields {
  const typed: [string, string | null][] = [];
  for (const [name, value] of values) {
    if (name.startsWith(OMIT)) typed.push([name.slice(OMIT.length), null]);
    if (name.startsWith(FIELD) && typeof value === 'string' && value !== '')
      typed.push([name.slice(FIELD.length), value]);
  }
  return Object.fromEntries(typed);
}

/** The example of each field, as a start. */
export const jsonOf = (fields: readonly GuideField[]): string =>
  JSON.stringify(
    Object.fromEntries(typedFields(fields).map(({ name, example }) => [name, example])),
    null,
    2,
  );

/** The object that was typed. @throws {ApiError} its fault */
export function readJson(text: string): TestFields {
  const read = parsed(text);
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw wrong('Write one JSON object, such as {"state": "CA"}.');
  const odd = Object.entries(read).find(([, value]) => typeof value === 'object' && value !== null);
  if (odd) throw wrong(`The value of ${odd[0]} must be a text, a number, true, false or null.`);
  return Object.fromEntries(Object.entries(read).filter(([name]) => !OWN.has(name)));
}

function parsed(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    throw wrong(`This is not JSON: ${(error as Error).message}`);
  }
}

const wrong = (message: string): ApiError => notSent('json', message, 'The lead was not sent.');

/** The faults of a refused test, for the controls that they are about; null where there are none. */
export function faultsOf(answer: TestAnswer | null, way: 'fields' | 'json'): ApiError | null {
  if (!answer || answer.faults.length === 0) return null;
  const { http_status, code, message, faults } = answer;
  return new ApiError(http_status, {
    error: code,
    message,
    request_id: '',
    details: faults.map((fault) => ({
      path: way === 'json' ? 'json' : `${FIELD}${fault.field}`,
      code: fault.code,
      message: fault.message,
    })),
  });
}
