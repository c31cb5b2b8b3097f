/**
 * The record's own value under a name; undefined without a record, and for names that every object inherits, such as
 * `constructor`. For names that may be any text.
 */
export const getOwn = <T>(
  record: Readonly<Record<string, T>> | undefined,
  name: string | number,
): T | undefined =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
