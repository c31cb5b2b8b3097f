/**
 * How the time of a ping is spent, in milliseconds. Its campaign's `deadline_ms` counts from its arrival: by then
 * every buyer has answered or is late. The times here are before or after that.
 */

/** After arrival; key, link and fields are checked by then: no campaign is known yet, and no deadline is under 100. */
export const ADMITTED_BY_MS = 600;
/** After the deadline; a ping that has not been read by then is refused. */
export const SCREENED_AFTER_MS = 200;
/** After the deadline; a ping that is not being stored by then is refused. */
export const STORED_AFTER_MS = 400;
/** After the deadline; every supplier has an answer by then. */
export const ANSWERED_AFTER_MS = 500;
