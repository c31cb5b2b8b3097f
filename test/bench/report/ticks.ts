/** Marks of a logarithmic axis, 1, 2, 5, 10, 20, 50 …: the first is at most `least`, the last at least `most`. */
export function ticksOf(least: number, most: number): number[] {
  const low = Math.max(least, SMALLEST);
  const marks: number[] = [];
  for (let decade = 10 ** Math.floor(Math.log10(low)); ; decade *= 10)
    for (const step of [1, 2, 5]) {
      const mark = Number((decade * step).toPrecision(1));
      if (mark <= low) marks.length = 0;
      marks.push(mark);
      if (mark >= most && marks.length > 1) return marks;
    }
}

/** No request is answered faster, milliseconds. */
const SMALLEST = 0.1;
