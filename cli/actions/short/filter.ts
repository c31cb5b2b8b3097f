/**
 * Filters in words: `state in CA,TX and (age >= 21 or income > 50000)`. `and` binds closer than `or`; a nested group is in
 * parentheses. Ids, reasons and schedules of rules have no words: they need JSON.
 */
import type { FilterRule, Operator } from '../../../src/fields/filterRules.js';
import type { Scalar } from '../../../src/fields/values.js';
import { getOwn } from '../../../src/lib/getOwn.js';
import { ShortFormFault, shown } from './fault.js';
import { tokenize, type Token } from './filterTokens.js';

export type Rule = Pick<FilterRule, 'field' | 'operator' | 'value'>;
type Node = Rule | Group;
/** As callers write it: a rule needs no id. */
export type Group = { all: Node[] } | { any: Node[] };

/** More parentheses are a fault anyway, which the server reports for JSON as well. */
const DEPTH_MAX = 50;
/** They join rules: as names and values they are in quotes. */
export const JOINS = ['and', 'or'];

/**
 * @returns a group, also for a single rule
 * @throws {ShortFormFault} naming the first word that does not fit, and what would
 */
export function parseFilter(text: string): Group {
  const reader = new Reader(tokenize(text));
  const node = reader.any(0);
  reader.expectEnd();
  return 'field' in node ? { all: [node] } : node;
}

/** By the words that follow a field. Longer ones first, because some begin with others. */
const WORDED: readonly (readonly [words: readonly string[], operator: Operator])[] = [
  [['is', 'not', 'empty'], 'IS NOT EMPTY'],
  [['is', 'empty'], 'IS EMPTY'],
  [['does', 'not', 'contain'], 'DOES NOT CONTAIN'],
  [['not', 'contains'], 'DOES NOT CONTAIN'],
  [['not', 'in'], 'NOT IN'],
  [['in', 'list'], 'IN LIST'],
  [['in'], 'IN'],
  [['contains'], 'CONTAINS'],
  [['matches'], 'MATCHES'],
  [['within'], 'WITHIN RADIUS'],
];
const SIGNS: Readonly<Record<string, Operator>> = {
  '=': '==',
  '==': '==',
  '!=': '!=',
  '>': '>',
  '<': '<',
  '>=': '>=',
  '<=': '<=',
};
const OPERATOR_RULE =
  'a comparison: == != > < >= <=, in, not in, contains, does not contain, is empty, is not empty, matches, ' +
  '>= N days ago, in list, within N miles of';

