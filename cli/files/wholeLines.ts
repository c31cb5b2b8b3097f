/** The lines of a stream, with the last one held back: only at the end it is known which one that is. */

export interface Passed {
  /** Complete lines. */
  bytes: Buffer;
  /** Line breaks in all so far. */
  lines: number;
}

const LF = 10;

/** @returns the last line, without its line break; what was not complete is a part of it */
export async function* allButLastLine(
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<Passed, string> {
  let held: Buffer = Buffer.alloc(0);
  let lines = 0;
  for await (const piece of pieces) {
    const all: Buffer = held.length === 0 ? piece : Buffer.concat([held, piece]);
    const end = all.lastIndexOf(LF);
    const before = end <= 0 ? -1 : all.lastIndexOf(LF, end - 1);
    held = all.subarray(before + 1);
    if (before < 0) continue;
    const bytes = all.subarray(0, before + 1);
    lines += countLines(bytes);
    yield { bytes, lines };
  }
  return held.toString('utf8').replace(/\r?\n$/, '');
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count += 1;
  return count;
}
