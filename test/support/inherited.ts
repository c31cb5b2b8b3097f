/** Names that every object literal inherits. */
export const INHERITED: readonly string[] = Object.getOwnPropertyNames(Object.prototype);
