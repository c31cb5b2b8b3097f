/**
 * Invisible characters that are copied along with a value: zero-width marks, direction marks, variation
 * selectors, soft hyphens (Unicode's default-ignorable code points). Two values that look alike are one value without
 * them.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** The text as it is seen. */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');

/** The same without outer blanks. */
export const visibleText = (text: string): string => withoutInvisible(text).trim();
