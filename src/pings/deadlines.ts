/**
 * How the time of a ping is spent, in milliseconds. Its campaign's `deadline_ms` counts from its arrival: by then
 * all buyers have been heard. What is said here is before or after that.
 */

/** Key, link and fields are known by so long after the arrival: no campaign is known yet, and none has a deadline under 100. */
export const ADMITTED_BY_MS = 600;
/** What is not read by so long after the deadline is refused. */
export const SCREENED_AFTER_MS = 200;
/** What is not being stored by so long after the deadline is refused. */
export const STORED_AFTER_MS = 400;
/** By so long after the deadline everybody has an answer. */
export const ANSWERED_AFTER_MS = 500;
