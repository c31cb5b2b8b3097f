/** Problems of a definition, as an action reports them. */
import type { InputFault } from '../../lib/errors.js';
import { fieldOf } from '../../lib/schema/sentences.js';
import type { Problem } from '../../lib/schema/zodIssues.js';

/** The first step of every problem's path. */
const ROOT = 'definition';
/** Maximum problems listed of one definition. */
export const PROBLEMS_MAX = 200;

/** Each with its path, such as `definition.blocks[2].options[0].next`; the first 200, and how many more there are. */
export function faultsOf(problems: readonly Problem[]): InputFault[] {
  const listed = problems.slice(0, PROBLEMS_MAX).map(({ path, code, rule }): InputFault => {
    const place = fieldOf(ROOT, path);
    const message = `${place} ${rule}`;
    return { path: place, code, message: /[.?]$/.test(message) ? message : `${message}.` };
  });
  const more = problems.length - listed.length;
  if (more === 0) return listed;
  const message = `${ROOT} has ${more} more problems.`;
  return [...listed, { path: ROOT, code: 'not_allowed', message }];
}
