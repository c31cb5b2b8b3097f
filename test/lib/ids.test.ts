import { describe, expect, it } from '@jest/globals';
import { timeOrderedId } from '../../src/lib/ids.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('ids that begin with the time', () => {
  it('are UUIDs of version 7, no two the same', () => {
    const ids = Array.from({ length: 10_000 }, () => timeOrderedId());
    expect(ids.filter((id) => !UUID_V7.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('sort in order of creation, also within a millisecond', () => {
    const ids = Array.from({ length: 10_000 }, () => timeOrderedId());
    expect(ids).toEqual(ids.toSorted());
  });

  it('have the given time', () => {
    const at = new Date('2026-11-21T10:00:00.123Z');
    const hex = timeOrderedId(at).replaceAll('-', '').slice(0, 12);
    expect(new Date(Number.parseInt(hex, 16))).toEqual(at);
  });
});
