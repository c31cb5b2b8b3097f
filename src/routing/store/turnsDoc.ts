import type { Turns } from '../rules/turns.js';

/** Whose turn it is among a campaign's equally good buyers. */
export interface TurnsDoc extends Turns {
  /** The campaign's id. */
  _id: string;
}
