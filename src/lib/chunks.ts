/** In order, `most` in each but the last; an empty list gives no chunk. @param most 1 or more */
export const chunks = <T>(all: readonly T[], most: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, n) =>
    all.slice(n * most, (n + 1) * most),
  );
