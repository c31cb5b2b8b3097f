/** The known word that a misspelled one is most like, and the hint that names it. */
import { distance } from 'fastest-levenshtein';

/** Characters of a word that are compared. */
const COMPARED_MAX = 64;

/**
 * The known word with the fewest edits (Levenshtein) to the given one, without case; of equally near ones the first.
 * Undefined when each differs in more than a third of the given word's characters.
 */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  const wanted = word.slice(0, COMPARED_MAX).toLowerCase();
  const most = Math.max(1, Math.floor(wanted.length / 3));
  const [best] = known
    .map((name) => ({ name, edits: distance(wanted, name.slice(0, COMPARED_MAX).toLowerCase()) }))
    .filter(({ edits }) => edits <= most)
    .toSorted((a, b) => a.edits - b.edits);
  return best?.name;
}

/** ` Did you mean price?`, or nothing where no known name is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = findNearest(name, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}
