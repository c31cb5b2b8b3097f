/** Reads an operator as a person or a client writes it. */
import { distance } from 'fastest-levenshtein';
import { OPERATORS, type Operator } from './filterRules.js';
import { getOwn } from '../lib/getOwn.js';

export type OperatorReading =
  | {
      ok: true;
      operator: Operator;
      /** The number written inside `>= 730 days ago`. */ days?: number;
    }
  | { ok: false; nearest: Operator };

/** Other spellings: `READ_AS` are accepted (product), `MEANS` only name the nearest operator. */
const READ_AS: Readonly<Record<string, Operator>> = { 'NOT CONTAINS': 'DOES NOT CONTAIN' };
const MEANS: Readonly<Record<string, Operator>> = {
  '=': '==',
  '===': '==',
  IS: '==',
  EQ: '==',
  EQUAL: '==',
  EQUALS: '==',
  '!==': '!=',
  '<>': '!=',
  '=>': '>=',
  '=<': '<=',
  NE: '!=',
  'IS NOT': '!=',
  'NOT EQUALS': '!=',
  GT: '>',
  LT: '<',
  GTE: '>=',
  LTE: '<=',
  EMPTY: 'IS EMPTY',
  'IS NULL': 'IS EMPTY',
  EXISTS: 'IS NOT EMPTY',
  'NOT EMPTY': 'IS NOT EMPTY',
  'IS NOT NULL': 'IS NOT EMPTY',
  REGEX: 'MATCHES',
  LIKE: 'CONTAINS',
  RADIUS: 'WITHIN RADIUS',
};
const DAYS_AGO = /^(>=|<=) ?(N|[0-9]{1,9}) DAYS? AGO$/;
const OPERATOR_MAX = 40;

/** In any case, with any blanks between the words. */
export function readOperator(text: string): OperatorReading {
  const written = text
    .slice(0, OPERATOR_MAX + 1)
    .trim()
    .replace(/[\s_]+/g, ' ')
    .toUpperCase();
  const [, sign, count] = DAYS_AGO.exec(written) ?? [];
  if (sign !== undefined && count !== undefined) {
    const operator = sign === '>=' ? '>= N days ago' : '<= N days ago';
    return { ok: true, operator, days: count === 'N' ? undefined : Number(count) };
  }
  const operator = OPERATORS.find((known) => known === written) ?? getOwn(READ_AS, written);
  if (operator) return { ok: true, operator };
  return { ok: false, nearest: getOwn(MEANS, written) ?? nearestTo(written) };
}

function nearestTo(written: string): Operator {
  const counted = OPERATORS.map((operator) => ({
    operator,
    edits: distance(written, operator.toUpperCase()),
  }));
  return counted.reduce((best, next) => (next.edits < best.edits ? next : best)).operator;
}
