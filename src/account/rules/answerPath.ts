/** Paths into a buyer's JSON answer: `$.result.items[0].status`, the `$` left out or not. */
import { getOwn } from '../../lib/getOwn.js';

type AnswerPath = readonly (string | number)[];

const STEP = /\.?([^.[\]\s]+)|\[([0-9]{1,6})\]/y;
const PATH_MAX = 200;

/** The steps of a path, or null for text that is not a path. */
export function parseAnswerPath(text: string): AnswerPath | null {
  const rest = text.trim().replace(/^\$(?=$|[.[])/, '');
  if (
    rest.length > PATH_MAX ||
    rest === '' ||
    rest.startsWith('.') !== text.trim().startsWith('$.')
  ) {
    return null;
  }
  const steps: (string | number)[] = [];
  let at = 0;
  while (at < rest.length) {
    STEP.lastIndex = at;
    const found = STEP.exec(rest);
    if (!found) return null;
    // A name begins the path or follows a dot.
    if (found[1] !== undefined && at > 0 && !found[0].startsWith('.')) return null;
    steps.push(found[1] ?? Number(found[2]));
    at = STEP.lastIndex;
  }
  return steps;
}

/** The value at a path; undefined when it is missing or null. */
export function followPath(value: unknown, path: AnswerPath): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    if (Array.isArray(here) !== (typeof step === 'number')) return undefined;
    here = getOwn(here as Record<string, unknown>, step);
  }
  return here ?? undefined;
}
