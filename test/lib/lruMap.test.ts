import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { lruMap } from '../../src/lib/lruMap.js';

const MIB = 2 ** 20;

function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

describe('a bounded map', () => {
  it('evicts the least recently used entry', () => {
    const map = lruMap<string, number>(3);
    for (const [key, value] of [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ] as const)
      map.set(key, value);
    expect(map.get('a')).toBe(1);
    map.set('d', 4);
    expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual([1, undefined, 3, 4]);
  });

  it('keeps the sum of weights within the limit, and always the latest entry', () => {
    const map = lruMap<string, string>(10, (text) => text.length);
    map.set('a', 'xxxx');
    map.set('b', 'xxxx');
    map.set('c', 'xxxx');
    expect(['a', 'b', 'c'].map((key) => map.get(key)?.length)).toEqual([undefined, 4, 4]);
    map.set('d', 'x'.repeat(50));
    expect(['b', 'c', 'd'].map((key) => map.get(key)?.length)).toEqual([undefined, undefined, 50]);
    map.set('e', 'x');
    expect(['d', 'e'].map((key) => map.get(key)?.length)).toEqual([undefined, 1]);
  });

  it('evicts the least recently used entries by weight, and keeps the latest', () => {
    const map = lruMap<string, number>(10, (weight) => weight);
    map.set('a', 4);
    map.set('b', 4);
    map.get('a');
    map.set('c', 4);
    expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([4, undefined, 4]);
    map.set('a', 1);
    map.set('d', 5);
    expect(map.get('c')).toBe(4);
    map.set('huge', 50);
    expect(['a', 'c', 'd', 'huge'].map((key) => map.get(key))).toEqual([
      undefined,
      undefined,
      undefined,
      50,
    ]);
    map.delete('huge');
    map.set('e', 10);
    expect(map.get('e')).toBe(10);
  });

  it('replaces and deletes values', () => {
    const map = lruMap<number, string>(2);
    map.set(1, 'a');
    map.set(1, 'b');
    map.set(2, 'c');
    expect([map.get(1), map.get(2)]).toEqual(['b', 'c']);
    map.delete(1);
    expect(map.get(1)).toBeUndefined();
  });

  it('does not grow after a million uses', () => {
    const map = lruMap<number, number>(1_000);
    for (let key = 0; key < 10; key++) map.set(key, key);
    const before = heapUsed();
    for (let n = 0; n < 1_000_000; n++) map.get(n % 10);
    expect(heapUsed() - before).toBeLessThan(5 * MIB);
    expect(map.get(3)).toBe(3);
  });
});
