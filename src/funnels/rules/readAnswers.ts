/** Reads what a visitor submitted: the server decides which steps were asked, and whether each answer can be a lead's. */
import { compileField, readScalar, TEXT_MAX } from '../../fields/fieldReader.js';
import type { FieldReader, FieldTools, Reading } from '../../fields/fieldReader.js';
import { isBlank } from '../../fields/fields.js';
import type { FieldRule, FieldType } from '../../fields/fieldRule.js';
import type { Scalar } from '../../fields/values.js';
import { getOwn } from '../../lib/getOwn.js';
import type { FormField, QuizStep, Step } from './blocks.js';
import type { FunnelDefinition } from './definition.js';
import { fieldsOf, isBranching, optionOf, stepsOf, walk } from './flow.js';
import { mappedNames, splitFullName } from './fullName.js';
import { isAnswerNeeded, isNeeded, type AskingCampaign } from './neededFields.js';
import type { FaultText } from './texts.js';
import {
  decimalSeparatorOf,
  isTypedNumber,
  readTypedNumber,
  type DecimalSeparator,
} from './typedNumber.js';

/** An answer that cannot be accepted; it does not contain the answer itself. */
export interface AnswerFault {
  step: string;
  field: string;
  /** What the visitor reads. */
  text: FaultText;
  /** What `{limit}` in the text is. */
  limit?: number;
}

export type AnswersResult =
  | { kind: 'lead'; body: Record<string, Scalar> }
  | { kind: 'not_qualified'; page: string }
  | { kind: 'faulty'; faults: AnswerFault[] };

/** The campaign that the lead of these answers goes to. */
export interface AnsweredCampaign extends Pick<AskingCampaign, 'isPingPost'> {
  /** All of its fields, those of the system included. */
  fields: readonly FieldRule[];
  /** What the rules of its fields need, see `compileField`. */
  tools: FieldTools;
}

/** The prefix of posted answers: `f.phone`. */
export const ANSWER_PREFIX = 'f.';

/**
 * Makes the body of a lead from posted answers: those of the steps on the visitor's path, and the hidden fields. An
 * answer to a step off the path does not count. Values are as the options have them, else as they were typed: the
 * campaign's mapping normalizes them, except numbers, which people write by the language of the page.
 * @param definition the version that the visitor saw
 * @param posted texts by name, such as `f.phone`; others are left alone
 * @param campaign the current one
 */
export function readAnswers(
  definition: FunnelDefinition,
  posted: Readonly<Record<string, string>>,
  { fields, tools, isPingPost }: AnsweredCampaign,
): AnswersResult {
  const answers = answersOf(definition, posted);
  const { path, ending } = walk(definition, answers);
  const hidden = definition.hidden_fields;
  const decimal = decimalSeparatorOf(definition.language);
  const campaign = { fields, tools, isPingPost, hidden, decimal };
  const body = new Map<string, Scalar>(Object.entries(hidden));
  const faults: AnswerFault[] = [];
  for (const step of path) {
    const results = readStep(step, answers, campaign);
    faults.push(...results.flatMap((one) => one.faults));
    for (const [name, value] of results.flatMap((one) => one.values)) body.set(name, value);
    // It is unknown which steps come after it.
    if (isBranching(step) && faults.some((fault) => fault.step === step.id)) break;
  }
  if (faults.length > 0) return { kind: 'faulty', faults };
  return ending.kind === 'form' ? { kind: 'lead', body: Object.fromEntries(body) } : ending;
}

type Answers = Readonly<Record<string, string>>;

interface AnswerCampaign extends AskingCampaign, AnsweredCampaign {
  decimal: DecimalSeparator;
}

interface AnswerResult {
  values: [string, Scalar][];
  faults: AnswerFault[];
}

const NO_ANSWER: AnswerResult = { values: [], faults: [] };

/** By field, without those that are blank. */
function answersOf(definition: FunnelDefinition, posted: Answers): Answers {
  const names = new Set(stepsOf(definition).flatMap(fieldsOf));
  const given = [...names].flatMap((name): [string, string][] => {
    const text = getOwn(posted, ANSWER_PREFIX + name);
    return text === undefined || isBlank(text) ? [] : [[name, text.trim()]];
  });
  return Object.fromEntries(given);
}

const readStep = (step: Step, answers: Answers, campaign: AnswerCampaign): AnswerResult[] =>
  step.type === 'quiz_step'
    ? [readChoice(step, answers, campaign)]
    : step.fields.map((entry) => readEntry(step.id, entry, answers, campaign));

