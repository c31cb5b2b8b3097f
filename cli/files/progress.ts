/** How far a long command has come, on standard error: one line that changes for a person, or a line now and then. */
import type { Terminal } from '../terminal/terminal.js';

export interface Progress {
  /** @param share of the whole, 0 to 1; null: unknown */
  at(rows: number, share: number | null): void;
  /** Removes the changing line, so that something else can be said. */
  clear(): void;
}

const WATCHED_MS = 500;
const UNWATCHED_MS = 10_000;

/** @param noun what is counted, such as `rows` */
export function createProgress(
  { host, say, isWatched }: Pick<Terminal, 'host' | 'say' | 'isWatched'>,
  noun: string,
  now: () => number = () => performance.now(),
): Progress {
  const every = isWatched ? WATCHED_MS : UNWATCHED_MS;
  const start = now();
  let told = start;
  let first: number | null = null;
  let isShown = false;
  return {
    at(rows, share) {
      first ??= rows;
      if (now() - told < every) return;
      told = now();
      const text = lineOf({ rows, since: rows - first, share, seconds: (told - start) / 1_000 });
      if (!isWatched) {
        say(text);
        return;
      }
      host.stderr.write(`\r\u001B[K${text}`);
      isShown = true;
    },
    clear() {
      if (isShown) host.stderr.write('\r\u001B[K');
      isShown = false;
    },
  };

  function lineOf(at: { rows: number; since: number; share: number | null; seconds: number }) {
    const rate = Math.round(at.since / Math.max(0.001, at.seconds));
    const share = at.share === null ? '' : `, ${Math.floor(at.share * 100)} %`;
    return `${grouped(at.rows)} ${noun}${share}, ${grouped(rate)} a second`;
  }
}

/** A whole number with commas. */
export const grouped = (count: number): string => count.toLocaleString('en-US');
