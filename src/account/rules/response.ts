/** A buyer's rules for reading its answers (contract 6.4). */
import type { RE2JS } from 're2js';
import { followPath, parseAnswerPath } from './answerPath.js';
import { compilePattern } from '../../fields/fieldReader.js';
import { parseExactJson } from '../../lib/exactJson.js';
import { isScalar, type Scalar } from '../../fields/values.js';
import type { ResponseCondition, ResponseRule } from '../buyers/responseSchema.js';
import { readBoolean, readExactNumber } from '../../fields/fieldTypes.js';

/** An answer as received; `undecoded`: its body could not be unpacked, so its content is unknown. */
interface GivenAnswer {
  status: number;
  body: string;
  undecoded?: string;
}

/** An answer as rules read it; its JSON is parsed once, and only if a rule needs it. */
export interface ReadableAnswer {
  status: number;
  /** null when it could not be unpacked: no condition about it holds. */
  text(): string | null;
  /** The value at a path; undefined when it is missing, or the body is not JSON. */
  at(path: string): unknown;
  /** Whether a rule read a path and the body was not JSON, or read anything of one that could not be unpacked. */
  unreadable(): boolean;
}

export function readableAnswer({ status, body, undecoded }: GivenAnswer): ReadableAnswer {
  let json: { value?: unknown; failed?: true } | undefined;
  let isMissed = false;
  const text = (): string | null => {
    if (undecoded === undefined) return body;
    isMissed = true;
    return null;
  };
  return {
    status,
    text,
    at(path) {
      const content = text();
      if (content === null) return undefined;
      json ??= parseJson(content);
      const steps = parseAnswerPath(path);
      return steps === null ? undefined : followPath(json.value, steps);
    },
    unreadable: () => isMissed || json?.failed === true,
  };
}

/** Strict JSON with all digits of ids; it is parsed without recursion, so depth costs no stack. */
function parseJson(body: string): { value?: unknown; failed?: true } {
  try {
    return { value: parseExactJson(body.replace(/^\uFEFF/, '')) };
  } catch {
    return { failed: true };
  }
}

export function ruleHolds(rule: ResponseRule, answer: ReadableAnswer): boolean {
  if (Array.isArray(rule)) return rule.some((one) => ruleHolds(one, answer));
  if ('any' in rule) return rule.any.some((one) => ruleHolds(one, answer));
  if ('all' in rule) return rule.all.every((one) => ruleHolds(one, answer));
  return conditionHolds(rule, answer);
}

function conditionHolds(condition: ResponseCondition, answer: ReadableAnswer): boolean {
  const { status, path, text_contains: part, text_matches: pattern } = condition;
  if (status !== undefined && !statusHolds(status, answer.status)) return false;
  if (part === undefined && pattern === undefined && path === undefined) return true;
  const text = answer.text();
  // An unreadable answer may contain the text, so no condition on it holds.
  if (text === null) return false;
  if (part !== undefined && !containsText(text, part)) return false;
  if (pattern !== undefined && !isMatch(condition, pattern, text)) return false;
  return path === undefined || valueHolds(condition, answer.at(path));
}

const statusHolds = (rule: NonNullable<ResponseCondition['status']>, status: number): boolean =>
  [rule].flat().some((one) => one === status || one === `${Math.floor(status / 100)}xx`);

function valueHolds(condition: ResponseCondition, value: unknown): boolean {
  const { equals, in: list, contains, matches, exists } = condition;
  if (exists === false) return value === undefined;
  if (value === undefined) return false;
  if (contains !== undefined && !contained(value, contains)) return false;
  if (equals === undefined && list === undefined && matches === undefined) return true;
  if (!isScalar(value)) return false;
  if (equals !== undefined && !sameValue(value, equals)) return false;
  if (list !== undefined && !list.some((one) => sameValue(value, one))) return false;
  return matches === undefined || isMatch(condition, matches, String(value));
}

function contained(value: unknown, part: string): boolean {
  if (Array.isArray(value)) return value.some((item) => isScalar(item) && sameValue(item, part));
  return isScalar(value) && containsText(String(value), part);
}

const containsText = (text: string, part: string): boolean =>
  text.toLowerCase().includes(part.toLowerCase());

/** Compiled once per condition: a plan keeps its rules, and each is applied to every answer. */
const compiled = new WeakMap<ResponseCondition, Map<string, RE2JS>>();

function isMatch(condition: ResponseCondition, pattern: string, text: string): boolean {
  const patterns = compiled.get(condition) ?? new Map<string, RE2JS>();
  compiled.set(condition, patterns);
  const ready = patterns.get(pattern) ?? compilePattern(pattern);
  // Refused when the rule was set; a rule that cannot be read holds for no answer.
  if (typeof ready === 'string') return false;
  patterns.set(pattern, ready);
  return ready.test(text);
}

/**
 * Whether two values are the same. Next to a boolean or a number the other side is read as one; two texts compare
 * without case and outer space (never as numbers, or long ids would lose their last digits).
 */
export function sameValue(a: Scalar, b: Scalar): boolean {
  if (typeof a === 'boolean' || typeof b === 'boolean') {
    const [left, right] = [readBoolean(a), readBoolean(b)];
    return left !== null && left === right;
  }
  if (typeof a === 'number' || typeof b === 'number') {
    const [left, right] = [readExactNumber(a), readExactNumber(b)];
    return left !== null && left === right;
  }
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}
