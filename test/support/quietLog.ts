/** A log that keeps nothing. */
export const quietLog = { warn: () => undefined };
