import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { slimBundle } from '../../../src/platform/temporal/bundle.js';

const MAP = '//# sourceMappingURL=data:application/json;charset=utf-8;base64,';
const bundleOf = (code: string, map: object): string =>
  `${code}\n${MAP}${Buffer.from(JSON.stringify(map)).toString('base64')}`;

describe('a bundle made slim', () => {
  it('behaves the same, in one-byte characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const literal = JSON.stringify(text);
        const slim = slimBundle(bundleOf(`/* … */ [${literal}, /[“🏁]/.test('“')]`, {}));
        expect(slim).not.toMatch(/[^\0-\xff]/);
        expect(runInNewContext(slim)).toEqual([text, true]);
      }),
    );
  });

  it('has the map without the sources', () => {
    const map = { version: 3, sources: ['a—b.js'], mappings: 'AAAA' };
    const slim = slimBundle(bundleOf('1', { ...map, sourcesContent: ['1 // one'] }));
    const [code, encoded = ''] = slim.split(MAP);
    expect(code).toBe('1\n');
    expect(JSON.parse(Buffer.from(encoded, 'base64').toString())).toEqual(map);
  });

  it('needs a source map at its end', () => {
    expect(() => slimBundle('1')).toThrow('has no source map at its end');
  });
});
