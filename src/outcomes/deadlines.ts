/**
 * How the five seconds of a request are spent, in milliseconds after its arrival: as at intake, each step ends in time
 * for those after it.
 */

/** A change that is not in the hands of a group by then is refused: nothing of it is stored. */
export const GROUPED_BY_MS = 2_700;
/** After this a group is not waited for while it is stored. */
export const STORED_BY_MS = 3_300;
/** A group whose workflow has not answered by then is looked after in the database. */
export const TRIED_BY_MS = 4_000;
/** Who has no answer by then is told that the outcome is not known yet. */
export const GIVE_UP_BY_MS = 4_600;