function readChoice(step: QuizStep, answers: Answers, campaign: AnswerCampaign): AnswerResult {
  const { id, field, options } = step;
  const answer = getOwn(answers, field);
  if (answer === undefined) return step.required ? fault(id, field, 'required') : NO_ANSWER;
  const option = optionOf(options, answer);
  if (!option) return fault(id, field, 'invalid');
  return readValue(id, field, option.value, campaign);
}

function readEntry(
  step: string,
  { name, required, options }: FormField,
  answers: Answers,
  campaign: AnswerCampaign,
): AnswerResult {
  const answer = getOwn(answers, name);
  if (answer === undefined) {
    const isRequired = required === true || isAnswerNeeded(name, campaign);
    return isRequired ? fault(step, name, 'required') : NO_ANSWER;
  }
  if (!options) return readTyped(step, name, answer, campaign);
  const value = optionOf(options, answer)?.value;
  return value === undefined
    ? fault(step, name, 'invalid')
    : readValue(step, name, value, campaign);
}

function readTyped(
  step: string,
  name: string,
  answer: string,
  campaign: AnswerCampaign,
): AnswerResult {
  const rule = campaign.fields.find((one) => one.name === name);
  if (!rule || !isTypedNumber(rule)) return readValue(step, name, answer, campaign);
  const number = readTypedNumber(answer, campaign.decimal);
  return number === null
    ? fault(step, name, 'invalid_number')
    : readValue(step, name, number, campaign);
}

function readValue(
  step: string,
  name: string,
  value: Scalar,
  campaign: AnswerCampaign,
): AnswerResult {
  if (mappedNames(name, campaign.fields).length === 1) {
    const text = problemOf(name, value, campaign);
    return text ? { values: [], faults: [{ step, field: name, ...text }] } : accepted(name, value);
  }
  const parts = splitFullName(String(value));
  if (!parts) return fault(step, name, 'invalid_name');
  const values = Object.entries(parts);
  for (const [part, text] of values) {
    const problem = problemOf(part, text, campaign);
    if (problem) return { values: [], faults: [{ step, field: name, ...problem }] };
  }
  return { values, faults: [] };
}

const accepted = (name: string, value: Scalar): AnswerResult => ({
  values: [[name, value]],
  faults: [],
});

const fault = (step: string, field: string, text: FaultText): AnswerResult => ({
  values: [],
  faults: [{ step, field, text }],
});

type AnswerProblem = Pick<AnswerFault, 'text' | 'limit'>;

/**
 * Checks by the rule that the campaign has for the field now; a field that it no longer has is kept like any other
 * text.
 */
function problemOf(
  name: string,
  value: Scalar,
  { fields, tools }: AnswerCampaign,
): AnswerProblem | undefined {
  const rule = fields.find((one) => one.name === name);
  const read: FieldReader = rule
    ? compileField(rule, tools)
    : (raw) => readScalar(raw, name, { limit: TEXT_MAX });
  const reading = read(value);
  if (reading.kind === 'value') return undefined;
  if (reading.kind === 'error') return faultText(reading, rule, value);
  // Such as a text of letters of which a transform keeps the digits.
  return rule && !isNeeded(rule, false) ? undefined : { text: 'required' };
}

function faultText(
  { code }: Reading & { kind: 'error' },
  rule: FieldRule | undefined,
  value: Scalar,
): AnswerProblem {
  if (code === 'too_long') return { text: 'too_long' };
  if (code === 'out_of_range' && rule) return boundText(rule, Number(value));
  const isOfType = code === 'invalid_format' || code === 'invalid_type';
  return { text: isOfType && rule ? TYPE_TEXTS[rule.type] : 'invalid' };
}

function boundText({ min, max }: FieldRule, value: number): AnswerProblem {
  if (min !== undefined && value < min) return { text: 'too_small', limit: min };
  if (max !== undefined && value > max) return { text: 'too_large', limit: max };
  return { text: 'invalid_number' };
}

const TYPE_TEXTS: Record<FieldType, FaultText> = {
  String: 'invalid',
  Number: 'invalid_number',
  Boolean: 'invalid',
  Phone: 'invalid_phone',
  Email: 'invalid_email',
  Date: 'invalid_date',
  State: 'invalid',
  'Zip / Postal Code': 'invalid_zip',
  URL: 'invalid',
  'List of Allowed Values': 'invalid',
};
