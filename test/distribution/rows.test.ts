/** What the rows of an earlier run say about their lead. */
import { describe, expect, it } from '@jest/globals';
import { findLatest, isOverdue } from '../../src/distribution/rows.js';
import { after, aRow, before, NOW } from '../support/storedRows.js';

describe('a row that is being sent', () => {
  it.each([
    ['before its answer is due', after(1), false],
    ['at the instant when it is due', NOW, true],
    ['later', before(1), true],
  ])('can be answered until its answer is due: %s', (_when, answer_by, isOver) => {
    expect(isOverdue({ state: 'sending', answer_by }, NOW)).toBe(isOver);
    expect(isOverdue({ state: 'parked', answer_by }, NOW)).toBe(false);
  });
});

describe('the row that decides its lead', () => {
  const rows = [
    aRow({ _id: 'lead:1', state: 'accepted' }),
    aRow({ _id: 'lead:2', state: 'parked' }),
    aRow({ _id: 'lead:3', state: 'accepted' }),
  ];

  it.each([
    ['is the latest sale, once it has all that its plan allows', 2, 'lead:3'],
    ['is the one that waits, while it may be sold once more', 3, 'lead:2'],
  ])('%s', (_which, maxSells, id) => {
    expect(findLatest(rows, maxSells)?._id).toBe(id);
  });
});
