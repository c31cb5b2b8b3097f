/** What the rows of an earlier run say about their lead. */
import { describe, expect, it } from '@jest/globals';
import { findLatest } from '../../src/distribution/rows.js';
import { aRow } from '../support/storedRows.js';

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
