import { describe, expect, it } from '@jest/globals';
import { storedForms } from '../../src/fields/storedForms.js';

describe('the forms in which a value may be stored', () => {
  it.each([
    ['+15551234567'],
    ['ada@example.com'],
    ['ada@münchen'],
    ['some text'],
    ['a@b@xn--c.de'],
    [''],
  ])('are one for %j', (value) => {
    expect(storedForms(value)).toEqual([value]);
  });

  it.each([
    ['ada@xn--mnchen-3ya.de', 'ada@münchen.de'],
    ['ada@a.xn--mnchen-3ya.xn--p1ai', 'ada@a.münchen.рф'],
  ])('are the current one and the readable one of %s', (ascii, readable) => {
    expect(storedForms(ascii)).toEqual([ascii, readable]);
    expect(storedForms(readable)).toEqual([readable, ascii]);
  });

  it.each([
    ['+442079460018', ['+00442079460018', '+011442079460018', '+4402079460018']],
    ['+79161234567', ['+0079161234567', '+01179161234567', '+709161234567']],
    ['+353861234567', ['+00353861234567', '+011353861234567', '+3530861234567']],
    ['+9715012345678', ['+009715012345678', '+97105012345678']],
    ['+123456789012345', []],
  ])('are those of an exit code and of a trunk zero for %s', (phone, others) => {
    expect(storedForms(phone)).toEqual([phone, ...others]);
    for (const other of others) {
      expect(storedForms(other)[0]).toBe(other);
    }
  });

  it('include the current one of what an earlier release stored', () => {
    expect(storedForms('+00442079460018')).toContain('+442079460018');
    expect(storedForms('+011442079460018')).toContain('+442079460018');
  });
});
