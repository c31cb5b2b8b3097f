import type { DeliverySettings } from '../../domain/deliverySettings.js';
import { RESERVED_HEADERS } from '../../domain/webhook.js';
import { checkOutboundUrl } from '../../integrations/http.js';
import { COMMON_KEYS, readCommon } from './common.js';
import type { MethodReader } from './method.js';
import type { SettingReader } from './reader.js';
import { readResponse } from './response.js';
import { readBodyTemplate } from './template.js';

const TIMEOUT_MS = 5_000;
const HEADERS_MOST = 50;
const HEADER_LENGTH = 4_096;
const URL_LENGTH = 2_000;

export const webhook: MethodReader<'WEBHOOK'> = {
  keys: [...COMMON_KEYS, 'url', 'headers', 'format', 'template', 'response'],
  read(read, { policy, fieldNames }): DeliverySettings<'WEBHOOK'> {
    const format = read.choice('format', 'json', ['json', 'form']);
    const url = read.text('url', URL_LENGTH);
    if (url === null) {
      read.problem('url', 'required', 'must be the address that leads are posted to.');
    } else {
      const wrong = checkOutboundUrl(url, policy);
      if (wrong !== null) read.problem('url', 'not_allowed', `${wrong}.`);
    }
    return {
      method: 'WEBHOOK',
      url: url ?? '',
      headers: readHeaders(read),
      format,
      template: readBodyTemplate(read, format, fieldNames),
      response: readResponse(read),
      ...readCommon(read, TIMEOUT_MS),
    };
  },
};

/** What stands for the value of a header wherever a delivery is shown; sent back, it keeps the value. */
export const HIDDEN_HEADER = '[hidden]';

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const VALUE = /^[\t\x20-\x7e]*$/;

function readHeaders(read: SettingReader): Record<string, string> {
  const given = read.given('headers') ?? {};
  const isRecord = typeof given === 'object' && !Array.isArray(given);
  const entries = isRecord ? Object.entries(given) : [];
  if (!isRecord) read.problem('headers', 'invalid_type', 'must be an object of texts.');
  if (entries.length > HEADERS_MOST) {
    read.problem('headers', 'too_long', `must have at most ${HEADERS_MOST} entries.`);
  }
  const seen = new Set<string>();
  const before = (read.before('headers') ?? {}) as Record<string, string>;
  const kept = new Map(Object.entries(before).map(([name, value]) => [name.toLowerCase(), value]));
  for (const [name, value] of entries) {
    const key = name.toLowerCase();
    if (!NAME.test(name)) {
      read.problem('headers', 'invalid_format', `: "${name}" cannot be the name of a header.`);
    } else if (RESERVED_HEADERS.has(key)) {
      read.problem('headers', 'not_allowed', `: ${name} is set by the service; leave it out.`);
    } else if (seen.has(key)) {
      read.problem('headers', 'not_allowed', `: ${name} is there twice; case makes no difference.`);
    } else if (value === HIDDEN_HEADER && !kept.has(key)) {
      const rule = `: ${name} has no value yet that could be kept; give it one in the place of`;
      read.problem('headers', 'required', `${rule} ${HIDDEN_HEADER}.`);
    } else if (typeof value !== 'string') {
      read.problem('headers', 'invalid_type', `: ${name} must be text.`);
    } else if (!VALUE.test(value)) {
      read.problem('headers', 'invalid_format', `: ${name} must be printable ASCII on one line.`);
    } else if (value.length > HEADER_LENGTH) {
      read.problem(
        'headers',
        'too_long',
        `: ${name} must have at most ${HEADER_LENGTH} characters.`,
      );
    }
    seen.add(key);
  }
  return Object.fromEntries(
    entries.map(([name, value]): [string, string] => [
      name,
      value === HIDDEN_HEADER ? (kept.get(name.toLowerCase()) ?? '') : (value as string),
    ]),
  );
}
