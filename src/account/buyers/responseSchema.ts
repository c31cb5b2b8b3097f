/** A buyer's rules for reading its answers (contract 6.4): what they may hold, published and checked. */
import { z } from 'zod';
import { compilePattern } from '../../fields/fieldReader.js';
import { jsonSchema } from '../../lib/jsonSchema.js';
import { findNearest } from '../../lib/nearest.js';
import { customIssue, problemsOf } from '../../lib/schema/zodIssues.js';
import { parseAnswerPath } from '../rules/answerPath.js';

const DEPTH_MAX = 5;
const CONDITIONS_MAX = 50;
const LIST_MAX = 100;
const TEXT_MAX = 500;

const PATH_RULE = 'must be a path such as result.status or $.items[0].id';
const Path = z.string(PATH_RULE).refine((path) => parseAnswerPath(path) !== null, PATH_RULE);

const STATUS_RULE = ': status must be 100 to 599, "2xx" or the like, or a list of those';
const statuses = [
  z.int().min(100, STATUS_RULE).max(599, STATUS_RULE),
  z.string().regex(/^[1-5]xx$/, STATUS_RULE),
] as const;
const Statuses = z.union(
  [
    ...statuses,
    z.array(z.union(statuses, STATUS_RULE)).min(1, STATUS_RULE).max(LIST_MAX, STATUS_RULE),
  ],
  STATUS_RULE,
);

const value = (rule: string) =>
  z.union([z.string().max(TEXT_MAX, rule), z.number(), z.boolean()], rule);
const IN_RULE = `: in must be a list of 1 to ${LIST_MAX} texts, numbers, true or false`;

const part = (key: string) => {
  const rule = `: ${key} must be text of 1 to ${TEXT_MAX} characters`;
  return z.string(rule).min(1, rule).max(TEXT_MAX, rule);
};

const pattern = (key: string) => {
  const rule = `: ${key} must be a pattern; it has 1 to ${TEXT_MAX} characters`;
  return z
    .string(rule)
    .min(1, rule)
    .max(TEXT_MAX, rule)
    .check(({ value: text, issues }) => {
      if (text === '' || text.length > TEXT_MAX) return;
      const wrong = compilePattern(text);
      if (typeof wrong !== 'string') return;
      const issue = customIssue('invalid_format', `: ${key} must be a pattern; ${wrong}`);
      issues.push({ ...issue, input: text });
    });
};

/** Holds when every part of it holds. Texts compare without case, patterns as they are written. */
export const ResponseCondition = z.strictObject({
  status: Statuses.optional().describe('The HTTP status; "2xx" means 200 to 299'),
  path: Path.optional().describe('A path into the JSON of the answer; alone: a value exists'),
  equals: value(': equals must be text, a number, true or false').optional(),
  in: z.array(value(IN_RULE), IN_RULE).min(1, IN_RULE).max(LIST_MAX, IN_RULE).optional(),
  contains: part('contains').optional().describe('A part of a text, or a member of a list'),
  matches: pattern('matches').optional(),
  exists: z.boolean(': exists must be true or false').optional(),
  text_contains: part('text_contains').optional().describe('Anywhere in the answer'),
  text_matches: pattern('text_matches').optional().describe('Anywhere in the answer'),
});

export type ResponseCondition = z.output<typeof ResponseCondition>;

/** A list is like `any`. */
export type ResponseRule =
  ResponseCondition | ResponseRule[] | { any: ResponseRule[] } | { all: ResponseRule[] };

/** A path leads into the JSON of an answer. */
export type ResponseRules = {
  accept_when?: ResponseRule;
  /** Checked where `accept_when` does not hold. */
  reject_when?: ResponseRule;
} & { [K in (typeof PATHS)[number]]?: string };

/** These test the value at `path`. */
const NEED_PATH = ['equals', 'in', 'contains', 'matches', 'exists'] as const;
const CONDITION_RULE =
  'must be a condition, a list of them, or { "any": [] } or { "all": [] } with some';

const RULES = ['accept_when', 'reject_when'] as const;
const PATHS = ['reason_path', 'reference_path', 'price_path'] as const;
const KEYS = [...RULES, ...PATHS];

/** Adds a problem of the rule at a path. */
type Complain = (at: PropertyKey[], rule: string) => void;

/** A rule as it is published: conditions, and groups of them; list items and deeper groups are described in words. */
function publishedRule() {
  const anyPart = z.looseObject({}).describe(`A nested group, at most ${DEPTH_MAX} deep`);
  const parts = z
    .array(z.union([ResponseCondition, anyPart]))
    .min(1)
    .max(CONDITIONS_MAX);
  const list = z
    .array(z.unknown())
    .min(1)
    .max(CONDITIONS_MAX)
    .describe('Conditions or groups, one of which holds');
  const group = z.strictObject({
    any: list.optional(),
    all: parts.optional().describe('Conditions or groups, all of which hold'),
  });
  return z.union([ResponseCondition, list, group.describe('One of the two')]);
}

