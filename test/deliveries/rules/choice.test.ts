import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import {
  chooseDestination,
  chooseEvent,
  chooseQueue,
  chooseRow,
  type WaitingRow,
} from '../../../src/deliveries/rules/choice.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import type { DestinationDoc } from '../../../src/deliveries/store/destinationDoc.js';
import { aBuyer, aWebhook } from '../../support/builders.js';
import { after, aRow, before, NOW } from '../../support/storedRows.js';

const CHECK = after(60_000);
const OPENS = after(3_600_000);

const deliveryOf = (honours_idempotency_key: boolean) => aWebhook({ honours_idempotency_key });
const row = aRow({ _id: 'lead:1', state: 'parked' });
const unanswered = { ...row, unanswered: true as const };
const waitingRow = (overrides: Partial<WaitingRow> = {}): WaitingRow => ({
  row,
  rows: [overrides.row ?? row],
  planned: aBuyer({ delivery: deliveryOf(true) }),
  current: aBuyer({ delivery: deliveryOf(true) }),
  barredBy: undefined,
  opensAt: null,
  checkAt: CHECK,
  ...overrides,
});
const withOther = (other: Partial<DeliveryDoc>, one = row) => ({
  row: one,
  rows: [one, aRow({ _id: 'lead:2', n: 2, ...other })],
});

const SEND = { kind: 'send' };
const later = (reason: string, at = CHECK) => ({ kind: 'later', reason, at });
const current = aBuyer({ delivery: deliveryOf(false) });

describe('a row of a buyer that a drain has acquired', () => {
  it.each<[string, Partial<WaitingRow>, object]>([
    ['is sent', {}, SEND],
    ['is sent where another attempt has ended', withOther({ state: 'rejected' }), SEND],
    ['is sent again to a buyer that honors the key', { row: unanswered }, SEND],
    ['waits until its buyer opens', { opensAt: OPENS }, later('closed', OPENS)],
    ['waits while its buyer is paused', { barredBy: 'paused' }, later('paused')],
    [
      'waits at least until its buyer opens, where it is paused too',
      { barredBy: 'paused', opensAt: OPENS },
      later('paused', OPENS),
    ],
    [
      'is stranded where its buyer may have it and honors the key no longer',
      { row: unanswered, current },
      { kind: 'stranded' },
    ],
    [
      'is stranded whether or not its buyer is open and active',
      { row: unanswered, current, opensAt: OPENS, barredBy: 'paused' },
      { kind: 'stranded' },
    ],
    [
      'waits while another buyer may have the lead',
      withOther({ state: 'unknown' }),
      later('open_elsewhere'),
    ],
    [
      'is not stranded while another buyer may have the lead',
      { ...withOther({ state: 'unknown' }, unanswered), current },
      later('open_elsewhere'),
    ],
    [
      'waits for an attempt that may still be answered',
      withOther({ state: 'sending', answer_by: after(1) }),
      later('open_elsewhere'),
    ],
    [
      'is left to the run that resumes an attempt which can no longer be answered',
      withOther({ state: 'sending', answer_by: before(1) }),
      { kind: 'left', at: CHECK },
    ],
    [
      'is left, and checked again when its buyer opens',
      { ...withOther({ state: 'sending', answer_by: before(1) }), opensAt: OPENS },
      { kind: 'left', at: OPENS },
    ],
  ])('%s', (_what, waiting, choice) => {
    expect(chooseRow(waitingRow(waiting), NOW)).toEqual(choice);
  });

  const state = fc.constantFrom<DeliveryDoc['state']>(
    ...(['sending', 'parked', 'accepted', 'rejected'] as const),
    ...(['unknown', 'failed', 'abandoned', 'expired'] as const),
  );
  const other = fc.record({
    state,
    answer_by: fc.constantFrom(before(1), after(1)),
    unanswered: fc.constantFrom(undefined, true as const),
  });

  it('is only sent when no other buyer may have its lead, and its buyer is open and may have it', () => {
    const facts = fc.record({
      others: fc.array(other, { maxLength: 3 }),
      isUnanswered: fc.boolean(),
      honors: fc.boolean(),
      barredBy: fc.constantFrom(undefined, 'paused', 'suppressed'),
      opensAt: fc.constantFrom(null, OPENS),
    });
    fc.assert(
      fc.property(facts, ({ others, isUnanswered, honors, barredBy, opensAt }) => {
        const one = isUnanswered ? unanswered : row;
        const rows = [one, ...others.map((two, n) => aRow({ _id: `lead:${n + 2}`, ...two }))];
        const now = aBuyer({ delivery: deliveryOf(honors) });
        const waiting = waitingRow({ row: one, rows, current: now, barredBy, opensAt });
        const choice = chooseRow(waiting, NOW);
        const mayBeElsewhere = others.some(
          (two) =>
            ['sending', 'unknown'].includes(two.state) ||
            (two.state === 'parked' && two.unanswered === true),
        );
        const mayBeSent =
          !mayBeElsewhere && (!isUnanswered || honors) && barredBy === undefined && !opensAt;
        expect(choice.kind === 'send').toBe(mayBeSent);
        expect(choice.kind === 'stranded').toBe(!mayBeElsewhere && isUnanswered && !honors);
        if ('at' in choice) expect(choice.at).toEqual(opensAt ?? CHECK);
      }),
    );
  });
});

const aDestination = (overrides: Partial<DestinationDoc>): DestinationDoc => ({
  _id: 'buyer',
  org_id: 'org',
  awake: true,
  awake_at: NOW,
  failures: 0,
  pauses: 0,
  open_until: null,
  retry_at: null,
  ...overrides,
});

describe('a queue', () => {
  it.each<[string, Partial<DestinationDoc>, object]>([
    ['of a healthy destination is sent', {}, SEND],
    ['is sent when its cooldown is over', { open_until: NOW, retry_at: before(1) }, SEND],
    [
      'rests until both the breaker and the pace allow it',
      { open_until: after(1), retry_at: after(2) },
      later('breaker_open', after(2)),
    ],
    ['that is held is checked again', { held: true }, later('held', after(30_000))],
    [
      'that is held is checked before its cooldown ends',
      { held: true, open_until: OPENS },
      later('held', after(30_000)),
    ],
    ['that is held is sent where an operator asks for a row', { held: true, asked: ['r'] }, SEND],
  ])('%s', (_what, destination, choice) => {
    expect(chooseQueue(aDestination(destination), NOW)).toEqual(choice);
  });

  it('of a destination that was never used is sent', () => {
    expect(chooseQueue(undefined, NOW)).toEqual(SEND);
  });
});

describe('a destination', () => {
  it.each([
    ['is sent to', {}, SEND],
    ['is sent to after its cooldown', { restsUntil: NOW }, SEND],
    ['is sent to no earlier', { restsUntil: OPENS }, later('breaker_open', OPENS)],
    ['opens first, then rests', { opensAt: OPENS, restsUntil: after(1) }, later('closed', OPENS)],
  ])('%s', (_what, facts, choice) => {
    expect(chooseDestination(facts, NOW)).toEqual(choice);
  });
});

describe('an event', () => {
  it.each([
    ['that is the next of its lead is sent', undefined, SEND],
    [
      'comes right after the one before it',
      { due_at: OPENS },
      later('event_ahead', new Date(Number(OPENS) + 1)),
    ],
    [
      'is left to the run that sends the one before it',
      { due_at: OPENS, run: 'r' },
      { kind: 'left' },
    ],
  ])('%s', (_what, ahead, choice) => {
    expect(chooseEvent(ahead)).toEqual(choice);
  });
});
