/** Every place where a definition asks a field. */
import { isStep, type Block, type Step } from './blocks.js';
import { questionsOf, type Question } from './flow.js';

/** Its name is one of the mapping, or `full_name`; `required` undefined: as the campaign has it. */
export interface AskedField extends Question {
  /** Where the definition names it, such as `blocks`, 2, `fields`, 0, `name`. */
  path: PropertyKey[];
  /** Where the question or the entry of the form stands. */
  entryPath: PropertyKey[];
  step: Step;
  /** The step's place among the steps. */
  at: number;
}

/** In the order of the page. */
export function askedFields(blocks: readonly Block[]): AskedField[] {
  const steps = blocks.filter(isStep);
  return blocks.flatMap((step, block): AskedField[] => {
    if (!isStep(step)) return [];
    const at = steps.indexOf(step);
    return questionsOf(step).map(({ name, required, options }, field) => {
      const isQuiz = step.type === 'quiz_step';
      const entryPath = isQuiz ? ['blocks', block] : ['blocks', block, 'fields', field];
      const path = [...entryPath, isQuiz ? 'field' : 'name'];
      return { name, path, entryPath, step, at, required, options };
    });
  });
}
