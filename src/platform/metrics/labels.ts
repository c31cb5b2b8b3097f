/** The values of a label that metrics use. Without a bound they would grow with the account, and so would every scrape. */

/** How many campaigns, and how many buyers, have a value of their own where the settings say nothing. */
export const LABELS_MAX = 200;

/** The value of the label for everything that has no value of its own. */
export const OTHER = 'other';

export type Labels = ReturnType<typeof createLabels>;

/** @param max how many ids have a value of their own: the first ones that are asked for */
export function createLabels(max: number) {
  const ids = new Set<string>();
  return {
    /** The id itself, or `other` where `max` ids have a value already. */
    of(id: string): string {
      if (ids.has(id)) return id;
      if (ids.size >= max) return OTHER;
      ids.add(id);
      return id;
    },
    /** The ids that have a value of their own. */
    ids: (): string[] => [...ids],
  };
}
