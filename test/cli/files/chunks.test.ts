import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chunksOf } from '../../../cli/files/chunks.js';
import { allButLastLine } from '../../../cli/files/wholeLines.js';

async function* cut(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size)
    yield await Promise.resolve(bytes.subarray(at, at + size));
}

const collected = async <T>(all: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const one of all) found.push(one);
  return found;
};

const chunks = (text: string, most: number, size = 7) => collected(chunksOf(cut(text, size), most));

describe('the chunks of a file', () => {
  it('have its header, and each line once, however its bytes arrive', async () => {
    const lines = Array.from({ length: 50 }, (_, n) => `+1555123${4000 + n}`);
    const found = await chunks(`phone\r\n${lines.join('\r\n')}\r\n`, 120);
    expect(found.length).toBeGreaterThan(3);
    expect(found.map(({ number }) => number)).toEqual(found.map((_, at) => at));
    expect(found.flatMap(({ csv }) => csv.trimEnd().split('\n').slice(1))).toEqual(lines);
    expect(await chunks(`phone\n${lines.join('\n')}`, 120, 1_000)).toMatchObject(
      found.map(({ csv, firstLine }) => ({ csv, firstLine })),
    );
    expect(found.every(({ csv }) => csv.startsWith('phone\n'))).toBe(true);
  });

  it('keep a quoted cell together, say where their first line is, and end with an open quote', async () => {
    const [first, second] = await chunks('name,phone\n"A\nB",1\nC,2\n', 34);
    expect(first?.csv).toBe('name,phone\n"A\nB",1\n');
    expect(second).toMatchObject({ csv: 'name,phone\nC,2\n', firstLine: 4 });
    const open = await chunks(`phone\n"${'x\n'.repeat(200)}`, 60);
    expect(open.length).toBeGreaterThan(5);
  });

  it('have the line that names the separator, and of an empty file there is none', async () => {
    const [first] = await chunks('sep=;\nphone;name\n1;A\n', 1_000);
    expect(first).toMatchObject({ csv: 'sep=;\nphone;name\n1;A\n', firstLine: 2 });
    expect(await chunks('', 100)).toEqual([]);
    expect(await chunks('\n\n', 100)).toEqual([]);
    expect(await chunks('phone', 100)).toMatchObject([{ number: 0, csv: 'phone\n' }]);
  });

  it('fit into a call, whatever the lines hold', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary', maxLength: 30 })), async (lines) => {
        const text = `phone\n${lines.join('\n')}`;
        for (const { csv } of await chunks(text, 400))
          expect(Buffer.byteLength(JSON.stringify(csv))).toBeLessThan(1_200);
      }),
    ));
});

describe('all lines but the last', () => {
  it('are passed on as they come, and the last is returned', async () => {
    for (const size of [1, 3, 100]) {
      const lines = allButLastLine(cut('a\nbb\nccc\n#end 3\n', size));
      let passed = '';
      let next = await lines.next();
      for (; !next.done; next = await lines.next()) passed += next.value.bytes.toString();
      expect([passed, next.value]).toEqual(['a\nbb\nccc\n', '#end 3']);
    }
  });

  it('show a stream that was cut within a line', async () => {
    const lines = allButLastLine(cut('a\nbb\ncc', 3));
    let next = await lines.next();
    while (!next.done) next = await lines.next();
    expect(next.value).not.toMatch(/^#end/);
  });
});
