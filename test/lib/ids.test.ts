import { describe, expect, it } from '@jest/globals';
import { normalizedId, timeOfId, timeOrderedId } from '../../src/lib/ids.js';

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
    expect(timeOfId(timeOrderedId(at))).toBe(Number(at));
  });

  it.each(['', 'lead', '0ae5f0b8-6f0a-4c5e-9c0e-3f9f0f6a1b2c', '01a2156e0b3c'])(
    'are distinguished from an id without a time: %p',
    (id) => expect(timeOfId(id)).toBeNull(),
  );
});

describe('an id that was sent', () => {
  it('is found in upper case too, and other text stays as it is', () => {
    const id = timeOrderedId();
    expect(normalizedId(id.toUpperCase())).toBe(id);
    expect(['Ada', '', 'FUN_1'].map(normalizedId)).toEqual(['Ada', '', 'FUN_1']);
  });
});
