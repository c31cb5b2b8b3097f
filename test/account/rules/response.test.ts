import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { followPath, parseAnswerPath } from '../../../src/account/rules/answerPath.js';
import type { ResponseRule } from '../../../src/account/buyers/responseSchema.js';
import { readableAnswer, ruleHolds } from '../../../src/account/rules/response.js';

const body = {
  status: 'Approved',
  code: 7,
  ok: true,
  none: null,
  result: { tags: ['new', 5], items: [{ id: 'a' }, { id: 'b' }] },
};
const holds = (rule: ResponseRule, status = 200, text = JSON.stringify(body)) =>
  ruleHolds(rule, readableAnswer({ status, body: text }));

describe('a condition', () => {
  const table: [boolean, ResponseRule, number?][] = [
    [true, { status: 200 }],
    [false, { status: 201 }],
    [true, { status: '2xx' }, 299],
    [false, { status: '2xx' }, 300],
    [true, { status: [404, '5xx'] }, 503],
    [true, { path: 'status' }],
    [false, { path: 'none' }],
    [false, { path: 'nothing' }],
    [true, { path: 'none', exists: false }],
    [false, { path: 'status', exists: false }],
    [true, { path: 'status', equals: 'approved' }],
    [false, { path: 'status', equals: 'approve' }],
    [true, { path: 'code', equals: '7' }],
    [true, { path: 'code', equals: 7 }],
    [true, { path: 'ok', equals: true }],
    [true, { path: 'ok', equals: 'true' }],
    [false, { path: 'result', equals: '[object Object]' }],
    [true, { path: 'status', in: ['queued', 'APPROVED'] }],
    [false, { path: 'status', in: ['queued'] }],
    [true, { path: 'status', contains: 'PROV' }],
    [true, { path: 'result.tags', contains: 'NEW' }],
    [true, { path: 'result.tags', contains: '5' }],
    [false, { path: 'result.tags', contains: 'ne' }],
    [false, { path: 'result', contains: 'tags' }],
    [true, { path: '$.result.items[1].id', matches: '^b$' }],
    [false, { path: 'result.items[2].id', exists: true }],
    [false, { path: 'status', matches: '^approved' }],
    [true, { path: 'status', matches: '(?i)^approved' }],
    [true, { text_contains: '"OK":TRUE' }],
    [true, { text_matches: '"code":[0-9]+' }],
    [false, { status: 200, text_contains: 'refused' }],
    [false, { status: 500, path: 'ok' }],
    [true, { path: 'status', contains: 'app', matches: 'ed$', in: ['approved'] }],
  ];
  it.each(table)('is %j for %j', (expected, rule, status = 200) => {
    expect(holds(rule, status)).toBe(expected);
  });

  it('that needs a value holds only for JSON', () => {
    expect(holds({ path: 'status' }, 200, 'status=Approved')).toBe(false);
    expect(holds({ path: 'status', exists: false }, 200, 'status=Approved')).toBe(true);
  });

  it('handles a hostile pattern and answer without delay', () => {
    const from = performance.now();
    expect(holds({ text_matches: '(a+)+$' }, 200, `${'a'.repeat(50_000)}!`)).toBe(false);
    expect(performance.now() - from).toBeLessThan(2_000);
  });
});

describe('rules', () => {
  const [yes, no] = [{ status: 200 }, { status: 500 }];
  const table: [boolean, ResponseRule][] = [
    [true, [no, yes]],
    [false, [no, no]],
    [true, { any: [no, yes] }],
    [false, { all: [no, yes] }],
    [true, { all: [yes, [no, { any: [yes] }]] }],
  ];
  it.each(table)('join to %j: %j', (expected, rule) => {
    expect(holds(rule)).toBe(expected);
  });
});

describe('a path', () => {
  it.each([
    ['status', ['status']],
    ['$.status', ['status']],
    ['a.b_c.d-e', ['a', 'b_c', 'd-e']],
    ['[0].id', [0, 'id']],
    ['$[0][12]', [0, 12]],
    ['$ref', ['$ref']],
    [' a.b ', ['a', 'b']],
  ])('reads %j', (text, steps) => {
    expect(parseAnswerPath(text)).toEqual(steps);
  });

  it.each([
    '',
    '$',
    '.a',
    'a.',
    'a..b',
    'a[x]',
    'a[0]b',
    'a[',
    'a b',
    '$a b',
    'a[-1]',
    'x'.repeat(201),
  ])('refuses %j', (text) => {
    expect(parseAnswerPath(text)).toBeNull();
  });

  it('leads only to own members', () => {
    expect(followPath({}, ['constructor', 'name'])).toBeUndefined();
    expect(followPath([], ['length'])).toBeUndefined();
    expect(followPath('text', [0])).toBeUndefined();
    expect(followPath({ '0': 'x' }, [0])).toBeUndefined();
  });

  it('finds the value at its place, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.oneof(fc.string(), fc.nat(5))), (value, path) => {
        expect(() => followPath(value, path)).not.toThrow();
      }),
    );
    expect(followPath(body, ['result', 'items', 1, 'id'])).toBe('b');
  });
});
