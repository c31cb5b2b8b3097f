import { describe, expect, it } from '@jest/globals';
import { maskValues } from '../../../src/api/partner/maskValues.js';

describe('a hidden value', () => {
  it.each([
    ['as it is', 'got Ada Lovelace, thanks', 'Ada Lovelace', 'got [hidden], thanks'],
    ['in another letter case', '{"mail":"ADA@X.ORG"}', 'ada@x.org', '{"mail":"[hidden]"}'],
    ['short, as a word', 'state CA, in CALIFORNIA', 'CA', 'state [hidden], in CALIFORNIA'],
    ['a number', '{"age":42,"n":1420}', 42, '{"age":[hidden],"n":1420}'],
  ])('is cut out of a text: %s', (_how, text, value, shown) => {
    expect(maskValues(text, [value])).toBe(shown);
  });

  it.each([
    ['escapes of JSON', String.raw`{"name":"Ada\u0020Lovelace"}`, 'Ada Lovelace'],
    ['a URL', 'next=/done?name=Ada%20Lovelace', 'Ada Lovelace'],
    ['a form', 'name=Ada+Lovelace&x=1', 'Ada Lovelace'],
    ['HTML', '<b>O&#39;Hara-Smith</b>', "O'Hara-Smith"],
    ['digits in groups', 'call (555) 222-0147 back', '+15552220147'],
    ['a text that was cut within it', 'thanks for ada.lovel', 'ada.lovelace@example.com'],
  ])('hides the whole text where it is spelled differently: %s', (_how, text, value) => {
    expect(maskValues(text, [value])).toBe('[hidden]');
  });

  it('leaves text without it unchanged', () => {
    expect(maskValues('{"ok":true,"id":"b-17"}', ['Ada', true, ''])).toBe(
      '{"ok":true,"id":"b-17"}',
    );
  });
});
