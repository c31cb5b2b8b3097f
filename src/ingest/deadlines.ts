/**
 * How the five seconds of a request are spent, in milliseconds after its arrival. Each step ends in time for
 * the ones after it, so that with a server that hangs the supplier still receives a definitive 503 before the deadline.
 */

/** A request that no group has picked up by then is refused: nothing of it is stored. */
export const GROUPED_BY_MS = 2_700;
/** After this no lead is stored. */
export const STORED_BY_MS = 3_200;
/**
 * A run must have acquired a lead by then, counted from its admission. It is shorter than STARTED_BY_MS: a later run
 * withdraws the lead, even if the API could not.
 */
export const ACQUIRED_BY_MS = 3_300;
/** Leads of a group whose workflow has not answered by then are checked in the database. */
export const STARTED_BY_MS = 3_700;
/** Leads that could not be withdrawn by then may have been accepted: their result is unknown. */
export const WITHDRAWN_BY_MS = 4_300;
/** The request stops waiting for a database that has not returned the lead's state by then. */
export const GIVE_UP_BY_MS = 4_600;
/** A request that waits for the answer of another request stops waiting then. */
export const JOINED_BY_MS = 4_100;
/**
 * A request that finds another request's lead waits at least this long before answering `pending` for it. A verdict that
 * arrives sooner after the lead's own request can be returned as it is; a later one must be checked against the stored
 * lead, which may have been promised meanwhile.
 */
export const OTHERS_PROMISE_AFTER_MS = 750;
