/**
 * The places of values without a neighbor. A line connects two values, so a chart draws these as points.
 * @param values null where there is none
 */
export const isolatedPlaces = (values: readonly (number | null)[]): number[] =>
  values.flatMap((value, at) => {
    const hasNeighbor = values[at - 1] != null || values[at + 1] != null;
    return value === null || hasNeighbor ? [] : [at];
  });
