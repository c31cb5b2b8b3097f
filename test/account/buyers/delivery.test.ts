import { describe, expect, it } from '@jest/globals';
import { checkDelivery, type DeliveryInput } from '../../../src/account/buyers/delivery.js';
import type { DeliverySettings } from '../../../src/account/rules/deliverySettings.js';
import { nothing, problems } from './deliveryProblems.js';

const url = 'https://buyer.example/leads';

describe('set-up of a delivery', () => {
  it('names every setting that is wrong', () => {
    const wrong = {
      url: 'ftp://buyer.example',
      format: 'xml',
      timeout_ms: 5,
      max_concurrent: 'many',
      max_per_second: 0,
      on_unknown: 'retry',
      honours_idempotency_key: 'yes',
      headers: { Host: 'x' },
    };
    expect(problems(wrong)).toEqual({
      'delivery.url': 'delivery.url must begin with https:// or http://.',
      'delivery.format': 'delivery.format must be json or form.',
      'delivery.timeout_ms': 'delivery.timeout_ms must be a whole number, 100 to 30000.',
      'delivery.max_concurrent': 'delivery.max_concurrent must be a whole number, 1 to 1000.',
      'delivery.max_per_second': 'delivery.max_per_second must be a number, 0.01 to 1000.',
      'delivery.on_unknown': 'delivery.on_unknown must be hold or assume_accepted or fail_over.',
      'delivery.honours_idempotency_key': 'delivery.honours_idempotency_key must be true or false.',
      'delivery.headers': 'delivery.headers: Host is set by the service; leave it out.',
    });
  });

  it.each([
    [{ method: 'FAX' }, 'delivery.method', 'must be WEBHOOK or EMAIL or GOOGLE_SHEET or STORE'],
    [{ url, subject: 'x' }, 'delivery.subject', 'is not a setting of the method WEBHOOK'],
    [{ url, header: {} }, 'delivery.header', 'Did you mean headers?'],
    [{ method: 'STORE', url }, 'delivery.url', 'is not a setting of the method STORE'],
    [{}, 'delivery.url', 'must be the address that leads are posted to'],
  ])('refuses %j', (input, field, message) => {
    expect(problems(input)).toEqual({ [field]: expect.stringContaining(message) });
  });

  it('keeps settings that are absent, resets those that are null, and reads methods case-insensitively', () => {
    const first = checkDelivery(
      { url, timeout_ms: 900, max_per_second: 0.5, format: 'form' },
      nothing,
    );
    const second = checkDelivery({ timeout_ms: null, on_unknown: 'fail_over' }, nothing, first);
    expect(second).toMatchObject({ url, timeout_ms: 5_000, max_per_second: 0.5, format: 'form' });
    expect(checkDelivery({ method: 'webhook' as 'WEBHOOK' }, nothing, second)).toEqual(second);
  });

  it('keeps the value of a header that is sent back hidden, and refuses a hidden value without a stored one', () => {
    const headers = { 'X-Key': 'one', 'X-Old': 'two' };
    const first = checkDelivery({ url, headers }, nothing);
    const shown = { 'x-key': '[hidden]', 'X-New': 'three' };
    expect(checkDelivery({ headers: shown }, nothing, first)).toMatchObject({
      headers: { 'x-key': 'one', 'X-New': 'three' },
    });
    expect(checkDelivery({ headers: shown }, nothing, first)).not.toHaveProperty([
      'headers',
      'X-Old',
    ]);
    expect(problems({ url, headers: { 'X-Key': '[hidden]' } })).toEqual({
      'delivery.headers': expect.stringMatching(/X-Key has no stored value to keep/),
    });
  });

  it('refuses an address as it is shown without its secrets', () => {
    const shown = `${url}?[hidden]`;
    expect(problems({ url: shown })).toEqual({
      'delivery.url': expect.stringContaining('give the whole address'),
    });
    const stored = { ...checkDelivery({ url }, nothing), url: shown };
    expect(checkDelivery({ timeout_ms: 900 }, nothing, stored)).toMatchObject({ timeout_ms: 900 });
  });

  it('keeps only the common settings when the method changes', () => {
    const webhook = checkDelivery({ url, max_concurrent: 3, headers: { 'x-a': 'b' } }, nothing);
    const stored = checkDelivery({ method: 'STORE' }, nothing, webhook);
    expect(stored).toMatchObject({ method: 'STORE', max_concurrent: 3 });
    expect(stored).not.toHaveProperty('headers');
    expect(problemsOver({ method: 'WEBHOOK' }, stored)).toContain('delivery.url');
  });
});

