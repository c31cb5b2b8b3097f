/** What the audit record keeps of an input. Pure. */
import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { withoutSecrets } from '../../src/account/redaction.js';

describe('withoutSecrets', () => {
  it.each([
    ['https://a.example/b', 'https://a.example/b'],
    ['https://a.example/b?key=S', 'https://a.example/b?[hidden]'],
    ['https://u:S@a.example:8443/b', 'https://[hidden]@a.example:8443/b'],
    ['https:u:S@a.example/b', 'https://[hidden]@a.example/b'],
    ['https:\\\\S:S@a.example\\b', 'https://[hidden]@a.example/b'],
    ['ht\ntps://a.example/b?\nS', 'https://a.example/b?[hidden]'],
    [' https://a.example/b?S ', 'https://a.example/b?[hidden]'],
    [
      'see (https://a.example/?S and http://b.example/?S',
      'see (https://a.example/?[hidden] and http://b.example/?[hidden]',
    ],
    ['ftp://u:S@a.example', 'ftp://[hidden]@a.example'],
    ['HOOKS.slack.com/services/S', 'HOOKS.slack.com/[hidden]'],
    ['https://hooks.slack.com./services/S?S', 'https://hooks.slack.com./[hidden]'],
    ['a note: nothing to hide?', 'a note: nothing to hide?'],
  ])('shows %j as %j', (text, shown) => {
    expect(withoutSecrets({ note: text })).toEqual({ note: shown });
  });

  it("shows the origin of an automation's target, and the path except for chat webhooks", () => {
    const url = 'https://a.example/b';
    expect(withoutSecrets({ action: 'WEBHOOK', target: { url } })).toMatchObject({
      target: { url },
    });
    for (const action of ['SLACK', undefined])
      expect(withoutSecrets({ action, target: { url } })).toMatchObject({
        target: { url: 'https://a.example/[hidden]' },
      });
    expect(withoutSecrets({ target: { url: 'S' } })).toEqual({ target: { url: '[hidden]' } });
  });

  it("keeps the names of a lead's fields, and not their values", () => {
    const lead = { campaign_id: 'c', fields: { first_name: 'Ada', phone: '4155550134' } };
    expect(withoutSecrets(lead)).toEqual({
      campaign_id: 'c',
      fields: { first_name: '[hidden]', phone: '[hidden]' },
    });
    const mapping = { fields: [{ name: 'age', type: 'Number', min: 18 }] };
    expect(withoutSecrets(mapping)).toEqual(mapping);
  });

  it('leaves redacted values unchanged', () => {
    const part = fc.constantFrom(
      'https://',
      'u:p@',
      'a.example',
      '/b',
      '?c',
      '#d',
      ' ',
      '[hidden]',
      'hooks.slack.com',
    );
    const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.constantFrom('url', 'note'), (value, key) => {
        const once = withoutSecrets({ target: { [key]: value }, value });
        expect(withoutSecrets(once)).toEqual(once);
      }),
    );
  });
});
