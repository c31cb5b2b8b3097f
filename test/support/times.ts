/** The time this long before now, in milliseconds. */
export const ago = (ms: number): Date => new Date(Date.now() - ms);