function problemsOver(input: DeliveryInput, current: DeliverySettings): string {
  try {
    checkDelivery(input, nothing, current);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('headers of a webhook', () => {
  it.each<readonly [headers: unknown, message: string]>([
    [{ 'Bad Name': 'x' }, 'cannot be a header name'],
    [{ 'X-A': 'a\r\nb' }, 'must be printable ASCII on one line'],
    [{ 'X-A': 5 }, 'must be text'],
    [{ 'X-A': 'x'.repeat(5_000) }, 'at most 4096 characters'],
    [{ 'X-A': '1', 'x-a': '2' }, 'is there twice'],
    [['X-A'], 'must be an object of texts'],
    ...['X-LeadDistro-Signature', 'idempotency-key', 'X-LEAD-ID', 'host', 'Content-Length'].map(
      (name) => [{ [name]: 'x' }, 'is set by the service'] as const,
    ),
    ...['Webhook-Id', 'webhook-timestamp', 'webhook-signature'].map(
      (name) => [{ [name]: 'x' }, 'is set by the service'] as const,
    ),
    ...['Transfer-Encoding', 'Connection', 'Expect', 'Upgrade', 'TE', 'Content-Encoding'].map(
      (name) => [{ [name]: 'x' }, 'is set by the service'] as const,
    ),
  ])('are refused: %j', (headers, message) => {
    expect(problems({ url, headers })).toEqual({
      'delivery.headers': expect.stringContaining(message),
    });
  });
});

describe('a template of a webhook', () => {
  const template = (given: unknown, format?: string) => problems({ url, format, template: given });

  it.each([
    [
      { a: '{{firstname}}' },
      'names "firstname", which is not a field of a campaign. Did you mean first_name?',
    ],
    [{ a: '{{leadid}}' }, 'Did you mean lead_id?'],
    [['x {{ unheard_of }}'], 'Values outside the mapping are extra.name'],
    [{ a: '{{extra.}}' }, 'names "extra."'],
    [{ a: '{{first_name' }, 'has braces that are not a {{placeholder}}'],
    [{ a: 'x}} y' }, 'has braces that are not a {{placeholder}}'],
    ['not json {{first_name}}', 'must be a JSON object or array'],
    ['5', 'must be a JSON object or array'],
    [5, 'must be a JSON object or array'],
    [{ a: 'x'.repeat(70_000) }, 'at most 65536 characters'],
    [JSON.parse('['.repeat(30) + ']'.repeat(30)), 'nested at most 20 deep'],
  ])('is refused: %j', (given, message) => {
    expect(template(given)).toEqual({ 'delivery.template': expect.stringContaining(message) });
  });

  it('may be text, with placeholders inside and outside quotes', () => {
    const text =
      '{ "name": "{{first_name}}", "price": {{price}}, "note": "a \\"{{extra.x}}\\" b" }';
    expect(checkDelivery({ url, template: text }, nothing)).toMatchObject({
      template: { name: '{{first_name}}', price: '{{price}}', note: 'a "{{extra.x}}" b' },
    });
    const form = 'name={{first_name}}&tag=a%20b&tag={{email}}';
    expect(checkDelivery({ url, format: 'form', template: form }, nothing)).toMatchObject({
      template: { name: '{{first_name}}', tag: ['a b', '{{email}}'] },
    });
  });

  it('of a form is flat', () => {
    expect(template({ a: { b: 1 } }, 'form')).toHaveProperty(['delivery.template']);
    expect(template(['a'], 'form')).toHaveProperty(['delivery.template']);
    expect(template({ a: ['b', '{{email}}', null] }, 'form')).toEqual({});
  });
});

describe('response rules', () => {
  const response = (given: unknown) => problems({ url, response: given });
  const good = {
    accept_when: [
      { status: [200, '3xx'], path: '$.result.status', in: ['ok', 1] },
      { all: [{ text_contains: 'yes' }] },
    ],
    reject_when: { any: [{ path: 'error', exists: true }, { text_matches: '^NO' }] },
    reason_path: 'error.message',
    price_path: null,
  };

  it('are kept as they are given', () => {
    const kept = { accept_when: good.accept_when, reason_path: 'error.message' };
    expect(checkDelivery({ url, response: good }, nothing)).toMatchObject({
      response: kept,
    });
    expect(response(null)).toEqual({});
  });

  it.each([
    ['ok', 'delivery.response', 'must be an object'],
    [{ accept_if: {} }, 'delivery.response', 'has no "accept_if"'],
    [{ reasonpath: 'a' }, 'delivery.response', 'did you mean reason_path'],
    [{ price_path: 'a..b' }, 'delivery.response.price_path', 'must be a path'],
    [{ accept_when: {} }, 'delivery.response.accept_when', 'must be a condition'],
    [{ accept_when: [] }, 'delivery.response.accept_when', 'at least one condition'],
    [{ accept_when: { any: [] } }, 'delivery.response.accept_when', 'at least one condition'],
    [{ accept_when: 'ok' }, 'delivery.response.accept_when', 'must be a condition'],
    [{ accept_when: { equals: 1 } }, 'delivery.response.accept_when', 'needs a path'],
    [
      { accept_when: { path: 'a', equal: 1 } },
      'delivery.response.accept_when',
      'did you mean equals',
    ],
    [{ accept_when: { status: 99 } }, 'delivery.response.accept_when', 'status must be'],
    [{ accept_when: { status: '6xx' } }, 'delivery.response.accept_when', 'status must be'],
    [
      { accept_when: { path: 'a', matches: '(' } },
      'delivery.response.accept_when',
      'must be a pattern',
    ],
    [
      { accept_when: { path: 'a', matches: '(?=x)' } },
      'delivery.response.accept_when',
      'must be a pattern',
    ],
    [{ accept_when: { path: 'a', in: [] } }, 'delivery.response.accept_when', 'in must be a list'],
    [
      { accept_when: { path: 'a', exists: 'no' } },
      'delivery.response.accept_when',
      'true or false',
    ],
    [{ accept_when: { path: 'a', contains: '' } }, 'delivery.response.accept_when', '1 to 500'],
    [
      { reject_when: [[[[[[{ status: 1 }]]]]]] },
      'delivery.response.reject_when[0][0][0][0][0]',
      '5 deep',
    ],
    [
      { reject_when: Array(51).fill({ status: 500 }) },
      'delivery.response.reject_when',
      'at most 50',
    ],
  ])('are refused: %j', (given, field, message) => {
    expect(response(given)).toEqual({ [field]: expect.stringContaining(message) });
  });
});
