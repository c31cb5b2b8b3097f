/** Every place where a definition asks a field. */
import type { Scalar } from '../../fields/values.js';
import { isStep, type Block, type Step } from './blocks.js';

export interface AskedField {
  /** Of the mapping, or `full_name`. */
  name: string;
  /** Where the definition names it, such as `blocks`, 2, `fields`, 0, `name`. */
  path: PropertyKey[];
  /** Where the question or the entry of the form stands. */
  entryPath: PropertyKey[];
  step: Step;
  /** The step's place among the steps. */
  at: number;
  /** As the definition has it; undefined: as the campaign has it. */
  required: boolean | undefined;
  options: readonly { value: Scalar }[] | undefined;
}

/** In the order of the page. */
export function askedFields(blocks: readonly Block[]): AskedField[] {
  const steps = blocks.filter(isStep);
  return blocks.flatMap((step, block): AskedField[] => {
    if (!isStep(step)) return [];
    const at = steps.indexOf(step);
    if (step.type === 'quiz_step') {
      const entryPath = ['blocks', block];
      const { field: name, required, options } = step;
      return [{ name, path: [...entryPath, 'field'], entryPath, step, at, required, options }];
    }
    return step.fields.map(({ name, required, options }, field) => {
      const entryPath = ['blocks', block, 'fields', field];
      return { name, path: [...entryPath, 'name'], entryPath, step, at, required, options };
    });
  });
}
