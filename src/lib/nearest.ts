/** Which word somebody may have meant. */

const LONGEST = 64;

/** The known word with the fewest edits to the given one, without case; undefined when none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const wanted = word.slice(0, LONGEST).toLowerCase();
  const most = Math.max(1, Math.floor(wanted.length / 3));
  const [best] = known
    .map((name) => ({ name, edits: editsBetween(wanted, name.slice(0, LONGEST).toLowerCase()) }))
    .filter(({ edits }) => edits <= most)
    .toSorted((a, b) => a.edits - b.edits);
  return best?.name;
}

/** Insertions, removals and replacements of single characters (Levenshtein). */
export function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, n) => n);
  for (let i = 0; i < from.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j += 1) {
      const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
