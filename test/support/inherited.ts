/** Names found in every object literal, whatever it was made for. */
export const INHERITED: readonly string[] = Object.getOwnPropertyNames(Object.prototype);
