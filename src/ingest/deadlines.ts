/**
 * How the five seconds of a request are spent, in milliseconds after its arrival. Each step ends in time for
 * the ones after it, so that a server that hangs is answered with a true 503 before the deadline is over.
 */

/** A request that is not in the hands of a group by then is refused: nothing of it is stored. */
export const GROUPED_BY_MS = 2_700;
/** After this nothing is stored any more. */
export const STORED_BY_MS = 3_200;
/** A group whose workflow has not answered by then is looked after in the database. */
export const STARTED_BY_MS = 3_700;
/** What could not be taken back by then may have been taken: nobody can tell. */
export const WITHDRAWN_BY_MS = 4_300;
/** A database that has not said by then how a lead stands is waited for no longer. */
export const GIVE_UP_BY_MS = 4_600;
/** Who waits for the answer of another request waits no longer. */
export const JOINED_BY_MS = 4_100;
