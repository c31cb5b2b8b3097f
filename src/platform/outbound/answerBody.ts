/**
 * The bytes of an answer's body as text: unpacked as its Content-Encoding says, decoded by its charset. Every request
 * asks for `identity`, and some servers pack all the same. What comes out decides money, so bytes that cannot be read
 * are reported as unreadable, and never passed on as text.
 */
import { isUtf8 } from 'node:buffer';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { Transform } from 'node:stream';

/** `undecoded`: why the body could not be read; the text is then empty. */
export interface BodyText {
  text: string;
  undecoded?: string;
}

export interface ReceivedBody {
  bytes: Buffer;
  /** The value of Content-Encoding; '' where there is none. */
  encoding: string;
  /** The value of Content-Type; '' where there is none. */
  contentType: string;
  /** The answer went on: its end is missing. */
  isCut: boolean;
}

/** More codings than any server applies; each costs a pass over the body. */
const CODINGS_MAX = 3;

const UNPACKERS = new Map<string, (bytes: Buffer) => Transform>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  // "deflate" is the zlib format (RFC 9110, 8.4.1.2); some servers send it without the zlib header.
  ['deflate', (bytes) => (isZlib(bytes) ? createInflate() : createInflateRaw())],
  ['br', () => createBrotliDecompress()],
]);

/** Whether the body is plain, so that {@link decodeText} alone reads it. */
export const isPlain = (encoding: string): boolean => codingsOf(encoding).length === 0;

/**
 * Never rejects, and never holds more than `maxBytes` of any stage: a small body that unpacks to a huge one is cut
 * there, as a huge plain one is.
 */
export async function decodeBody(body: ReceivedBody, maxBytes: number): Promise<BodyText> {
  const { bytes, encoding, contentType } = body;
  const codings = codingsOf(encoding);
  // An answer without content (204) may carry the header all the same.
  if (bytes.length === 0 || codings.length === 0) return { text: decodeText(bytes, contentType) };
  const unpacked = await unpackAll(body, codings, maxBytes);
  if (Buffer.isBuffer(unpacked)) return { text: decodeText(unpacked, contentType) };
  // A wrong label on text, which intermediaries leave when they unpack, is recognized: packed bytes are no text.
  if (isText(bytes)) return { text: decodeText(bytes, contentType) };
  return { text: '', undecoded: unpacked.failed };
}

/** The codings in the order in which they were applied. */
const codingsOf = (encoding: string): string[] =>
  encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');

async function unpackAll(
  { bytes, isCut }: ReceivedBody,
  codings: readonly string[],
  maxBytes: number,
): Promise<Buffer | { failed: string }> {
  if (codings.length > CODINGS_MAX) return { failed: 'its body is packed too many times' };
  let current: Unpacked = { bytes, isCut };
  for (const coding of codings.toReversed()) {
    const create = UNPACKERS.get(coding);
    if (!create) return { failed: 'its Content-Encoding is none of gzip, deflate and br' };
    const next = await unpack(create(current.bytes), current, maxBytes);
    if (next === null) return { failed: `its body is not valid or not complete ${coding}` };
    current = next;
  }
  return current.bytes;
}

interface Unpacked {
  bytes: Buffer;
  isCut: boolean;
}

/** Null for bytes that are not in the declared coding; of truncated or too long ones, what could be unpacked. */
function unpack(
  unpacker: Transform,
  { bytes, isCut }: Unpacked,
  maxBytes: number,
): Promise<Unpacked | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (isWhole: boolean): void => {
      unpacker.destroy();
      resolve({ bytes: Buffer.concat(chunks).subarray(0, maxBytes), isCut: !isWhole });
    };
    unpacker.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) finish(false);
    });
    unpacker.once('end', () => finish(!isCut));
    unpacker.on('error', () => (isCut && size > 0 ? finish(false) : resolve(null)));
    unpacker.end(bytes);
  });
}

/** The header of RFC 1950: deflate, and a check value of the two bytes. */
const isZlib = (bytes: Buffer): boolean =>
  bytes.length >= 2 && (bytes.readUInt8(0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;

/** Everything below a space but tab, line feed and carriage return. */
// eslint-disable-next-line no-control-regex -- they tell packed bytes from text
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f]/;

const isText = (bytes: Buffer): boolean => isUtf8(bytes) && !CONTROL.test(bytes.toString('latin1'));

// Charsets

const CHARSET = /;\s*charset\s*=\s*"?\s*([^\s";]+)/i;
const UTF_16 = /^utf-?16$/i;
const UTF_8_MARK = { mark: Buffer.from([0xef, 0xbb, 0xbf]), charset: 'utf-8' };
const MARKS = [
  UTF_8_MARK,
  { mark: Buffer.from([0xff, 0xfe]), charset: 'utf-16le' },
  { mark: Buffer.from([0xfe, 0xff]), charset: 'utf-16be' },
];

/** By the charset of the header, else by the byte-order mark, else as UTF-8; without the mark. */
export function decodeText(bytes: Buffer, contentType: string): string {
  const found = MARKS.find(({ mark }) => bytes.subarray(0, mark.length).equals(mark));
  const charset = charsetOf(CHARSET.exec(contentType)?.[1] ?? '', found?.charset ?? 'utf-8');
  // No answer begins with what the mark of UTF-8 means in another charset.
  const isMark = found !== undefined && (found === UTF_8_MARK || found.charset === charset);
  const content = isMark ? bytes.subarray(found.mark.length) : bytes;
  if (charset === 'utf-8') return content.toString('utf8');
  return new TextDecoder(charset, { ignoreBOM: true }).decode(content);
}

function charsetOf(named: string, marked: string): string {
  // "utf-16" leaves the order of the bytes to the mark (RFC 2781, 4.3).
  if (UTF_16.test(named) && marked !== 'utf-8') return marked;
  if (named === '') return marked;
  try {
    return new TextDecoder(named).encoding;
  } catch {
    // No charset that anyone knows.
    return marked;
  }
}
