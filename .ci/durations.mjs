/** How long each file of tests takes: `durations.json`, which `npm run test:durations` writes from a run of all of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const DURATIONS = join(import.meta.dirname, 'durations.json');
/** Of a file that was not measured yet. */
const UNKNOWN_S = 3;

const known = JSON.parse(readFileSync(DURATIONS, 'utf8'));

/** Seconds of one worker, given a path such as `test/routing/rules/caps.test.js`, or one that ends in it. */
export const secondsOf = (path) =>
  known[path.slice(path.lastIndexOf('test/') + 5).replace(/\.[jt]s$/, '')] ?? UNKNOWN_S;
