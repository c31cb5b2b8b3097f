import type { Accepted } from './report.js';

/** Changes of a rule that no test can or should notice. An entry holds while the line has the same text. */
export const ACCEPTED: readonly Accepted[] = [];
