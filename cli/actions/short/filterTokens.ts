/** The words of a filter. */
import { ShortFormFault, shown } from './fault.js';

export interface Token {
  kind: 'word' | 'quoted' | 'sign' | 'end';
  /** Without quotes and escapes. */
  text: string;
  /** Where it begins, from 0. */
  at: number;
}

// `=>` is none, and is told as a whole.
const SIGN = /^(?:>=|<=|==|!=|=>|=<|=|>|<|\(|\)|,)/;
const WORD = /^[^\s()"',<>=!]+/;
const QUOTED = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')/s;

/** @throws {ShortFormFault} for a quote that is never closed, and a sign that filters do not have */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = text.search(/\S|$/);
  while (at < text.length) {
    const { token, length } = next(text.slice(at), at);
    tokens.push(token);
    at += length;
    at += text.slice(at).search(/\S|$/);
  }
  return [...tokens, { kind: 'end', text: '', at }];
}

function next(rest: string, at: number): { token: Token; length: number } {
  const quoted = QUOTED.exec(rest);
  if (quoted) {
    const inner = quoted[1] ?? quoted[2] ?? '';
    const text = inner.replace(/\\(.)/gs, '$1');
    return { token: { kind: 'quoted', text, at }, length: quoted[0].length };
  }
  const sign = SIGN.exec(rest)?.[0];
  if (sign !== undefined) return { token: { kind: 'sign', text: sign, at }, length: sign.length };
  const word = WORD.exec(rest)?.[0];
  if (word !== undefined) return { token: { kind: 'word', text: word, at }, length: word.length };
  const mark = rest.charAt(0);
  throw new ShortFormFault(
    mark === '!'
      ? '"!" is no comparison: write != for "is not"'
      : `${shown(rest)} has a quote that is never closed`,
    at,
  );
}
