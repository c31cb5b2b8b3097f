import type { Accepted } from './report.js';

/** Changes of a rule that no test can or should notice. An entry holds while the line has the same text. */
export const ACCEPTED: readonly Accepted[] = [
  {
    file: 'src/api/actions/access.ts',
    original: "kind === 'read'",
    replacement: 'true',
    reason: 'A needed write that is missing is not among the permissions as a write either.',
  },
  {
    file: 'src/api/actions/access.ts',
    original: 'found.expires_at?.toISOString',
    replacement: 'found.expires_at.toISOString',
    reason: 'A key that was not revoked and is not live has expired, so it has that time.',
  },
  {
    file: 'src/api/actions/access.ts',
    original: "''",
    replacement: '"Stryker was here!"',
    reason: 'A key that was not revoked and is not live has expired, so it has that time.',
  },
  {
    file: 'src/routing/rules/routing.ts',
    original: 'first < second',
    replacement: 'first <= second',
    reason: 'The two differ there.',
  },
  {
    file: 'src/routing/rules/routing.ts',
    original: 'a.buyer_id === b.buyer_id',
    replacement: 'false',
    reason: 'A plan has each buyer once.',
  },
  {
    file: 'src/routing/rules/routing.ts',
    original: 'a.buyer_id < b.buyer_id',
    replacement: 'a.buyer_id <= b.buyer_id',
    reason: 'A plan has each buyer once.',
  },
  {
    file: 'src/routing/rules/turns.ts',
    original: 'a.buyer_id < b.buyer_id',
    replacement: 'a.buyer_id <= b.buyer_id',
    reason: 'A plan has each buyer once.',
  },
  {
    file: 'src/routing/rules/turns.ts',
    original: '() => false',
    replacement: '() => undefined',
    reason: 'It is only asked whether they are equal.',
    times: 2,
  },
  {
    file: 'src/routing/rules/turns.ts',
    original: 'end < 0',
    replacement: 'end <= 0',
    reason: 'The end is after the n-th, so it is never 0.',
  },
  {
    file: 'src/routing/rules/distribute.ts',
    original: 'walk.candidates.length === 0',
    replacement: 'false',
    reason: 'It spares the reading of turns: of no candidates none is chosen.',
  },
  {
    file: 'src/routing/rules/distribute.ts',
    original: 'sharesTurns(plan)',
    replacement: 'true',
    reason: 'It spares the reading of turns: without equals they change no order.',
  },
];
