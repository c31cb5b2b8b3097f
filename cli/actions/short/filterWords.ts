/** The words of a filter, for showing: what `parseFilter` reads. */
import type { FilterNode } from '../../../src/fields/filterRules.js';
import { JOINS, NUMBER, type Rule } from './filter.js';

/** In words, which read again are the same; null for a filter that has no words, and needs JSON. */
export function formatFilter(filter: unknown): string | null {
  try {
    return groupText(filter as FilterNode, 0);
  } catch {
    return null;
  }
}

const NO_WORDS = new Error('This filter has no words');

function groupText(node: FilterNode, depth: number): string {
  const [join, parts] = 'all' in node ? ['and', node.all] : ['or', 'any' in node ? node.any : []];
  if (parts.length < (depth === 0 && join === 'and' ? 1 : 2)) throw NO_WORDS;
  return parts
    .map((part) => ('field' in part ? ruleText(part) : `(${groupText(part, depth + 1)})`))
    .join(` ${join} `);
}

const RULE_KEYS = new Set(['field', 'operator', 'value']);

function ruleText(rule: Rule): string {
  const { field, operator, value } = rule;
  if (Object.keys(rule).some((key) => !RULE_KEYS.has(key))) throw NO_WORDS;
  const name = `${wordText(field)} ${operator.toLowerCase()}`;
  if (operator === 'IS EMPTY' || operator === 'IS NOT EMPTY') return name;
  if (operator === 'IN' || operator === 'NOT IN') return `${name} ${listText(value, scalarText)}`;
  if (operator === 'IN LIST') return `${name} ${listText(value, zipText)}`;
  if (operator === 'WITHIN RADIUS') return `${wordText(field)} within ${radiusText(value)}`;
  if (operator === '>= N days ago' || operator === '<= N days ago')
    return `${wordText(field)} ${operator.slice(0, 2)} ${scalarText(value)} days ago`;
  return `${name} ${scalarText(value)}`;
}

function listText(value: unknown, textFor: (one: unknown) => string): string {
  if (!Array.isArray(value) || value.length === 0) throw NO_WORDS;
  return value.map(textFor).join(',');
}

function radiusText(value: unknown): string {
  const { zips, miles } = value as { zips?: unknown; miles?: unknown };
  if (typeof miles !== 'number') throw NO_WORDS;
  return `${scalarText(miles)} miles of ${listText(zips, zipText)}`;
}

function scalarText(value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && NUMBER.test(String(value)) && !Object.is(value, -0))
    return String(value);
  if (typeof value !== 'string') throw NO_WORDS;
  return NUMBER.test(value) || value === 'true' || value === 'false'
    ? quoted(value)
    : wordText(value);
}

function zipText(value: unknown): string {
  if (typeof value !== 'string') throw NO_WORDS;
  return wordText(value);
}

/** Words that stand for something need quotes where they are names and values. */
const SPECIAL = new Set([
  ...JOINS,
  'in',
  'is',
  'not',
  'does',
  'contains',
  'matches',
  'within',
  'days',
  'day',
]);

const wordText = (text: string): string =>
  /^[\w.@+:/-]+$/.test(text) && !SPECIAL.has(text.toLowerCase()) ? text : quoted(text);

const quoted = (text: string): string => `"${text.replace(/["\\]/g, String.raw`\$&`)}"`;
