import { describe, expect, it } from '@jest/globals';
import type { QueueCommand } from '../../workflows/queueCommands.js';
import { describeQueue } from '../../workflows/details.js';
import type { BacklogView, QueueRequest } from '../../workflows/messages.js';
import { problemOf } from '../../workflows/requests.js';

describe('problemOf', () => {
  it.each<[QueueCommand, QueueRequest | undefined]>([
    ['retry', { lead_id: null }],
    ['retry', undefined],
    ['hold', { lead_id: 'a lead' }],
    ['drop', { lead_id: null }],
    ['resolve', { lead_id: 'a lead', result: 'accepted' }],
    ['resolve', { lead_id: 'a lead', result: 'rejected' }],
  ])('accepts %s %j', (action, request) => {
    expect(problemOf(action, request)).toBeNull();
  });

  it.each<[QueueCommand, unknown, RegExp]>([
    ['retry', { lead_id: 7 }, /^lead_id must be a lead's id, a text of 1 to 100 characters/],
    ['hold', { lead_id: '' }, /^lead_id must be/],
    ['drop', { lead_id: 'x'.repeat(101) }, /^lead_id must be/],
    ['retry', { lead_id: { $ne: null } }, /^lead_id must be/],
    ['drop', { lead_id: 'a', result: 'accepted' }, /^result is only for resolve; drop has/],
    ['resolve', { lead_id: null, result: 'accepted' }, /^lead_id is required/],
    ['resolve', { lead_id: 'a' }, /^result must be accepted .* or rejected/],
    ['resolve', { lead_id: 'a', result: 'perhaps' }, /^result must be accepted/],
  ])('says what is wrong with %s %j', (action, request, problem) => {
    expect(problemOf(action, request as QueueRequest)).toMatch(problem);
  });
});

describe('describeQueue', () => {
  const view: BacklogView = {
    parked: 12,
    held: 2,
    unknown: 10_000,
    limit: 10_000,
    all_held: false,
    oldest: '2026-11-21T12:00:00.000Z',
    next: '2026-11-21T13:00:00.000Z',
    breaker: 'half-open',
  };
  const drained = { waiting: 10_014, nextInMs: 1, resting: false, sent: 3 };

  it('shows what waits, since when, and what comes next', () => {
    expect(describeQueue({ ...drained, backlog: view })).toBe(
      [
        '**12 waiting**',
        '- held: 2',
        '- unknown: 10000 or more',
        '- oldest since: 2026-11-21T12:00:00.000Z',
        '- next attempt: 2026-11-21T13:00:00.000Z',
        '- breaker: half-open',
        '- sent by the last drain: 3',
      ].join('\n'),
    );
  });

  it('says that all of it is held', () => {
    const held = { ...view, parked: 0, next: null, all_held: true };
    const text = describeQueue({ ...drained, backlog: held });
    expect(text).toContain('**The queue is held by an operator.**');
    expect(text).toContain('next attempt: none');
  });

  it('reads what an older version recorded', () => {
    expect(describeQueue(drained)).toBe('**10014 waiting**\n- sent by the last drain: 3');
    expect(describeQueue({ ...drained, sold: ['a', 'b'] }, 'Acme')).toBe(
      'Acme\n\n**10014 waiting**\n- sent by the last drain: 3, of which sold: 2',
    );
  });
});
