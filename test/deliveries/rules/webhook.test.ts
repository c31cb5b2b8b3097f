import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DeliveredLead } from '../../../src/deliveries/rules/payload.js';
import type { Template } from '../../../src/account/rules/template.js';
import { buildWebhook, type OpenWebhook } from '../../../src/deliveries/rules/webhook.js';
import { aBuyer, aLead, aWebhook } from '../../support/builders.js';

const build = (
  { headers = {}, ...settings }: Partial<OpenWebhook> = {},
  lead: Partial<DeliveredLead> = {},
  buyerId = 'b1',
) => buildWebhook(aLead(lead), aBuyer({ buyer_id: buyerId }), { ...aWebhook(settings), headers });

describe('the default body', () => {
  it('has the fields flat, in a fixed order', () => {
    const request = build();
    expect(request.url).toBe('https://buyer.example/leads');
    expect(request.body).toBe(
      '{"lead_id":"l1","campaign_id":"c1","buyer_id":"b1","is_test":false,"price":25,' +
        '"first_name":"Ada","last_name":"Lovelace","email":"ada@example.com",' +
        '"phone":"+15551234567","state":"TX","extra":{"utm":"x"},' +
        '"created_at":"2026-11-21T12:00:00.000Z"}',
    );
  });

  it('lets no field replace a reserved name', () => {
    const names = ['lead_id', 'campaign_id', 'buyer_id', 'is_test', 'price', 'extra', 'created_at'];
    const forged = Object.fromEntries(names.map((name) => [name, 'forged']));
    const { body } = build({}, { fields: forged });
    expect(body).not.toContain('forged');
    expect(JSON.parse(body)).toMatchObject({ lead_id: 'l1', price: 25, extra: { utm: 'x' } });
  });

  it('of a form has the extra fields under extra[name]', () => {
    const request = build({ format: 'form' }, { fields: { city: 'São Paulo & Co', age: 41 } });
    expect(request.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(request.body).toBe(
      'lead_id=l1&campaign_id=c1&buyer_id=b1&is_test=false&price=25&city=S%C3%A3o+Paulo+%26+Co&age=41' +
        '&extra%5Butm%5D=x&created_at=2026-11-21T12%3A00%3A00.000Z',
    );
  });
});

describe('the headers', () => {
  it("include the buyer's own, which can neither replace ours nor frame the request", () => {
    const headers = {
      Authorization: 'Bearer t',
      'X-Lead-Id': 'forged',
      'IDEMPOTENCY-KEY': 'forged',
      'Content-Type': 'text/plain',
      'X-LeadDistro-Signature': 'forged',
      'Webhook-Id': 'forged',
      'webhook-timestamp': '1',
      'webhook-signature': 'v1,forged',
      'Content-Length': '1',
      'Content-Encoding': 'gzip',
      'Transfer-Encoding': 'chunked',
      Host: 'elsewhere.example',
    };
    expect(build({ headers }).headers).toEqual({
      authorization: 'Bearer t',
      'content-type': 'application/json',
      'x-lead-id': 'l1',
      'idempotency-key': 'l1:b1',
    });
  });

  it('are the same each time, with another key for another buyer', () => {
    expect(build()).toEqual(build());
    expect(build({}, {}, 'b2').headers['idempotency-key']).toBe('l1:b2');
  });
});

describe('a JSON template', () => {
  it('keeps the type of a value that stands alone, and writes others as text', () => {
    const template = {
      id: '{{lead_id}}',
      test: '{{ is_test }}',
      money: ['{{price}}', 'USD {{price}}'],
      name: '{{first_name}} {{last_name}}',
      source: '{{extra.utm}}',
      none: '{{nickname}}',
      greeting: 'Dear {{nickname}}!',
      fixed: [1, true, null, { 'in {{price}}': 'x' }],
    };
    expect(JSON.parse(build({ template }).body)).toEqual({
      id: 'l1',
      test: false,
      money: [25, 'USD 25'],
      name: 'Ada Lovelace',
      source: 'x',
      none: null,
      greeting: 'Dear !',
      fixed: [1, true, null, { 'in {{price}}': 'x' }],
    });
  });

  it('keeps any value of a lead within its string, and is filled once', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (value, other) => {
        const fields = { a: value, b: other };
        const { body } = build({ template: { x: ['{{a}}', '-{{a}}{{b}}-'] } }, { fields });
        const blank = (text: string) => (/^[\s\p{Cf}]*$/u.test(text) ? '' : text);
        expect(JSON.parse(body)).toEqual({
          x: [blank(value) === '' ? null : value, `-${blank(value)}${blank(other)}-`],
        });
      }),
    );
    const { body } = build(
      { template: { a: '{{first_name}}' } },
      { fields: { first_name: '{{price}}' } },
    );
    expect(body).toBe('{"a":"{{price}}"}');
  });

  it('has no values for built-in names of the language', () => {
    const template: Template = ['{{constructor}}', '{{__proto__}}', '{{extra.toString}}'];
    expect(build({ template }).body).toBe('[null,null,null]');
  });
});

describe('a form template', () => {
  it('encodes values, repeats a name for a list, and sends nothing for an absent value', () => {
    const template = { ref: '{{lead_id}}', tag: ['a b', '{{first_name}}'], none: '{{nickname}}' };
    const { body } = build({ format: 'form', template }, { fields: { first_name: 'A&B=C' } });
    expect(body).toBe('ref=l1&tag=a+b&tag=A%26B%3DC&none=');
  });

  it('round-trips its values', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (value) => {
        const text = `x${value}`;
        const { body } = build(
          { format: 'form', template: { v: '{{a}}' } },
          { fields: { a: text } },
        );
        expect([...new URLSearchParams(body)]).toEqual([['v', text]]);
      }),
    );
  });
});
