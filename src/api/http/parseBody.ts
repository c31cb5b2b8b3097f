/** Bytes and their content type to one object. Errors repeat nothing of the body: it holds personal data. */
import { isUtf8 } from 'node:buffer';
import { AppError } from '../../lib/errors.js';
import { parseExactJson } from '../../lib/exactJson.js';
import { longDigits } from '../../lib/longNumbers.js';

const JSON_TYPE = /^application\/(?:[\w.!#$&^-]+\+)?json$/;
const FORM_TYPE = 'application/x-www-form-urlencoded';
const CHARSETS = ['utf-8', 'utf8', 'us-ascii'];
/** Deeper input would overflow the stack of code that walks or encodes it later. */
const DEPTH_MAX = 64;

/**
 * The object's keys are its own properties whatever their names are (`__proto__` too).
 * @throws {AppError} `unsupported_media_type`, `malformed_body`
 */
export function parseBody(bytes: Buffer, contentType: string): Record<string, unknown> {
  const type = mediaType(contentType, `application/json or ${FORM_TYPE}`);
  const text = decodeText(bytes);
  return type === FORM_TYPE ? parseForm(text) : parseJson(text);
}

/**
 * As `parseBody`, for an endpoint without forms: JSON objects only (contract 9.2).
 * @throws {AppError} `unsupported_media_type`, `malformed_body`
 */
export function parseObject(bytes: Buffer, contentType: string): Record<string, unknown> {
  if (isFormType(contentType))
    throw malformed('The body must be one JSON object, sent as application/json, not a form.');
  mediaType(contentType, 'application/json');
  return parseJson(decodeText(bytes));
}

/**
 * A message of JSON-RPC, or several: any JSON value. An `id` stays the number that it is written as, for one that cannot be
 * repeated is refused; no form.
 * @throws {AppError} `unsupported_media_type`, `malformed_body`
 */
export function parseMessages(bytes: Buffer, contentType: string): unknown {
  mediaType(contentType, 'application/json');
  const text = decodeText(bytes);
  const value = decode(text);
  if (typeof value !== 'object' || value === null) return value;
  limitDepth(value);
  const messages = objectsOf(value);
  if (messages.some(({ id }) => typeof id === 'string' && longDigits(id) !== null)) {
    const plain = objectsOf(JSON.parse(text));
    for (const [index, message] of messages.entries()) message.id = plain[index]?.id;
  }
  return value;
}

/** The JSON value that a text holds, no deeper than a body may be; undefined for any other text. */
export function jsonInText(text: string): unknown {
  try {
    const value = decode(text);
    if (typeof value === 'object' && value !== null) limitDepth(value);
    return value;
  } catch {
    return undefined;
  }
}

/** The object, or those in the list. */
const objectsOf = (value: unknown): Record<string, unknown>[] => [value].flat().filter(isObject);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a content type is that of a form. */
export const isFormType = (contentType: string): boolean => typeOf(contentType) === FORM_TYPE;

const typeOf = (contentType: string): string =>
  (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();

function decodeText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw malformed('The body is not valid UTF-8.');
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

/** @param wanted the accepted types, in words */
function mediaType(contentType: string, wanted: string): string {
  const type = typeOf(contentType);
  const isWanted = JSON_TYPE.test(type) || (type === FORM_TYPE && wanted.includes(FORM_TYPE));
  if (!isWanted) {
    const given = type === '' ? 'Content-Type is missing' : 'This Content-Type is not supported';
    throw new AppError('unsupported_media_type', `${given}; use ${wanted}.`);
  }
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]?.toLowerCase();
  if (charset !== undefined && !CHARSETS.includes(charset)) {
    throw new AppError('unsupported_media_type', 'This charset is not supported; use utf-8.');
  }
  return type;
}

function parseJson(text: string): Record<string, unknown> {
  const value = decode(text);
  if (!isObject(value)) {
    throw malformed(`The body must be one JSON object; it is ${kindOf(value)}.`);
  }
  limitDepth(value);
  return value;
}

function limitDepth(value: object): void {
  if (!isDeeperThan(value, DEPTH_MAX)) return;
  throw malformed(`The body is nested deeper than ${DEPTH_MAX} levels.`);
}

function decode(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    const place = error instanceof Error ? / at position \d+/.exec(error.message)?.[0] : undefined;
    throw malformed(`The body is not valid JSON${place ?? ''}.`);
  }
}

/** The JSON type of a value, as a sentence names it. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object';
  return `a ${typeof value}`;
}

function isDeeperThan(value: object, levels: number): boolean {
  for (const inner of Object.values(value)) {
    if (typeof inner !== 'object' || inner === null) continue;
    if (levels === 1 || isDeeperThan(inner as object, levels - 1)) return true;
  }
  return false;
}

/** A key that comes twice becomes an array, which no lead field may be. */
function parseForm(text: string): Record<string, unknown> {
  const values = new Map<string, string | string[]>();
  for (const [key, value] of new URLSearchParams(text)) {
    const earlier = values.get(key);
    // In place: a body of one name repeated would otherwise take time by the square of its length.
    if (Array.isArray(earlier)) earlier.push(value);
    else values.set(key, earlier === undefined ? value : [earlier, value]);
  }
  const form = Object.fromEntries(values);
  const isDamaged = JSON.stringify(form).includes('\uFFFD');
  if (isDamaged && !/\uFFFD|%EF%BF%BD/i.test(text)) {
    throw malformed('The body has a percent-encoded sequence that is not valid UTF-8.');
  }
  return form;
}

const malformed = (message: string): AppError => new AppError('malformed_body', message);
