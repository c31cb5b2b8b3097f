/** Reading and judging the fields of a lead without being fooled by names such as `constructor`. */
import type { Fields, Scalar } from './values.js';
import { getOwn } from '../lib/getOwn.js';

const BLANK = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u;
/** NUL and broken halves of a surrogate pair: no database or buyer keeps them as they came. */
const NOT_TEXT = /[\0\p{Cs}]/u;
const UNSAFE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether text holds nothing visible; such a value counts as absent. */
export const isBlank = (text: string): boolean => BLANK.test(text);

/** Whether the text can be stored and delivered as it is. */
export const isCleanText = (text: string): boolean => !NOT_TEXT.test(text);

/** Whether a name is one that JavaScript objects give a meaning to. */
export const isUnsafeName = (name: string): boolean => UNSAFE_NAMES.has(name);

/** A lead's value of that name; undefined when it is absent or blank. */
export function fieldOf(fields: Fields, name: string): Scalar | undefined {
  const value = getOwn(fields, name);
  return typeof value === 'string' && isBlank(value) ? undefined : value;
}
