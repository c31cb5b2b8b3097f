import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs';

/** A log larger than this is set aside at the next start, bytes. */
const ROTATE_AT_BYTES = 16 * 1024 * 1024;
/** How much of the end of a log is read, bytes. */
const TAIL_BYTES = 64 * 1024;
const LINE_MAX = 400;

/** Keeps one older log, so that logs do not grow without end. */
export function rotateLog(path: string): void {
  if (logSize(path) > ROTATE_AT_BYTES) renameSync(path, `${path}.1`);
}

/** Bytes; 0 when there is no log yet. */
export const logSize = (path: string): number =>
  statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** What was written since the log was `from` bytes long, at most its last 64 KiB. */
export function readLog(path: string, from: number): string {
  if (!existsSync(path)) return '';
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const start = Math.max(from, size - TAIL_BYTES);
    const buffer = Buffer.alloc(Math.max(size - start, 0));
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, start));
  } finally {
    closeSync(file);
  }
}

/** The lines of a log that show why a server did not start: its errors, then its last words. */
export function lastLines(log: string): string[] {
  const lines = log.split('\n').map(readable).filter(Boolean);
  const errors = lines.slice(0, -6).filter((line) => line.startsWith('[error]'));
  return [...errors.slice(-4), ...lines.slice(-6)].map((line) => line.slice(0, LINE_MAX));
}

/** mongod writes JSON (severity `s`: F, E, W, I); other lines stay as they are. */
function readable(line: string): string {
  if (!line.startsWith('{"t"')) return line.trim();
  try {
    const { s, msg, attr } = JSON.parse(line) as { s: string; msg: string; attr?: unknown };
    const detail = attr === undefined ? '' : ` ${JSON.stringify(attr)}`;
    return `${s === 'E' || s === 'F' ? '[error] ' : ''}${msg}${detail}`;
  } catch {
    return line.trim();
  }
}
