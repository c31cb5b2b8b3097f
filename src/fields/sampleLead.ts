/** Leads that a campaign would accept: for a supplier's guide, and to try a campaign with. */
import type { Clock } from '../lib/clock.js';
import { compileField, type FieldTools } from './fieldReader.js';
import { evaluateFilters } from './filters.js';
import type { FilterContext, FilterRule } from './filterRules.js';
import type { Fields, Scalar } from './values.js';
import { samplesOfPattern } from './patternSample.js';
import type { FieldRule } from './fieldRule.js';
import { valuesFor } from './sampleRules.js';

export interface SampleOptions {
  /** As `compileField` needs them. */
  tools: FieldTools;
  /** Each number gives another person; a whole number, 0 or more. */
  n: number;
  /** Rules that the lead should pass in addition to the mapping, where it can. */
  rules: readonly FilterRule[];
  context: FilterContext;
}

export interface Sample {
  /** As a supplier would send them; each is accepted by the rule of its field. */
  fields: Fields;
  /** Fields for which no value could be made up, such as those with an unusual pattern. */
  without: string[];
}

/** The number of different people that samples are drawn from. */
const PEOPLE = 1_000_000;

/** Draws the `n` of a sample. */
export const drawPerson = (clock: Pick<Clock, 'random'>): number =>
  Math.floor(clock.random() * PEOPLE);

/** Values for every field of a mapping, except those that a rule requires to be empty. */
export function sampleLead(fields: readonly FieldRule[], options: SampleOptions): Sample {
  const sample: Sample = { fields: {}, without: [] };
  for (const rule of fields) {
    const ownRules = options.rules.filter(({ field }) => field === rule.name);
    const wantsNone = ownRules.some(({ operator }) => operator === 'IS EMPTY');
    if (wantsNone && !rule.required) continue;
    const value = sampleValue(rule, ownRules, options);
    if (value === undefined) sample.without.push(rule.name);
    else sample.fields[rule.name] = value;
  }
  return sample;
}

function sampleValue(
  rule: FieldRule,
  ownRules: readonly FilterRule[],
  { tools, n, context }: SampleOptions,
): Scalar | undefined {
  const read = compileField(rule, tools);
  const wished = ownRules.flatMap((one) => valuesFor(one, context));
  const taken = [...wished, ...candidatesOf(rule, n)].filter(
    (value) => read(value).kind === 'value',
  );
  const passes = (value: Scalar): boolean => {
    const reading = read(value);
    if (reading.kind !== 'value') return false;
    return (
      evaluateFilters({ all: [...ownRules] }, { [rule.name]: reading.value }, context).length === 0
    );
  };
  return taken.find(passes) ?? taken[0];
}

/** Best first; the field's reader decides which of them are valid. */
function candidatesOf(rule: FieldRule, n: number): Scalar[] {
  return [
    ...(rule.default === undefined ? [] : [rule.default]),
    ...(rule.allowed_values ?? []),
    ...(rule.pattern === undefined ? [] : samplesOfPattern(rule.pattern)),
    ...ofType(rule, n),
  ];
}

const NAMES: readonly [pattern: RegExp, values: readonly Scalar[]][] = [
  [/year/, [2020]],
  [/(^|_)age($|_)/, [35]],
  [/amount|income|price|value|salary|debt|balance/, [25_000]],
  [/first_name|given/, ['Jane']],
  [/last_name|surname|family/, ['Doe']],
  [/city/, ['Springfield']],
  [/address|street/, ['12 Main Street']],
  [/^source$/, ['website']],
  [/^ip|ip_address/, ['192.0.2.10']],
  [/birth|dob/, ['1985-06-15']],
];

function ofType(rule: FieldRule, n: number): Scalar[] {
  const named = NAMES.filter(([pattern]) => pattern.test(rule.name)).flatMap(
    ([, values]) => values,
  );
  switch (rule.type) {
    case 'Number':
      return [...named, 1_000, 35, 100, 10, 1, 0, 2_020, 25_000, ...between(rule), -1, 0.5];
    case 'Boolean':
      return [true, false];
    case 'Phone':
      return [phone(n), `+1${phone(n)}`];
    case 'Email':
      return [n === 0 ? 'jane.doe@example.com' : `jane.doe.${n}@example.com`, 'j@example.com'];
    case 'Date':
      return [...named, '2026-01-15'];
    case 'State':
      return STATES;
    case 'Zip / Postal Code':
      return ['90210', '10001', '73301', '33101'];
    case 'URL':
      return ['https://www.example.com/', 'https://a.example'];
    case 'String':
    case 'List of Allowed Values':
      return [...named, 'example', 'Example', 'EXAMPLE', 'abc', 'a', '12345', '1'];
  }
}

const between = ({ min, max }: FieldRule): number[] => [
  ...(min === undefined ? [] : [min, Math.ceil(min), min + 1]),
  ...(max === undefined ? [] : [max, Math.floor(max)]),
];

const STATES = ['CA', 'TX', 'NY', 'FL', 'OH', 'WA', 'IL', 'GA', 'CO', 'AZ'];
const AREAS = [201, 212, 303, 305, 312, 404, 415, 512, 602, 617, 702, 713, 720, 818, 847, 917];

/** 555-0100 to 555-0199 are kept free for examples in every area of the North American plan. */
function phone(n: number): string {
  const area = AREAS[Math.floor(n / 100) % AREAS.length] ?? 201;
  return `${area}5550${100 + ((n + 23) % 100)}`;
}
