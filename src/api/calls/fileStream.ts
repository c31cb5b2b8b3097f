/** Answers that are streamed: whoever does not read them, or is gone, ends them. */
import type { Readable } from 'node:stream';

/** The pieces, of which the first has been read already. */
export async function* following<T>(
  first: IteratorResult<T>,
  pieces: AsyncGenerator<T>,
): AsyncGenerator<T> {
  if (!first.done) yield first.value;
  yield* pieces;
}

/** Ends a stream that is no longer read: its client has gone, or only occupies its place. */
export function endStalled(body: Readable, stalledMs: number, ended: () => void): void {
  const timer = setTimeout(() => {
    ended();
    body.destroy(new Error('it was not read'));
  }, stalledMs).unref();
  const read = body._read.bind(body);
  body._read = (size) => {
    timer.refresh();
    read(size);
  };
  body.once('close', () => clearTimeout(timer));
}
