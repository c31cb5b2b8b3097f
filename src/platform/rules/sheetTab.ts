/** The prefix of a range in a tab; the first tab needs none. */
export const tabOf = (sheet: string | null): string =>
  sheet === null ? '' : `'${sheet.replaceAll("'", "''")}'!`;
