/** Filters in words: the rules that a lead must pass, and the groups that join them. */

export type FilterPart = { rule: string } | FilterJoin;

export interface FilterJoin {
  join: 'all' | 'any';
  parts: readonly FilterPart[];
}

/** Null: every lead passes. A group of one is that one, and a group in one of its kind is part of it. */
export function filterTree(value: unknown): FilterPart | null {
  if (Array.isArray(value)) return joined('all', value);
  if (!isRecord(value)) return value == null ? null : { rule: JSON.stringify(value) };
  if (Array.isArray(value.all)) return joined('all', value.all);
  if (Array.isArray(value.any)) return joined('any', value.any);
  return { rule: ruleWords(value) };
}

function joined(join: FilterJoin['join'], members: readonly unknown[]): FilterPart | null {
  const parts = members
    .map(filterTree)
    .filter((part) => part !== null)
    .flatMap((part) => ('join' in part && part.join === join ? part.parts : [part]));
  const [only] = parts;
  if (only === undefined) return null;
  return parts.length === 1 ? only : { join, parts };
}

export const JOIN_WORDS = { all: 'All of these:', any: 'One of these:' } as const;

/** A line for each rule and each group, indented by the groups around it. */
export function filterLines(value: unknown): string[] {
  const tree = filterTree(value);
  return tree ? linesOf(tree, 0) : ['none'];
}

/** The whole in one line, such as "age is at least 18 and (state is CA or state is TX)". */
export function filterText(value: unknown): string {
  const tree = filterTree(value);
  return tree ? textOf(tree) : 'none';
}

function textOf(part: FilterPart): string {
  if ('rule' in part) return part.rule;
  const texts = part.parts.map((one) => ('rule' in one ? one.rule : `(${textOf(one)})`));
  return texts.join(part.join === 'all' ? ' and ' : ' or ');
}

function linesOf(part: FilterPart, depth: number): string[] {
  const indent = ' '.repeat(depth * 2);
  if ('rule' in part) return [indent + part.rule];
  return [indent + JOIN_WORDS[part.join], ...part.parts.flatMap((one) => linesOf(one, depth + 1))];
}

const OPERATORS: Readonly<Record<string, string>> = {
  '==': 'is',
  '!=': 'is not',
  IN: 'is one of',
  'NOT IN': 'is none of',
  '>': 'is more than',
  '<': 'is less than',
  '>=': 'is at least',
  '<=': 'is at most',
  CONTAINS: 'contains',
  'DOES NOT CONTAIN': 'does not contain',
  'IS EMPTY': 'is empty',
  'IS NOT EMPTY': 'is not empty',
  MATCHES: 'matches',
  'IN LIST': 'is one of',
  'WITHIN RADIUS': 'is within',
};

/** Longer lists are cut: one of zip codes can be as long as a book. */
const SHOWN = 20;

/** Such as "age is at least 18"; an operator that has no words keeps its sign. */
function ruleWords({ field, operator, value, schedule }: Record<string, unknown>): string {
  const written = String(operator);
  const words = [String(field), Object.hasOwn(OPERATORS, written) ? OPERATORS[written] : written];
  const days = /^([<>]=) N days ago$/.exec(written);
  if (days) words.splice(1, 1, days[1] === '>=' ? 'is not before' : 'is not after');
  if (value != null) words.push(days ? `${wordsOf(value)} days ago` : wordsOf(value));
  if (schedule != null) words.push('(at certain hours)');
  return words.join(' ');
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) {
    const more = value.length - SHOWN;
    const shown = value.slice(0, SHOWN).map(wordsOf).join(', ');
    return more > 0 ? `${shown} and ${more} more` : shown;
  }
  if (isRecord(value) && Array.isArray(value.zips))
    return `${String(value.miles)} miles of ${wordsOf(value.zips)}`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
