/** Cuts a long CSV file into chunks that fit into a call: the same file into the same chunks each time. */

/** A part of the file, with its header. */
export interface FileChunk {
  /** From 0. */
  number: number;
  /** The header, and the lines of this chunk. */
  csv: string;
  /** `first_line` of the import: the line of the file that the second line of `csv` counts as. */
  firstLine: number;
  /** Bytes of the file up to the end of this chunk. */
  bytes: number;
}

/** Bytes of a chunk as JSON writes them: a call accepts 256 KiB, with everything around the text. */
const CHUNK_BYTES = 240_000;
/** A quote that is still open this many bytes later was not meant as one. */
const QUOTED_BYTES = 16_000;
/** Longer than any row that is read: the rest of such a line is dropped, and the row is reported. */
const LINE_MAX = 20_000;
/** A first line that names the separator belongs to the header. */
const NAMES_SEPARATOR = /^\uFEFF?sep=[,;\t]\s*$/i;

/**
 * The chunks of a file, one after the other. A line break within quotes ends none.
 * @param source UTF-8; other bytes become replacement characters
 * @param most bytes of a chunk
 */
export async function* chunksOf(
  source: AsyncIterable<Uint8Array>,
  most = CHUNK_BYTES,
): AsyncGenerator<FileChunk> {
  const header: string[] = [];
  let part: Part | null = null;
  let number = 0;
  let line = 0;
  for await (const { text, bytes } of linesOf(source)) {
    line += 1;
    if (!part) {
      if (text.trim() === '') continue;
      header.push(text);
      if (!NAMES_SEPARATOR.test(text)) part = emptyPart(header, line + 1);
      continue;
    }
    const size = sizeOf(text);
    if (part.lines.length > 0 && isFull(part, size, most)) {
      yield chunkOf(part, header, number);
      number += 1;
      part = emptyPart(header, line);
    }
    part.lines.push(text);
    part.size += size;
    part.bytes = bytes;
    if (text.split('"').length % 2 === 0) part.isQuoted = !part.isQuoted;
  }
  if (part) yield chunkOf(part, header, number);
}

interface Part {
  lines: string[];
  /** Line of the file of the first of them. */
  line: number;
  /** Bytes as JSON writes them, with the header. */
  size: number;
  /** Bytes of the file up to the last of them. */
  bytes: number;
  /** A quoted cell goes on in the next line. */
  isQuoted: boolean;
}

const emptyPart = (header: readonly string[], line: number): Part => ({
  lines: [],
  line,
  size: header.reduce((sum, text) => sum + sizeOf(text), 0),
  bytes: 0,
  isQuoted: false,
});

/** Whether a line of this size belongs into the next part. */
const isFull = ({ size, isQuoted }: Part, more: number, most: number): boolean =>
  size + more > (isQuoted ? most + Math.min(QUOTED_BYTES, most) : most);

const chunkOf = (
  { lines, line, bytes }: Part,
  header: readonly string[],
  number: number,
): FileChunk => ({
  number,
  csv: [...header, ...lines, ''].join('\n'),
  firstLine: Math.max(2, line - header.length + 1),
  bytes,
});

const sizeOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) + 2;

interface Line {
  text: string;
  /** Bytes of the source that are read by now. */
  bytes: number;
}

/** Lines end with LF, CRLF or CR. */
async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = '';
  let bytes = 0;
  for await (const piece of source) {
    bytes += piece.length;
    // A CR at the end may be half of a CRLF.
    const lines = (rest + decoder.decode(piece, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = (lines.pop() ?? '').slice(0, LINE_MAX + 1);
    for (const text of lines) yield { text: kept(text), bytes };
  }
  const last = (rest + decoder.decode()).replace(/\r$/, '');
  if (last !== '') yield { text: kept(last), bytes };
}

/** The text as a call accepts it: no text of JSON has a NUL that a database keeps. */
const kept = (text: string): string => text.slice(0, LINE_MAX).replaceAll('\0', '');
