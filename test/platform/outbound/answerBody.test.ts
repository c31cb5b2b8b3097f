import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { decodeBody, decodeText, isPlain } from '../../../src/platform/outbound/answerBody.js';

const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const LIMIT = 64 * 1024;
const TEXT = '{"status":"accepted","name":"Zoë"}';
const plain = Buffer.from(TEXT);
const [gz, br, zlib] = [gzipSync(plain), brotliCompressSync(plain), deflateSync(plain)];

const read = (bytes: Buffer, encoding: string, more: { isCut?: boolean; type?: string } = {}) => {
  const { isCut = false, type: contentType = 'application/json' } = more;
  return decodeBody({ bytes, encoding, contentType, isCut }, LIMIT);
};

describe('a packed body', () => {
  it.each<[string, Buffer, string]>([
    ['gzip', gz, 'gzip'],
    ['gzip under its old name', gz, 'x-gzip'],
    ['gzip in capitals and spaces', gz, '  GZip '],
    [
      'gzip of several members',
      Buffer.concat([gzipSync('{"status":"accepted",'), gzipSync('"name":"Zoë"}')]),
      'gzip',
    ],
    ['gzip with zeros behind it', Buffer.concat([gz, Buffer.alloc(20)]), 'gzip'],
    ['gzip that is stored, not packed', gzipSync(plain, { level: 0 }), 'gzip'],
    ['deflate', zlib, 'deflate'],
    ['deflate of the lowest level', deflateSync(plain, { level: 1 }), 'deflate'],
    ['deflate without its zlib header', deflateRawSync(plain), 'deflate'],
    ['brotli', br, 'br'],
    ['two codings', brotliCompressSync(gz), 'gzip, br'],
    ['three codings', gzipSync(deflateSync(br)), 'br,deflate,gzip'],
    ['a coding beside identity', gz, 'identity, gzip'],
    ['empty names of codings', gz, ' , gzip,'],
  ])('is unpacked: %s', async (_, bytes, encoding) => {
    expect(await read(bytes, encoding)).toEqual({ text: TEXT });
  });

  it.each<[string, Buffer, string]>([
    ['gzip that an intermediary unpacked', plain, 'gzip'],
    ['deflate that is plain', plain, 'deflate'],
    ['brotli that is plain', plain, 'br'],
    ['the name of a charset', plain, 'UTF-8'],
    ['none', plain, 'none'],
    ['a transfer coding', plain, 'chunked'],
    ['too many codings of plain text', plain, 'gzip, gzip, gzip, gzip'],
  ])('is read as it is where only its label is wrong: %s', async (_, bytes, encoding) => {
    expect(await read(bytes, encoding)).toEqual({ text: TEXT });
  });

  const isWrong = (coding: string) => `its body is not valid or not complete ${coding}`;
  it.each<[string, Buffer, string, string]>([
    ['gzip without its end', gz.subarray(0, -12), 'gzip', isWrong('gzip')],
    ['gzip without its check value', gz.subarray(0, -8), 'gzip', isWrong('gzip')],
    ['gzip without all but its header', gz.subarray(0, 10), 'gzip', isWrong('gzip')],
    ['gzip with a damaged byte', damaged(gz, 14), 'gzip', isWrong('gzip')],
    ['gzip with a wrong check value', damaged(gz, gz.length - 6), 'gzip', isWrong('gzip')],
    [
      'gzip with garbage behind it',
      Buffer.concat([gz, Buffer.from('\r\n')]),
      'gzip',
      isWrong('gzip'),
    ],
    ['deflate without its end', zlib.subarray(0, -6), 'deflate', isWrong('deflate')],
    ['brotli without its end', br.subarray(0, -3), 'br', isWrong('br')],
    ['gzip that is said to be brotli', gz, 'br', isWrong('br')],
    ['brotli in gzip that is said to be gzip twice', gzipSync(br), 'gzip, gzip', isWrong('gzip')],
    [
      'zstd',
      zstdCompressSync(plain),
      'zstd',
      'its Content-Encoding is none of gzip, deflate and br',
    ],
    [
      'an unknown coding',
      Buffer.from([0x1f, 0x9d, 0x90, 0x7b]),
      'compress',
      'its Content-Encoding is none of gzip, deflate and br',
    ],
    [
      'four codings',
      gzipSync(gzipSync(gzipSync(gz))),
      'gzip, gzip, gzip, gzip',
      'its body is packed too many times',
    ],
  ])('that cannot be read is empty, and says why: %s', async (_, bytes, encoding, undecoded) => {
    expect(await read(bytes, encoding)).toEqual({ text: '', undecoded });
  });

  it.each(['gzip', 'br', 'zstd', 'gzip, gzip, gzip, gzip'])(
    'may be empty: %s',
    async (encoding) => {
      expect(await read(Buffer.alloc(0), encoding)).toEqual({ text: '' });
    },
  );

  const huge = Buffer.alloc(1024 * 1024, 'x');
  it.each<[string, Buffer, string]>([
    ['gzip', gzipSync(huge), 'gzip'],
    ['deflate', deflateSync(huge), 'deflate'],
    ['brotli', brotliCompressSync(huge, FAST), 'br'],
    ['gzip in gzip', gzipSync(gzipSync(huge)), 'gzip, gzip'],
    ['many members of gzip', Buffer.concat(Array<Buffer>(128).fill(gzipSync(huge))), 'gzip'],
  ])(
    'that is huge when unpacked is cut at the limit, without being unpacked: %s',
    async (_, bomb, encoding) => {
      const costs: number[] = [];
      for (let time = 0; time < 5; time += 1) {
        const from = process.cpuUsage();
        const { text, undecoded } = await read(bomb, encoding);
        const { user, system } = process.cpuUsage(from);
        expect([text.length, undecoded]).toEqual([LIMIT, undefined]);
        costs.push((user + system) / 1_000);
      }
      // To unpack the last one takes over 150 ms each time; a single time may be that of another thread.
      expect(Math.min(...costs)).toBeLessThan(80);
    },
  );

  it('whose end was cut off here is read as far as it goes', async () => {
    const long = gzipSync('abc'.repeat(3_000));
    const { text, undecoded } = await read(long.subarray(0, -9), 'gzip', { isCut: true });
    expect([text.slice(0, 6), undecoded]).toEqual(['abcabc', undefined]);
    expect(await read(plain, 'gzip', { isCut: true })).toEqual({ text: TEXT });
  });

  it('is decoded by its charset once it is unpacked', async () => {
    const latin = gzipSync(Buffer.from(TEXT, 'latin1'));
    expect(await read(latin, 'gzip', { type: 'text/plain; charset=iso-8859-1' })).toEqual({
      text: TEXT,
    });
    const marked = gzipSync(Buffer.from(`\uFEFF${TEXT}`, 'utf16le'));
    expect(await read(marked, 'gzip')).toEqual({ text: TEXT });
  });
});

