import { describe, expect, it } from '@jest/globals';
import { recordsIn } from '../../../src/account/rules/auditRecords.js';

const A = '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11';
const B = '0b0a4b5e-3f0e-4c5f-8f0a-6a2b4d1c9e11';

describe('the records of a call', () => {
  it('are the ids in its input and its result, each once', () => {
    const made = { id: B, name: 'X', person: { id: 'per_3f9a60c17a3d4a539a510f2b' } };
    expect(recordsIn({ campaign_id: A, buyer_ids: [A, B] }, made)).toEqual([
      A,
      B,
      'per_3f9a60c17a3d4a539a510f2b',
    ]);
  });

  it('are no values that callers name themselves, and none under other keys', () => {
    expect(recordsIn({ click_id: 'mia@example.com', note: A, ids: null }, null, 'text')).toEqual(
      [],
    );
  });

  it('are bounded, and not looked for in lists of results', () => {
    const many = Array.from({ length: 80 }, (_, n) => A.slice(0, -2) + String(n + 10));
    expect(recordsIn({ lead_ids: many })).toHaveLength(50);
    expect(recordsIn({ report: [{ lead_id: A }] }, { a: { b: { id: A } } })).toEqual([]);
  });
});
