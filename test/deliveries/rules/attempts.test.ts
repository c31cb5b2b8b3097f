import { describe, expect, it } from '@jest/globals';
import {
  addressOf,
  buyersWithData,
  isOverdue,
  isUnknown,
  mayBeAccepted,
} from '../../../src/deliveries/rules/attempts.js';
import type { TrailEntry } from '../../../src/leads/rules/trail.js';
import type { DeliveryState } from '../../../src/deliveries/store/deliveryDoc.js';
import type {
  DeliveryMethod,
  DeliverySettings,
} from '../../../src/account/rules/deliverySettings.js';
import { aWebhook, commonDelivery } from '../../support/builders.js';
import { after, before, NOW } from '../../support/storedRows.js';

const STATES: DeliveryState[] = [
  ...(['sending', 'parked', 'accepted', 'rejected'] as const),
  ...(['unknown', 'failed', 'abandoned', 'expired'] as const),
];
const rowOf = (state: DeliveryState, unanswered = false) => ({
  state,
  buyer_id: `${state}${unanswered ? ' unanswered' : ''}`,
  ...(unanswered ? { unanswered: true as const } : {}),
});
const ALL = STATES.flatMap((state) => [rowOf(state), rowOf(state, true)]);
const sale = (buyer_id: string) => ({ buyer_id, attempt: 1, price: 1, cost: 0, at: new Date(0) });
const answer = (buyer_id: string, result: 'unknown' | 'not_taken'): TrailEntry => ({
  at: new Date(0),
  step: 'delivery',
  result,
  buyer_id,
});

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

describe('the buyers that may have the data of a lead', () => {
  it('are all it was sent to, except buyers known to have refused it or not to have been reached', () => {
    expect(buyersWithData({ sales: [], trail: [] }, ALL)).toEqual([
      'sending',
      'sending unanswered',
      'parked unanswered',
      'accepted',
      'accepted unanswered',
      'unknown',
      'unknown unanswered',
      'failed unanswered',
      'abandoned',
      'abandoned unanswered',
      'expired unanswered',
    ]);
  });

  it('are those that bought it, and those that a trail names as unanswered where their rows do not', () => {
    const trail = [answer('old', 'unknown'), answer('no', 'unknown'), answer('down', 'not_taken')];
    const rows = [
      { state: 'expired', buyer_id: 'old' } as const,
      { state: 'rejected', buyer_id: 'no' } as const,
      { state: 'failed', buyer_id: 'down' } as const,
    ];
    expect(buyersWithData({ sales: [sale('bought')], trail }, rows)).toEqual(['bought', 'old']);
  });
});

describe('a delivery', () => {
  it('is unknown while the result of a request is unknown, also while it waits to be sent again', () => {
    const unknown = ALL.filter(isUnknown).map(({ buyer_id }) => buyer_id);
    expect(unknown).toEqual(['parked unanswered', 'unknown', 'unknown unanswered']);
    const kept = ALL.filter(mayBeAccepted).map(({ buyer_id }) => buyer_id);
    expect(kept).toEqual(['sending', 'sending unanswered', ...unknown]);
  });

  it('has another destination when the method or the address is another', () => {
    const delivery = aWebhook({ url: 'https://a.example/' });
    const mail: DeliverySettings<'EMAIL'> = {
      ...commonDelivery,
      method: 'EMAIL',
      to: ['a@x.example'],
      cc: [],
      subject: null,
      format: 'text',
      template: null,
      attach_json: false,
    };
    const sheet: DeliverySettings<'GOOGLE_SHEET'> = {
      ...commonDelivery,
      method: 'GOOGLE_SHEET',
      spreadsheet_id: 's',
      sheet: null,
      columns: null,
    };
    const byMethod: { [M in DeliveryMethod]: DeliverySettings<M>[] } = {
      WEBHOOK: [delivery, aWebhook({ url: 'https://b.example/' })],
      EMAIL: [mail, { ...mail, cc: ['b@x.example'] }],
      GOOGLE_SHEET: [sheet, { ...sheet, sheet: 'Two' }],
      STORE: [{ ...commonDelivery, method: 'STORE' }],
    };
    const places = Object.values(byMethod).flat<DeliverySettings[][]>();
    expect(new Set(places.map(addressOf)).size).toBe(places.length);
    expect(addressOf(aWebhook({ url: 'https://a.example/', timeout_ms: 9 }))).toBe(
      addressOf(delivery),
    );
  });
});