it.each([
  ['', true],
  ['identity', true],
  [' Identity , ', true],
  ['gzip', false],
  ['identity, br', false],
  ['utf-8', false],
])('a body with the Content-Encoding %j is plain: %s', (encoding, expected) => {
  expect(isPlain(encoding)).toBe(expected);
});

describe('the charset of a body', () => {
  const big = Buffer.from(TEXT, 'utf16le').swap16();
  const little = Buffer.from(TEXT, 'utf16le');
  const marked = (mark: number[], bytes: Buffer) => Buffer.concat([Buffer.from(mark), bytes]);
  it.each<[string, Buffer, string]>([
    ['UTF-8 where nothing is said', plain, 'application/json'],
    ['UTF-8 without any type', plain, ''],
    ['that of the header', plain, 'application/json; charset=utf-8'],
    ['that of the header, quoted', plain, 'application/json;charset="UTF8"'],
    ['that of the header among other parameters', plain, 'text/html; v=1; Charset = utf-8 ; x=y'],
    ['Latin-1', Buffer.from(TEXT, 'latin1'), 'text/xml; charset=ISO-8859-1'],
    ['Windows-1252', Buffer.from(TEXT, 'latin1'), 'text/plain;charset=windows-1252'],
    ['UTF-16 as the header orders it', little, 'application/json; charset=utf-16le'],
    ['UTF-16 as the header orders it, the other way', big, 'application/json; charset=UTF-16BE'],
    ['UTF-16 in the order of its mark', marked([0xfe, 0xff], big), 'text/plain; charset=utf-16'],
    [
      'UTF-16 in the order of its mark, the other way',
      marked([0xff, 0xfe], little),
      'text/plain; charset=UTF-16',
    ],
    ['UTF-16 without a mark', little, 'text/plain; charset=utf-16'],
    ['that of the mark where the header says nothing', marked([0xff, 0xfe], little), 'text/plain'],
    ['that of the mark, the other way', marked([0xfe, 0xff], big), ''],
    ['that of the mark of UTF-8', marked([0xef, 0xbb, 0xbf], plain), 'application/json'],
    [
      'that of the mark where the header says the same',
      marked([0xef, 0xbb, 0xbf], plain),
      'text/plain; charset=utf-8',
    ],
    [
      'UTF-8 where the header names none that exists',
      plain,
      'application/json; charset=binary-none',
    ],
    [
      'that of the mark where the header names none that exists',
      marked([0xff, 0xfe], little),
      'a/b; charset=x-own',
    ],
    [
      'the header against the mark of UTF-8',
      marked([0xef, 0xbb, 0xbf], Buffer.from(TEXT, 'latin1')),
      'text/plain; charset=latin1',
    ],
    ['UTF-8 where the charset is empty', plain, 'application/json; charset='],
  ])('is %s', (_, bytes, type) => {
    expect(decodeText(bytes, type)).toBe(TEXT);
  });

  it('is the header before the mark', () => {
    expect(decodeText(marked([0xff, 0xfe], little), 'text/plain; charset=iso-8859-1')).toMatch(
      /^ÿþ\{/,
    );
  });

  it('keeps bytes that are no UTF-8 visible as such', () => {
    expect(decodeText(Buffer.from([0x61, 0xff, 0x62]), '')).toBe('a\uFFFDb');
  });
});

function damaged(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 0xff, at);
  return copy;
}