const Published = z
  .strictObject({
    accept_when: publishedRule().nullish().describe('The answer is an acceptance when it holds'),
    reject_when: publishedRule().nullish().describe('Checked when accept_when does not hold'),
    reason_path: z.string().max(201).nullish().describe("Path to the buyer's reason"),
    reference_path: z
      .string()
      .max(201)
      .nullish()
      .describe("Path to the buyer's reference for the lead"),
    price_path: z.string().max(201).nullish().describe('Path to the price that the buyer pays'),
  })
  .meta({ examples: [{ accept_when: { path: 'status', equals: 'ok' } }] });

const RULES_RULE =
  'must be an object such as { "accept_when": { "path": "status", "equals": "ok" } }';

/**
 * The rules; null where none are given. Groups are distinguished by hand: the issues of a union would name every
 * alternative instead of the fault in the one that was meant. Every problem is `invalid_format`, at its rule's place.
 */
export const ResponseRulesSchema = z
  .looseObject({}, RULES_RULE)
  .check(({ value: given, issues }) => {
    const complain: Complain = (path, rule) => {
      issues.push({ ...customIssue('invalid_format', rule, path), input: given });
    };
    const rules = Object.entries(given).filter(([, one]) => one != null);
    for (const key of rules.map(([one]) => one).filter((one) => !isKey(one)))
      complain([], noSuchKey(key, KEYS));
    for (const [key, one] of rules) {
      if (PATHS.some((name) => name === key)) readPath(key, one, complain);
      if (RULES.some((name) => name === key)) readWhole(key, one, complain);
    }
  })
  .meta({
    ...jsonSchema(Published, 'input'),
    examples: [{ accept_when: { path: 'status', equals: 'ok' } }],
  })
  .transform((given): ResponseRules | null => {
    const rules = Object.entries(given).filter(([, one]) => one != null);
    return rules.length === 0 ? null : Object.fromEntries(rules);
  });

const isKey = (key: string): boolean => KEYS.some((one) => one === key);

function noSuchKey(key: string, known: readonly string[]): string {
  const near = findNearest(key, known);
  const hint = near === undefined ? '' : `; did you mean ${near}`;
  return `has no "${key.slice(0, TEXT_MAX)}"${hint}. It may have: ${known.join(', ')}`;
}

function readPath(key: string, path: unknown, complain: Complain): void {
  if (!Path.safeParse(path).success) complain([key], PATH_RULE);
}

function readWhole(key: string, rule: unknown, complain: Complain): void {
  const count = readRule([key], rule, DEPTH_MAX, complain);
  if (count > CONDITIONS_MAX) complain([key], `must have at most ${CONDITIONS_MAX} conditions`);
}

/** Returns the number of conditions. */
function readRule(at: PropertyKey[], rule: unknown, depth: number, complain: Complain): number {
  if (depth === 0) {
    complain(at, `must be nested at most ${DEPTH_MAX} deep`);
    return 1;
  }
  const parts = partsOf(rule);
  if (parts === null) {
    readCondition(at, rule, complain);
    return 1;
  }
  if (parts.length === 0) complain(at, 'must have at least one condition');
  const counts = parts
    .slice(0, CONDITIONS_MAX + 1)
    .map((one, n) => readRule([...at, n], one, depth - 1, complain));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The rules of a list or group; null for anything else. */
function partsOf(rule: unknown): unknown[] | null {
  if (Array.isArray(rule)) return rule as unknown[];
  if (!isRecord(rule) || Object.keys(rule).length !== 1) return null;
  const group = rule.any ?? rule.all;
  return Array.isArray(group) ? (group as unknown[]) : null;
}

const isRecord = (one: unknown): one is Record<string, unknown> =>
  typeof one === 'object' && one !== null && !Array.isArray(one);

function readCondition(at: PropertyKey[], condition: unknown, complain: Complain): void {
  if (!isRecord(condition) || Object.keys(condition).length === 0) {
    complain(at, CONDITION_RULE);
    return;
  }
  const known = Object.keys(ResponseCondition.shape);
  for (const key of Object.keys(condition).filter((one) => !known.includes(one)))
    complain(at, noSuchKey(key, known));
  const lonely = NEED_PATH.find((key) => key in condition);
  if (lonely !== undefined && !('path' in condition))
    complain(at, `: ${lonely} needs a path to its value`);
  // Unknown keys are reported above, so they are stripped; keys whose value is empty stay, for the schema to refuse.
  const read = ResponseCondition.strip().safeParse(condition);
  const problems = read.success ? [] : problemsOf(read.error);
  for (const rule of new Set(problems.map((one) => one.rule))) complain(at, rule);
}
