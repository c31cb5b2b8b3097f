/** Texts that a pattern may match, for examples; the caller checks that they do. */
import { getOwn } from '../lib/getOwn.js';

/**
 * The shortest text by the first of each choice, and one with every optional part once. None for a pattern that is not
 * understood. Anchors and word limits are passed over.
 */
export function samplesOfPattern(pattern: string): string[] {
  return [0, 1].flatMap((optional) => {
    const text = writer(pattern, optional).write();
    return text === undefined ? [] : [text];
  });
}

/** Longest repetition that is written out: patterns with longer ones get no sample. */
const REPEATS_MAX = 1_000;
const ESCAPED: Record<string, string> = {
  d: '5',
  D: 'x',
  w: 'a',
  W: '-',
  s: ' ',
  S: 'a',
  n: '\n',
  t: '\t',
  r: '\r',
  b: '',
  B: '',
  A: '',
  z: '',
  Z: '',
};
/** One of these is in almost any class, or outside of it. */
const POOL = Array.from('a1AzZ9-_ .,@#!?/\\é');

function writer(pattern: string, optional: number) {
  let at = 0;
  let failed = false;
  const fail = (): string => {
    failed = true;
    return '';
  };
  const peek = (): string => pattern[at] ?? '';
  const next = (): string => pattern[at++] ?? fail();

  function alternatives(): string {
    const first = sequence();
    while (peek() === '|') {
      at += 1;
      sequence();
    }
    return first;
  }

  function sequence(): string {
    let text = '';
    while (at < pattern.length && peek() !== '|' && peek() !== ')' && !failed) text += repeated();
    return text;
  }

  function repeated(): string {
    const one = atom();
    const times = quantifier();
    if (times * one.length > REPEATS_MAX) return fail();
    return one.repeat(times);
  }

  function quantifier(): number {
    const counted = /^\{(\d{1,4})(?:,\d{0,4})?\}/.exec(pattern.slice(at, at + 12));
    const sign = counted ? counted[0] : peek();
    if (!counted && !['*', '+', '?'].includes(sign)) return 1;
    at += sign.length;
    if (peek() === '?') at += 1;
    if (counted) return Math.max(Number(counted[1]), Number(counted[1]) === 0 ? optional : 0);
    return sign === '+' ? 1 : optional;
  }

  function atom(): string {
    const sign = next();
    if (sign === '^' || sign === '$') return '';
    if (sign === '.') return 'a';
    if (sign === '\\') return escaped();
    if (sign === '[') return oneOfClass();
    return sign === '(' ? group() : sign;
  }

  function group(): string {
    const opening = /^\?(?:P?<\w+>|[a-zA-Z-]*:?)/.exec(pattern.slice(at));
    at += opening?.[0].length ?? 0;
    const text = alternatives();
    return next() === ')' ? text : fail();
  }

  function escaped(): string {
    const sign = next();
    if (sign === 'p' || sign === 'P' || sign === 'x' || sign === 'Q') return fail();
    return getOwn(ESCAPED, sign) ?? sign;
  }

  function oneOfClass(): string {
    const end = /^\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]/.exec(pattern.slice(at));
    if (!end) return fail();
    at += end[0].length;
    const inside = end[0].slice(0, -1);
    const fromRange = /^(?:\\)?([^\\^])/.exec(inside)?.[1];
    const candidates = [...(fromRange === undefined ? [] : [fromRange]), ...POOL];
    return candidates.find((one) => isInClass(one, inside)) ?? fail();
  }

  return {
    write(): string | undefined {
      const text = alternatives();
      return failed || at < pattern.length ? undefined : text;
    },
  };
}

/** A class of one character is small enough for the language's own expressions, whose classes are alike. */
function isInClass(char: string, inside: string): boolean {
  const named = inside
    // A bracket that comes first is meant as itself.
    .replace(/^(\^?)\]/, '$1\\]')
    .replaceAll('[:digit:]', '0-9')
    .replaceAll('[:alpha:]', 'a-zA-Z')
    .replaceAll('[:alnum:]', 'a-zA-Z0-9')
    .replaceAll('[:upper:]', 'A-Z')
    .replaceAll('[:lower:]', 'a-z')
    .replaceAll('[:space:]', '\\s');
  try {
    return new RegExp(`^[${named}]$`).test(char);
  } catch {
    return false;
  }
}
