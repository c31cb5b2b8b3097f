/** Reads what a visitor submitted: the server decides which steps were asked, and whether each answer can be a lead's. */
import { compileField, readScalar, TEXT_MAX } from '../../fields/fieldReader.js';
import type { FieldReader, FieldTools, Reading } from '../../fields/fieldReader.js';
import { isBlank } from '../../fields/fields.js';
import type { FieldRule, FieldType } from '../../fields/fieldRule.js';
import type { Scalar } from '../../fields/values.js';
import { getOwn } from '../../lib/getOwn.js';
import type { Step } from './blocks.js';
import type { FunnelDefinition } from './definition.js';
import {
  fieldsOf,
  isBranching,
  optionOf,
  questionsOf,
  stepsOf,
  walk,
  type Question,
} from './flow.js';
import { mappedNames, splitFullName } from './fullName.js';
import { isAnswerNeeded, isNeeded, type AskingCampaign } from './neededFields.js';
import type { FaultText } from './texts.js';
import {
  decimalSeparatorOf,
  isTypedNumber,
  readTypedNumber,
  type DecimalSeparator,
} from './typedNumber.js';

interface AnswerProblem {
  /** What the visitor reads. */
  text: FaultText;
  /** What `{limit}` in the text is. */
  limit?: number;
}

/** An answer that cannot be accepted; it does not contain the answer itself. */
export interface AnswerFault extends AnswerProblem {
  step: string;
  field: string;
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
    for (const question of questionsOf(step)) {
      const read = readAnswer(step, question, answers, campaign);
      if ('text' in read) faults.push({ step: step.id, field: question.name, ...read });
      else for (const [name, value] of read) body.set(name, value);
    }
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

/** The values that an answer gives the lead, by field: none where it is optional and left out. */
type Values = [field: string, value: Scalar][];

/** By field, without those that are blank. */
function answersOf(definition: FunnelDefinition, posted: Answers): Answers {
  const names = new Set(stepsOf(definition).flatMap(fieldsOf));
  const given = [...names].flatMap((name): [string, string][] => {
    const text = getOwn(posted, ANSWER_PREFIX + name);
    return text === undefined || isBlank(text) ? [] : [[name, text.trim()]];
  });
  return Object.fromEntries(given);
}

function readAnswer(
  step: Step,
  { name, required, options }: Question,
  answers: Answers,
  campaign: AnswerCampaign,
): Values | AnswerProblem {
  const answer = getOwn(answers, name);
  if (answer === undefined) {
    const isRequired = required || (step.type === 'form' && isAnswerNeeded(name, campaign));
    return isRequired ? { text: 'required' } : [];
  }
  if (!options) return readTyped(name, answer, campaign);
  const option = optionOf(options, answer);
  return option ? readValue(name, option.value, campaign) : { text: 'invalid' };
}

function readTyped(name: string, answer: string, campaign: AnswerCampaign): Values | AnswerProblem {
  const rule = campaign.fields.find((one) => one.name === name);
  if (!rule || !isTypedNumber(rule)) return readValue(name, answer, campaign);
  const number = readTypedNumber(answer, campaign.decimal);
  return number === null ? { text: 'invalid_number' } : readValue(name, number, campaign);
}

function readValue(name: string, value: Scalar, campaign: AnswerCampaign): Values | AnswerProblem {
  const isWhole = mappedNames(name, campaign.fields).length === 1;
  const parts = isWhole ? { [name]: value } : splitFullName(String(value));
  if (!parts) return { text: 'invalid_name' };
  const values: Values = Object.entries(parts);
  const problems = values.flatMap(([part, text]) => problemOf(part, text, campaign) ?? []);
  return problems[0] ?? values;
}

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
