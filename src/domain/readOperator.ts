/** Reads an operator as a person or a client writes it. */
import { OPERATORS } from './filterRules.js';
import type { Operator } from './filterRules.js';

export type OperatorReading =
  | {
      ok: true;
      operator: Operator;
      /** The number written inside `>= 730 days ago`. */ days?: number;
    }
  | { ok: false; nearest: Operator };

/** Other spellings: those that are read (product), then those that are only understood. */
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
const LONGEST = 40;

/** In any case, with any blanks between the words. */
export function readOperator(text: string): OperatorReading {
  const written = text
    .slice(0, LONGEST + 1)
    .trim()
    .replace(/[\s_]+/g, ' ')
    .toUpperCase();
  const [, sign, count] = DAYS_AGO.exec(written) ?? [];
  if (sign !== undefined && count !== undefined) {
    const operator = sign === '>=' ? '>= N days ago' : '<= N days ago';
    return { ok: true, operator, ...(count === 'N' ? {} : { days: Number(count) }) };
  }
  const operator = OPERATORS.find((known) => known === written) ?? READ_AS[written];
  if (operator) return { ok: true, operator };
  return { ok: false, nearest: MEANS[written] ?? nearestTo(written) };
}

function nearestTo(written: string): Operator {
  const distances = OPERATORS.map((operator) => ({
    operator,
    distance: editDistance(written, operator.toUpperCase()),
  }));
  return distances.reduce((best, next) => (next.distance < best.distance ? next : best)).operator;
}

/** Levenshtein's: how many letters must be put in, taken out or changed. */
function editDistance(from: string, to: string): number {
  const first = Array.from({ length: to.length + 1 }, (_, column) => column);
  const last = Array.from(from).reduce((above, letter, row) => {
    const line = [row + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const changed = (above[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1);
      line.push(Math.min(changed, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1));
    }
    return line;
  }, first);
  return last[to.length] ?? 0;
}
