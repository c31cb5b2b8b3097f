/**
 * What a record has under a name by itself; undefined without a record, and for what every object inherits, such as
 * `constructor`. For names that may be any text.
 */
export const getOwn = <T>(
  record: Readonly<Record<string, T>> | undefined,
  name: string | number,
): T | undefined =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
