/** Which steps follow each other: the server's view, whatever a page shows. */
import type { Scalar } from '../../fields/values.js';
import { getOwn } from '../../lib/getOwn.js';
import { isStep, type FormField, type QuizOption, type QuizStep, type Step } from './blocks.js';
import type { FunnelDefinition } from './definition.js';

/**
 * Where a visitor's answers lead: to the lead that the last form makes, or to a page that ends the funnel without one.
 */
export type Ending = { kind: 'form' } | { kind: 'not_qualified'; page: string };

/** The steps of the page, in its order. */
export const stepsOf = ({ blocks }: Pick<FunnelDefinition, 'blocks'>): Step[] =>
  blocks.filter(isStep);

/**
 * Follows the answers from the first step. A step that is not on the path was not asked: what is answered there does not
 * count. A question without an answer, or with one that it does not offer, leads to the next step in the list.
 * @param answers by field, as the option has them or as their text
 */
export function walk(
  definition: Pick<FunnelDefinition, 'blocks'>,
  answers: Readonly<Record<string, Scalar>>,
): { path: Step[]; ending: Ending } {
  const steps = stepsOf(definition);
  const path: Step[] = [];
  let at = 0;
  for (;;) {
    const step = steps[at];
    if (!step) return { path, ending: { kind: 'form' } };
    path.push(step);
    const option = step.type === 'quiz_step' ? chosen(step, answers) : undefined;
    if (option?.not_qualified !== undefined)
      return { path, ending: { kind: 'not_qualified', page: option.not_qualified } };
    // A definition is checked before it is stored; the maximum makes the path end whatever is stored.
    at = Math.max(indexAfter(steps, at, option), at + 1);
  }
}

/** The option of this value; posted answers are text. */
export const optionOf = <O extends { value: Scalar }>(
  options: readonly O[],
  answer: Scalar,
): O | undefined => {
  const text = String(answer).trim();
  return options.find(({ value }) => String(value).trim() === text);
};

const chosen = (
  step: QuizStep,
  answers: Readonly<Record<string, Scalar>>,
): QuizOption | undefined => {
  const answer = getOwn(answers, step.field);
  return answer === undefined ? undefined : optionOf(step.options, answer);
};

/** What a step asks of one field, as the definition has it. */
export type Question = Pick<FormField, 'name' | 'required' | 'options'>;

/** In the order of the step. */
export const questionsOf = (step: Step): Question[] =>
  step.type === 'quiz_step' ? [{ ...step, name: step.field }] : step.fields;

/** Names of the fields that a step asks, in its order. */
export const fieldsOf = (step: Step): string[] => questionsOf(step).map(({ name }) => name);

/**
 * The steps that may follow a step directly, by their place among the steps; none after the last, and after a question
 * whose every answer ends the funnel. A `next` that is no later step counts as the next in the list.
 */
export function followersOf(steps: readonly Step[], at: number): number[] {
  const step = steps[at];
  if (!step || at === steps.length - 1) return [];
  if (step.type === 'form') return [at + 1];
  const after = step.options
    .filter(({ not_qualified }) => not_qualified === undefined)
    .map((option) => Math.max(indexAfter(steps, at, option), at + 1));
  return [...new Set([...after, ...(step.required ? [] : [at + 1])])];
}

/** Whether a question leads to different steps or ends, depending on the answer. */
export const isBranching = (step: Step): boolean =>
  step.type === 'quiz_step' &&
  step.options.some(({ next, not_qualified }) => next !== undefined || not_qualified !== undefined);

/**
 * Every step that can come after those given, they included, by their places.
 * @param isPassable a step that is not is reached, and not gone through
 */
export function reachableFrom(
  steps: readonly Step[],
  starts: readonly number[],
  isPassable: (step: Step) => boolean = () => true,
): Set<number> {
  const reached = new Set(starts);
  // A set is walked in the order in which it grows.
  for (const at of reached) {
    const step = steps[at];
    if (!step || !isPassable(step)) continue;
    for (const next of followersOf(steps, at)) reached.add(next);
  }
  return reached;
}

function indexAfter(steps: readonly Step[], at: number, option: QuizOption | undefined): number {
  const named = steps.findIndex(({ id }) => id === option?.next);
  return named === -1 ? at + 1 : named;
}
