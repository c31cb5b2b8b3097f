/**
 * What is counted for each lead, as plain numbers: no labels are put together, and no text is built, until the metrics are
 * read.
 */
import type { Labels } from './labels.js';
import type { Distribution, Sample } from './samples.js';

/** Counts by an id and one of a few words. */
export function createCounts<Word extends string>(labels: Labels, words: readonly Word[]) {
  const cells = new Map<string, Record<Word, number>>();
  const open = (label: string): Record<Word, number> => {
    const cell = Object.fromEntries(words.map((word) => [word, 0])) as Record<Word, number>;
    cells.set(label, cell);
    return cell;
  };
  return {
    add(id: string, word: Word): void {
      const label = labels.of(id);
      const cell = cells.get(label) ?? open(label);
      cell[word] += 1;
    },
    /** One for each id and word that was counted. */
    samples: <Id extends string, By extends string>(idLabel: Id, wordLabel: By) =>
      [...cells].flatMap(([label, cell]) =>
        words
          .filter((word) => cell[word] > 0)
          .map((word): Sample<Id | By> => ({
            labels: { [idLabel]: label, [wordLabel]: word } as Record<Id | By, string>,
            value: cell[word],
          })),
      ),
  };
}

interface Cell {
  counts: number[];
  sum: number;
}

/** Adds a value to its bucket. */
function add({ counts }: Cell, bounds: readonly number[], value: number): void {
  let at = 0;
  while (value > (bounds[at] ?? Infinity)) at += 1;
  counts[at] = (counts[at] ?? 0) + 1;
}

export type Histograms = ReturnType<typeof createHistograms>;

/**
 * Values in buckets, by a text that names them.
 * @param bounds the upper bounds of the buckets, ascending; a last one without a bound is added
 */
export function createHistograms(bounds: readonly number[]) {
  const cells = new Map<string, Cell>();
  const open = (label: string): Cell => {
    const cell = { counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 };
    cells.set(label, cell);
    return cell;
  };
  return {
    observe(label: string, value: number): void {
      const cell = cells.get(label) ?? open(label);
      cell.sum += value;
      add(cell, bounds, value);
    },
    samples: <Label extends string>(name: Label): Distribution<Label>[] =>
      [...cells].map(([label, { counts, sum }]) => ({
        labels: { [name]: label } as Record<Label, string>,
        counts,
        sum,
      })),
  };
}
