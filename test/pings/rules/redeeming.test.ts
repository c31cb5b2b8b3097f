import { describe, expect, it } from '@jest/globals';
import { pingDigests } from '../../../src/pings/rules/digests.js';
import {
  judgeRedeeming,
  type RedeemablePing,
  type RedeemingInput,
} from '../../../src/pings/rules/redeeming.js';
import type { EarlierLead } from '../../../src/leads/rules/resend.js';
import { after, aLead, before, NOW } from '../../support/storedRows.js';

const hash = (text: string): string => `h(${text})`;
const fields = { state: 'CA', zip_code: '94103' };
const lead = aLead({ _id: 'mine', body_hash: 'body', fields: { ...fields, first_name: 'Ada' } });
const ping = (more: Partial<RedeemablePing> = {}): RedeemablePing => ({
  _id: 'ping-1',
  state: 'open',
  is_test: false,
  reveal_buyers: true,
  bids: [
    { buyer_id: 'b1', price: 9, net: 7, bid: 7, source: 'live', reference: 'R', latency_ms: 3 },
    { buyer_id: 'b2', price: 8, net: 6, bid: 6, source: 'static' },
  ],
  digests: pingDigests(fields, hash),
  expires_at: after(1),
  ...more,
});
const used = (more: Partial<RedeemablePing> = {}) =>
  ping({ state: 'redeemed', lead_id: 'first', ...more });
const holder = (more: Partial<EarlierLead> = {}): EarlierLead => ({
  ...aLead({ _id: 'first', body_hash: 'other', status: 'ACCEPTED' }),
  answered: false,
  ...more,
});
const judge = (more: Partial<RedeemingInput> = {}) =>
  judgeRedeeming({
    lead,
    claim: { ping_id: 'ping-1' },
    ping: ping(),
    holder: undefined,
    onDifference: 'REFUSE',
    now: NOW,
    hash,
    shown: (id) => id,
    ...more,
  });
const codes = (more: Partial<RedeemingInput>) => {
  const judged = judge(more);
  return judged.kind === 'refused'
    ? judged.errors.map(({ field, code }) => `${field} ${code}`)
    : judged.kind;
};

describe('a ping', () => {
  it('gives the lead that redeems it only the bids it needs', () => {
    expect(judge()).toEqual({
      kind: 'redeems',
      from: null,
      ping: {
        ping_id: 'ping-1',
        reveal_buyers: true,
        bids: [
          { buyer_id: 'b1', price: 9, bid: 7, reference: 'R' },
          { buyer_id: 'b2', price: 8, bid: 6 },
        ],
      },
    });
  });

  it.each<[string, Partial<RedeemingInput>, string]>([
    ['that is not stored', { ping: undefined }, 'invalid'],
    ['that nobody bid for', { ping: ping({ state: 'refused' }) }, 'invalid'],
    ['that was marked as expired', { ping: ping({ state: 'expired' }) }, 'expired'],
    ['whose time is over this moment', { ping: ping({ expires_at: NOW }) }, 'expired'],
    ['whose token is over', { claim: { ping_id: 'ping-1', expired: true } }, 'expired'],
    ['that another lead has', { ping: used(), holder: holder() }, 'already_used'],
    [
      'that an undecided lead has',
      { ping: used(), holder: holder({ status: 'NEW' }) },
      'already_used',
    ],
    [
      'that a refused lead has',
      { ping: used(), holder: holder({ status: 'REJECTED' }) },
      'already_used',
    ],
    [
      'of a lead that was never taken, whose time is over',
      { ping: used({ expires_at: NOW }), holder: holder({ status: 'WITHDRAWN' }) },
      'expired',
    ],
  ])('%s is refused', (_name, input, code) => {
    expect(codes(input)).toEqual([`flo_ping_id ${code}`]);
  });

  it.each<[string, EarlierLead | undefined]>([
    ['was never taken', holder({ status: 'WITHDRAWN' })],
    ['is not stored', undefined],
  ])('is taken over from a lead that %s', (_name, first) => {
    expect(judge({ ping: used(), holder: first })).toMatchObject({
      kind: 'redeems',
      from: 'first',
    });
  });

  const same = { body_hash: 'body' };
  it.each<[string, EarlierLead]>([
    ['whose connection broke', holder({ ...same, broken: true })],
    ['that stayed unanswered', holder({ ...same, decided_at: before(6_000) })],
    ['that nobody could tell of', holder({ ...same, status: 'NEW', created_at: before(11_000) })],
  ])('gives its answer to a repeated request of a lead %s', (_name, first) => {
    const resent = { kind: 'resent', lead_id: 'first' };
    expect(judge({ ping: used(), holder: first })).toEqual(resent);
    // Even when it has expired by then.
    const claim = { ping_id: 'ping-1', expired: true as const };
    expect(judge({ ping: used({ expires_at: before(1) }), holder: first, claim })).toEqual(resent);
  });

  it('is not replayed for another body, another supplier, or a received answer', () => {
    const broken = holder({ broken: true });
    expect(codes({ ping: used(), holder: broken })).toEqual(['flo_ping_id already_used']);
    const others = holder({ ...same, broken: true, supplier_id: 'other' });
    expect(codes({ ping: used(), holder: others })).toEqual(['flo_ping_id already_used']);
    expect(codes({ ping: used(), holder: holder({ ...same, answered: true }) })).toEqual([
      'flo_ping_id already_used',
    ]);
  });
});

describe('a lead', () => {
  it('is refused for each field that differs from its ping, and for a differing test flag', () => {
    const other = { ...lead, is_test: true, fields: { state: 'NV', first_name: 'Ada' } };
    expect(codes({ lead: other })).toEqual([
      'test_lead mismatch',
      'state mismatch',
      'zip_code mismatch',
    ]);
    expect(codes({ ping: ping({ is_test: true }) })).toEqual(['test_lead mismatch']);
  });

  it('gets a message that says which value to send', () => {
    const judged = judge({ lead: { ...lead, fields: {} } });
    expect(judged).toMatchObject({
      errors: [
        {
          message:
            'state differs from the ping. Post the value of the ping, or ping again with this value',
        },
        {},
      ],
    });
  });

  it('continues, and records it, where differences are allowed', () => {
    const other = { ...lead, fields: { ...fields, state: 'NV' } };
    expect(judge({ lead: other, onDifference: 'WARN' })).toMatchObject({
      kind: 'redeems',
      ping: { differs: ['state'] },
    });
  });

  it('selects only a bidder that was shown to it', () => {
    const shown = (id: string): string => `alias of ${id}`;
    const claim = (buyer: string) => ({ ping_id: 'ping-1', buyer });
    expect(judge({ claim: claim('alias of b2'), shown })).toMatchObject({ ping: { pick: 'b2' } });
    expect(judge({ claim: claim('b2') })).toMatchObject({ ping: { pick: 'b2' } });
    for (const buyer of ['b2', 'alias of b3'])
      expect(codes({ claim: claim(buyer), shown })).toEqual(['flo_buyer_id not_allowed']);
  });
});
