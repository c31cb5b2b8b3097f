import { parseAnswerPath } from '../../rules/answerPath.js';
import { compilePattern } from '../../../fields/fieldReader.js';
import { nearest } from '../../../lib/nearest.js';
import type { ResponseRules } from '../../rules/response.js';
import type { SettingReader } from './reader.js';

const PATHS = ['reason_path', 'reference_path', 'price_path'] as const;
const RULES = ['accept_when', 'reject_when'] as const;
const DEPTH = 5;
const CONDITIONS = 50;
const LIST_MOST = 100;
const TEXT_LENGTH = 500;

/** Notes a problem of the rule at hand; `at` names the rule. */
type Complain = (at: string, message: string) => void;

/** The rules for reading answers; null when none are given. */
export function readResponse(read: SettingReader): ResponseRules | null {
  const given = read.given('response');
  if (given === undefined) return null;
  const complain: Complain = (at, message) =>
    read.problem(at === '' ? 'response' : `response.${at}`, 'invalid_format', message);
  if (!isRecord(given)) {
    complain(
      '',
      'must be an object such as { "accept_when": { "path": "status", "equals": "ok" } }.',
    );
    return null;
  }
  const entries = Object.entries(given).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  checkKeys(
    '',
    entries.map(([key]) => key),
    [...RULES, ...PATHS],
    complain,
  );
  const rules = Object.fromEntries(entries);
  for (const key of PATHS) if (key in rules) checkPath(key, rules[key], complain);
  for (const key of RULES) {
    if (!(key in rules)) continue;
    const count = checkRule(key, rules[key], DEPTH, complain);
    if (count > CONDITIONS) complain(key, `must have at most ${CONDITIONS} conditions.`);
  }
  return entries.length === 0 ? null : rules;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function checkKeys(
  at: string,
  keys: readonly string[],
  known: readonly string[],
  complain: Complain,
): void {
  for (const key of keys.filter((one) => !known.includes(one))) {
    const near = nearest(key, known);
    complain(
      at,
      `has no "${key}"${near === undefined ? '' : `; did you mean ${near}`}. It may have: ${known.join(', ')}.`,
    );
  }
}

/** Returns the number of conditions. */
function checkRule(at: string, rule: unknown, depth: number, complain: Complain): number {
  if (depth === 0) {
    complain(at, `must be nested at most ${DEPTH} deep.`);
    return 1;
  }
  const parts = partsOf(rule);
  if (parts === null) {
    checkCondition(at, rule, complain);
    return 1;
  }
  if (parts.length === 0) complain(at, 'must have at least one condition.');
  const counts = parts
    .slice(0, CONDITIONS + 1)
    .map((part, n) => checkRule(`${at}[${n}]`, part, depth - 1, complain));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The rules of a list or group; null for anything else. */
function partsOf(rule: unknown): unknown[] | null {
  if (Array.isArray(rule)) return rule as unknown[];
  if (!isRecord(rule) || Object.keys(rule).length !== 1) return null;
  const group = rule.any ?? rule.all;
  return Array.isArray(group) ? (group as unknown[]) : null;
}

const CONDITION_KEYS = [
  'status',
  'path',
  'equals',
  'in',
  'contains',
  'matches',
  'exists',
  'text_contains',
  'text_matches',
];
/** These speak of the value that `path` leads to. */
const NEED_PATH = ['equals', 'in', 'contains', 'matches', 'exists'];

function checkCondition(at: string, condition: unknown, complain: Complain): void {
  if (!isRecord(condition) || Object.keys(condition).length === 0) {
    complain(
      at,
      'must be a condition, a list of them, or { "any": [] } or { "all": [] } with some.',
    );
    return;
  }
  checkKeys(at, Object.keys(condition), CONDITION_KEYS, complain);
  if (!('path' in condition)) {
    const lonely = NEED_PATH.find((key) => key in condition);
    if (lonely !== undefined) complain(at, `: ${lonely} needs a path to the value it speaks of.`);
  }
  for (const [key, value] of Object.entries(condition)) checkPart(at, key, value, complain);
}

function checkPart(at: string, key: string, value: unknown, complain: Complain): void {
  switch (key) {
    case 'status':
      if (!isList(value) || ![value].flat().every(isStatus)) {
        complain(at, ': status must be 100 to 599, "2xx" or the like, or a list of those.');
      }
      return;
    case 'path':
      checkPath(at, value, complain);
      return;
    case 'equals':
      if (!isScalar(value)) complain(at, ': equals must be text, a number, true or false.');
      return;
    case 'in':
      if (
        !Array.isArray(value) ||
        value.length === 0 ||
        value.length > LIST_MOST ||
        !value.every(isScalar)
      ) {
        complain(at, `: in must be a list of 1 to ${LIST_MOST} texts, numbers, true or false.`);
      }
      return;
    case 'exists':
      if (typeof value !== 'boolean') complain(at, ': exists must be true or false.');
      return;
    case 'contains':
    case 'text_contains':
      if (!isShortText(value))
        complain(at, `: ${key} must be text of 1 to ${TEXT_LENGTH} characters.`);
      return;
    case 'matches':
    case 'text_matches':
      checkPattern(at, key, value, complain);
      return;
  }
}

const isShortText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= TEXT_LENGTH;

const isScalar = (value: unknown): boolean =>
  (typeof value === 'string' && value.length <= TEXT_LENGTH) ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  typeof value === 'boolean';

const isList = (value: unknown): boolean =>
  !Array.isArray(value) || (value.length > 0 && value.length <= LIST_MOST);

const isStatus = (value: unknown): boolean =>
  typeof value === 'number'
    ? Number.isInteger(value) && value >= 100 && value <= 599
    : typeof value === 'string' && /^[1-5]xx$/.test(value);

function checkPattern(at: string, key: string, value: unknown, complain: Complain): void {
  const wrong = isShortText(value)
    ? compilePattern(value)
    : `it has 1 to ${TEXT_LENGTH} characters`;
  if (typeof wrong === 'string') complain(at, `: ${key} must be a pattern; ${wrong}.`);
}

function checkPath(at: string, value: unknown, complain: Complain): void {
  if (typeof value === 'string' && parseAnswerPath(value) !== null) return;
  complain(at, 'must be a path such as result.status or $.items[0].id.');
}
