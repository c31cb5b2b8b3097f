/**
 * How the five seconds of a request are spent, in milliseconds after its arrival: as at intake, each step ends in time
 * for those after it.
 */

/** A change that no group has picked up by then is refused: nothing of it is stored. */
export const GROUPED_BY_MS = 2_700;
/** After this the group stops waiting for its insert. */
export const STORED_BY_MS = 3_300;
/** Changes of a group whose workflow has not answered by then are checked in the database. */
export const TRIED_BY_MS = 4_000;
/** A request without an answer by then receives `outcome_unknown`. */
export const ANSWERED_BY_MS = 4_600;
