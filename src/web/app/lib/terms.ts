import type { Term } from '../../build/terms.js';

/** The build replaces it with the table of settings. */
declare const BUYER_TERMS: readonly Term[];

/** The terms of buyers, in the order of the table. */
export const TERMS = BUYER_TERMS;

export type { Term };
