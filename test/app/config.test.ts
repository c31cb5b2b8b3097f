import { describe, expect, it } from '@jest/globals';
import { outboundPolicy } from '../../src/app/outboundPolicy.js';
import { readConfig } from '../../src/app/config.js';

const from = 'Leads <leads@sender.example>';

describe('the settings of outbound mail and sheets', () => {
  it('are off by default', () => {
    const config = readConfig({});
    expect(config.smtp).toBeNull();
    expect(outboundPolicy(config)).toEqual({ allowPrivate: false, mail: false, sheets: false });
  });

  it('are read', () => {
    const config = readConfig({
      SMTP_URL: 'smtp://ada:secret@mail.example.com',
      SMTP_FROM: from,
      SMTP_REQUIRE_TLS: 'false',
      GOOGLE_SERVICE_ACCOUNT_JSON: '{}',
      OUTBOUND_ALLOW_PRIVATE: '1',
    });
    expect(config.smtp).toMatchObject({
      from,
      server: { host: 'mail.example.com', port: 587, requireTls: false, user: 'ada' },
    });
    expect(config.google.sheetsEndpoint).toBe('https://sheets.googleapis.com');
    expect(outboundPolicy(config)).toEqual({ allowPrivate: true, mail: true, sheets: true });
  });

  it.each([
    [{ SMTP_URL: 'mail.example.com:587', SMTP_FROM: from }, 'SMTP_URL: must be an address such as'],
    [{ SMTP_URL: 'smtp://mail.example.com' }, 'SMTP_FROM: required'],
    [{ SMTP_FROM: 'leads\r\nBcc: x@y.example' }, 'SMTP_FROM: must be an address'],
    [{ SMTP_FROM: 'leads' }, 'SMTP_FROM: must be an address'],
    [{ SMTP_REQUIRE_TLS: 'maybe' }, 'SMTP_REQUIRE_TLS'],
    [{ GOOGLE_SHEETS_ENDPOINT: 'sheets' }, 'GOOGLE_SHEETS_ENDPOINT'],
  ])('are refused: %j', (environment, message) => {
    expect(() => readConfig(environment)).toThrow(message);
  });

  it('show no password when they are refused', () => {
    expect(() => readConfig({ SMTP_URL: 'imap://ada:secret@mail.example.com' })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('secret') as unknown }),
    );
  });
});
