/** `T` without the undefined values of its keys. */
type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The keys that have a value: what a partial change really changes. */
export function definedOnly<T extends object>(from: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(from).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
}

/** The same object without the keys that are undefined, which its type lets be absent. */
export const defined = <T extends object>(from: T): T => definedOnly(from) as T;

/** The same object without the keys that are null, which its type lets be absent. */
export const withoutNull = <T extends object>(from: T): T =>
  Object.fromEntries(Object.entries(from).filter(([, value]) => value !== null)) as T;

/** Of the named keys, those that have a value; any other key of the input is left out. */
export function pickDefined<T extends object, K extends keyof T>(
  from: T,
  keys: readonly K[],
): Defined<Pick<T, K>> {
  return definedOnly(Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>);
}

/** All but the named keys. */
export const withoutKeys = <T extends object, K extends keyof T>(
  from: T,
  keys: readonly K[],
): Omit<T, K> =>
  Object.fromEntries(
    Object.entries(from).filter(([key]) => !keys.some((one) => one === key)),
  ) as Omit<T, K>;

/** The named keys alone, of an object that has them all. */
export const pickKeys = <T extends object, K extends keyof T>(
  from: T,
  keys: readonly K[],
): Pick<T, K> => Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
