import { readFileSync, statSync } from 'node:fs';

/**
 * Reads a small local file as it is now: parses it again when its time, size or inode changes, and does not read it
 * otherwise. A missing or unreadable file is empty. Synchronous, on this thread: the others may all be held.
 */
export function watchedFile<T>(path: string, parse: (text: string) => T): () => T {
  let kept: { mark: string; value: T } | null = null;
  return () => {
    const mark = markOf(path);
    kept = kept?.mark === mark ? kept : { mark, value: parse(textOf(path)) };
    return kept.value;
  };
}

function markOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return [mtimeMs, size, ino].join(' ');
  } catch {
    return '';
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