class Reader {
  #next = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  any(depth: number): Node {
    return this.#joined('or', 'any', () => this.#joined('and', 'all', () => this.#part(depth)));
  }

  expectEnd(): void {
    if (this.#token.kind === 'end') return;
    throw this.#fault(
      this.#token.text === ','
        ? 'several values need in, as in state in CA,TX'
        : 'and, or or the end',
    );
  }

  get #token(): Token {
    return this.tokens[this.#next] ?? { kind: 'end', text: '', at: 0 };
  }

  #joined(word: string, kind: 'all' | 'any', part: () => Node): Node {
    const parts = [part()];
    while (this.#takes(word)) parts.push(part());
    const [only] = parts;
    if (parts.length === 1 && only) return only;
    return kind === 'all' ? { all: parts } : { any: parts };
  }

  #part(depth: number): Node {
    if (!this.#takesSign('(')) return this.#rule();
    if (depth >= DEPTH_MAX) throw this.#fault('fewer parentheses');
    const node = this.any(depth + 1);
    if (!this.#takesSign(')')) throw this.#fault(') or and or or');
    return node;
  }

  #rule(): Rule {
    const field = this.#token;
    const isJoin = field.kind === 'word' && JOINS.includes(field.text.toLowerCase());
    if (isJoin || (field.kind !== 'word' && field.kind !== 'quoted'))
      throw this.#fault('the name of a field');
    this.#next += 1;
    const operator = this.#operator();
    return this.#withValue(field.text, operator);
  }

  #operator(): Operator {
    const signed = this.#token.kind === 'sign' ? getOwn(SIGNS, this.#token.text) : undefined;
    if (signed !== undefined) {
      this.#next += 1;
      return signed;
    }
    const found = WORDED.find(([words]) => words.every((word, n) => this.#isWord(word, n)));
    if (!found) throw this.#fault(OPERATOR_RULE);
    this.#next += found[0].length;
    return found[1];
  }

  #withValue(field: string, operator: Operator): Rule {
    if (operator === 'IS EMPTY' || operator === 'IS NOT EMPTY') return { field, operator };
    if (operator === 'IN' || operator === 'NOT IN')
      return { field, operator, value: this.#list(scalarOf) };
    if (operator === 'IN LIST') return { field, operator, value: this.#list(textOf) };
    if (operator === 'WITHIN RADIUS') return { field, operator, value: this.#radius() };
    return this.#compared(field, operator);
  }

  /** `created >= 30 days ago` is a comparison of its own. */
  #compared(field: string, operator: Operator): Rule {
    const value = scalarOf(this.#value());
    const isDays = this.#isWord('days', 0) || this.#isWord('day', 0);
    if (!isDays || (operator !== '>=' && operator !== '<=')) return { field, operator, value };
    this.#next += 1;
    if (!this.#takes('ago')) throw this.#fault('ago');
    return { field, operator: operator === '>=' ? '>= N days ago' : '<= N days ago', value };
  }

  #radius(): { zips: string[]; miles: number } {
    const token = this.#token;
    const miles = scalarOf(this.#value());
    if (typeof miles !== 'number')
      throw new ShortFormFault(`${shown(token.text)} is no number of miles`, token.at);
    for (const word of ['miles', 'of'])
      if (!this.#takes(word)) throw this.#fault(`${word}, as in within 25 miles of 90210`);
    return { zips: this.#list(textOf), miles };
  }

  /** With or without parentheses. */
  #list<T extends Scalar>(read: (token: Token) => T): T[] {
    const isEnclosed = this.#takesSign('(');
    const values = [read(this.#value())];
    while (this.#takesSign(',')) values.push(read(this.#value()));
    if (isEnclosed && !this.#takesSign(')')) throw this.#fault(', or )');
    return values;
  }

  #value(): Token {
    const token = this.#token;
    const isJoin = token.kind === 'word' && JOINS.includes(token.text.toLowerCase());
    if (isJoin || token.kind === 'sign' || token.kind === 'end')
      throw this.#fault('a value; one with blanks or signs is in quotes');
    this.#next += 1;
    return token;
  }

  #isWord(word: string, ahead: number): boolean {
    const token = this.tokens[this.#next + ahead];
    return token?.kind === 'word' && token.text.toLowerCase() === word;
  }

  #takes(word: string): boolean {
    const isNext = this.#isWord(word, 0);
    if (isNext) this.#next += 1;
    return isNext;
  }

  #takesSign(sign: string): boolean {
    const isNext = this.#token.kind === 'sign' && this.#token.text === sign;
    if (isNext) this.#next += 1;
    return isNext;
  }

  #fault(wanted: string): ShortFormFault {
    const { kind, text, at } = this.#token;
    const there = kind === 'end' ? 'it ends' : `${shown(text)} is`;
    return new ShortFormFault(`${there} where this is needed: ${wanted}`, at);
  }
}

/** What is read as a number where it is not in quotes. */
export const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** A number only where it is written as one in JSON: `02134` and long ids stay texts. */
function scalarOf({ kind, text }: Token): Scalar {
  if (kind === 'quoted') return text;
  if (text === 'true' || text === 'false') return text === 'true';
  return NUMBER.test(text) && String(Number(text)) === text ? Number(text) : text;
}

const textOf = ({ text }: Token): string => text;
