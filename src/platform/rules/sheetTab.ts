/** What stands before a range of a tab; the first tab need not be named. */
export const tabOf = (sheet: string | null): string =>
  sheet === null ? '' : `'${sheet.replaceAll("'", "''")}'!`;
