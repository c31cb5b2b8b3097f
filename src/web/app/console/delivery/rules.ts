/** A buyer's response rules as rows of a form, and back. */
import type { InputOf } from '../../lib/useActions.js';

export type Rules = NonNullable<InputOf<'test_delivery'>['response']>;
export type RuleName = 'accept_when' | 'reject_when';
export type PathName = 'reason_path' | 'reference_path' | 'price_path';

export const KINDS = [
  { value: 'equals', label: 'value is' },
  { value: 'in', label: 'value is one of' },
  { value: 'contains', label: 'value contains' },
  { value: 'matches', label: 'value matches the pattern' },
  { value: 'exists', label: 'value exists' },
  { value: 'missing', label: 'value is missing' },
  { value: 'status', label: 'HTTP status is' },
  { value: 'text_contains', label: 'answer contains' },
  { value: 'text_matches', label: 'answer matches the pattern' },
] as const;
export type Kind = (typeof KINDS)[number]['value'];

/** One condition while it is typed. */
export interface ConditionDraft {
  kind: Kind;
  path: string;
  value: string;
  /** As it was saved: kept where the text says the same. */
  saved?: unknown;
}

export interface RuleDraft {
  /** Whether one of the conditions must hold, or all. */
  join: 'any' | 'all';
  conditions: readonly ConditionDraft[];
}

export type RulesDraft = Record<RuleName, RuleDraft> & Record<PathName, string>;

const NONE: RuleDraft = { join: 'any', conditions: [] };

export const needsPath = (kind: Kind): boolean =>
  kind !== 'status' && kind !== 'text_contains' && kind !== 'text_matches';
export const needsValue = (kind: Kind): boolean => kind !== 'exists' && kind !== 'missing';

/** Null: they are nested deeper than rows can show. */
export function draftOf(rules: unknown): RulesDraft | null {
  const given = isRecord(rules) ? rules : {};
  const [accept, reject] = [ruleDraft(given.accept_when), ruleDraft(given.reject_when)];
  if (!accept || !reject) return null;
  return {
    accept_when: accept,
    reject_when: reject,
    reason_path: textOf(given.reason_path),
    reference_path: textOf(given.reference_path),
    price_path: textOf(given.price_path),
  };
}

function ruleDraft(rule: unknown): RuleDraft | null {
  if (rule === undefined || rule === null) return NONE;
  const { join, parts } = partsOf(rule);
  const conditions = parts.map(conditionDraft);
  return conditions.some((one) => one === null)
    ? null
    : { join, conditions: conditions.filter((one) => one !== null) };
}

function partsOf(rule: unknown): { join: RuleDraft['join']; parts: readonly unknown[] } {
  if (Array.isArray(rule)) return { join: 'any', parts: rule };
  if (isRecord(rule) && Array.isArray(rule.any)) return { join: 'any', parts: rule.any };
  if (isRecord(rule) && Array.isArray(rule.all)) return { join: 'all', parts: rule.all };
  return { join: 'any', parts: [rule] };
}

/** Of a condition that tests one thing. */
function conditionDraft(given: unknown): ConditionDraft | null {
  if (!isRecord(given)) return null;
  const { path, ...tests } = given;
  const [test, ...others] = Object.entries(tests).filter(([, value]) => value != null);
  if (others.length > 0) return null;
  const at = textOf(path);
  if (!test) return at === '' ? null : { kind: 'exists', path: at, value: '' };
  const [name, value] = test;
  if (name === 'exists')
    return { kind: value === false ? 'missing' : 'exists', path: at, value: '' };
  const kind = KINDS.find((one) => one.value === name)?.value;
  if (!kind || needsPath(kind) !== (at !== '')) return null;
  const text = (Array.isArray(value) ? value : [value]).map(String).join(', ');
  return { kind, path: at, value: text, saved: value };
}

/** Null: there are no rules, and the status alone decides. */
export function rulesOf(draft: RulesDraft): Rules | null {
  const entries = [
    ...(['accept_when', 'reject_when'] as const).map((name) => [name, ruleOf(draft[name])]),
    ...(['reason_path', 'reference_path', 'price_path'] as const).map((name) => [
      name,
      draft[name].trim() || undefined,
    ]),
  ].filter(([, value]) => value !== undefined);
  return entries.length === 0 ? null : (Object.fromEntries(entries) as Rules);
}

function ruleOf({ join, conditions }: RuleDraft): unknown {
  const [only, ...others] = conditions.map(conditionOf);
  if (only === undefined) return undefined;
  return others.length === 0 ? only : { [join]: [only, ...others] };
}

function conditionOf({ kind, path, value, saved }: ConditionDraft): Record<string, unknown> {
  const at = path.trim();
  if (kind === 'exists') return { path: at };
  if (kind === 'missing') return { path: at, exists: false };
  const isList = kind === 'in' || kind === 'status';
  const isUnchanged =
    saved !== undefined &&
    (Array.isArray(saved) ? saved : [saved]).map(String).join(', ') === value;
  const typed = isUnchanged ? saved : isList ? listOf(kind, value) : value;
  return needsPath(kind) ? { path: at, [kind]: typed } : { [kind]: typed };
}

/** Statuses are numbers, or classes such as 2xx. */
function listOf(kind: 'in' | 'status', text: string): unknown {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (kind === 'in') return parts;
  const statuses = parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part.toLowerCase()));
  return statuses.length === 1 ? statuses[0] : statuses;
}

/** An answer as it is pasted. */
export interface AnswerText {
  status: string;
  headers: string;
  body: string;
}

/** A value in an answer, and the path to it. */
export interface Leaf {
  path: string;
  value: string | number | boolean;
}

const LEAVES_MAX = 40;
const PLAIN_KEY = /^[A-Za-z_][\w-]*$/;

/** The values of an answer that rules can test; none where it is no JSON. */
export function leavesOf(body: string): Leaf[] {
  try {
    return leavesIn(JSON.parse(body), '').slice(0, LEAVES_MAX);
  } catch {
    return [];
  }
}

function leavesIn(value: unknown, path: string): Leaf[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return path === '' ? [] : [{ path, value }];
  if (Array.isArray(value))
    return value.slice(0, LEAVES_MAX).flatMap((item, n) => leavesIn(item, `${path}[${n}]`));
  if (!isRecord(value)) return [];
  return Object.entries(value)
    .filter(([key]) => PLAIN_KEY.test(key))
    .flatMap(([key, item]) => leavesIn(item, path === '' ? key : `${path}.${key}`));
}

/** Adds a test of a value to a rule. */
export const withLeaf = (draft: RulesDraft, rule: RuleName, { path, value }: Leaf): RulesDraft => ({
  ...draft,
  [rule]: {
    ...draft[rule],
    conditions: [
      ...draft[rule].conditions,
      { kind: 'equals', path, value: String(value), saved: value },
    ],
  },
});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
