import { describe, expect, it } from '@jest/globals';
import { checkDelivery } from '../../../src/account/buyers/delivery.js';
import { everything, nothing, problems } from './deliveryProblems.js';

const url = 'https://buyer.example/leads';
const spreadsheet_id = '1AbCdEfGhIjKlMnOp';

describe('a mail delivery', () => {
  const mail = { method: 'EMAIL', to: 'desk@buyer.example' };

  it('has its own defaults', () => {
    expect(
      checkDelivery({ method: 'EMAIL', to: ' desk@buyer.example ' }, everything),
    ).toMatchObject({
      method: 'EMAIL',
      to: ['desk@buyer.example'],
      cc: [],
      subject: null,
      format: 'text',
      template: null,
      attach_json: false,
      timeout_ms: 20_000,
    });
  });

  it('needs a mail server', () => {
    expect(problems(mail, nothing)).toEqual({
      'delivery.method': 'delivery.method EMAIL needs a mail server: set SMTP_URL and SMTP_FROM.',
    });
  });

  it.each([
    [{ to: [] }, 'delivery.to', '1 to 20 addresses'],
    [{ to: null }, 'delivery.to', '1 to 20 addresses'],
    [{ to: Array.from({ length: 21 }, (_, n) => `b${n}@x.example`) }, 'delivery.to', 'at most 20'],
    [{ to: ['a@x.example', 'nobody'] }, 'delivery.to', 'entry 2 is not one'],
    [{ to: 'a@x.example, b@x.example' }, 'delivery.to', 'is not one'],
    [{ to: 'a@x.example\r\nBcc: b@x.example' }, 'delivery.to', 'is not one'],
    [{ to: 'Desk <a@x.example>' }, 'delivery.to', 'is not one'],
    [{ cc: ['ü@x.example'] }, 'delivery.cc', 'is not one'],
    [{ to: [5] }, 'delivery.to', 'list of texts'],
    [{ format: 'json' }, 'delivery.format', 'text or html'],
    [{ subject: 'Lead {{nme}}' }, 'delivery.subject', 'names "nme"'],
    [{ template: { a: 1 } }, 'delivery.template', 'must be text'],
    [{ url }, 'delivery.url', 'is not a setting of the method EMAIL'],
  ])('is refused with %j', (more, field, message) => {
    expect(problems({ ...mail, ...more })).toEqual({ [field]: expect.stringContaining(message) });
  });
});

describe('a sheet delivery', () => {
  const sheet = { method: 'GOOGLE_SHEET', spreadsheet_id };

  it('needs a service account', () => {
    expect(problems(sheet, nothing)).toEqual({
      'delivery.method':
        'delivery.method GOOGLE_SHEET needs a service account: set GOOGLE_SERVICE_ACCOUNT_FILE.',
    });
    expect(problems(sheet)).toEqual({});
  });

  it.each([
    [{ spreadsheet_id: null }, 'delivery.spreadsheet_id', 'between /d/ and the next slash'],
    [{ spreadsheet_id: '../x' }, 'delivery.spreadsheet_id', 'between /d/ and the next slash'],
    [{ columns: ['zipcode'] }, 'delivery.columns', 'Did you mean zip_code?'],
  ])('is refused with %j', (more, field, message) => {
    expect(problems({ ...sheet, ...more })).toEqual({ [field]: expect.stringContaining(message) });
  });
});
