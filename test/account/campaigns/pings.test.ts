/** Ping-post settings as callers send them. Pure. */
import fc from 'fast-check';
import { BUYER_LINK } from '../../../src/account/settings/buyerLinkTerms.js';
import { describe, expect, it } from '@jest/globals';
import {
  buyerPingView,
  checkBuyerPing,
  enabledPing,
} from '../../../src/account/buyers/buyerPing.js';
import { withoutKeys } from '../../../src/lib/defined.js';
import {
  checkPingSettings,
  pingSettingsView,
} from '../../../src/account/campaigns/pingSettings.js';
import type { PingSettingsInput } from '../../../src/account/campaigns/pingSchema.js';
import { DEFAULT_PING_SETTINGS } from '../../../src/account/rules/pingSettings.js';
import { AppError } from '../../../src/lib/errors.js';

const problemsOf = (run: () => unknown): Record<string, string> => {
  try {
    run();
    return {};
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { field_errors = [] } = error.extras;
    return Object.fromEntries(field_errors.map(({ field, message }) => [field, message]));
  }
};

describe('how a campaign answers pings', () => {
  it('has the defaults when nothing is set', () => {
    expect(checkPingSettings({})).toEqual(DEFAULT_PING_SETTINGS);
  });

  it('keeps earlier settings, and null resets one', () => {
    const first = checkPingSettings({ margin: { fixed: 2.5 }, min_bid: 5, max_bid: 40.25 });
    expect(first).toMatchObject({
      margin: { fixed: 2_500_000 },
      min_bid: 5_000_000,
      max_bid: 40_250_000,
    });
    const second = checkPingSettings({ min_bid: null, on_difference: 'WARN' }, first);
    expect(second).toEqual({ ...first, min_bid: null, on_difference: 'WARN' });
    expect(checkPingSettings({ margin: null }, second).margin).toEqual({ percent: 0 });
    expect(checkPingSettings({ margin: { percent: 12.5 } }, second).margin).toEqual({
      percent: 12.5,
    });
  });

  it('names every setting that is wrong', () => {
    const wrong = {
      margin: { percent: 3, fixed: 1 },
      min_bid: -1,
      max_bid: 1.23456,
      bid_decimals: 5,
      reveal_buyers: 'no',
      deadline_ms: 50,
      check_duplicates: 1,
      on_difference: 'IGNORE',
    };
    expect(problemsOf(() => checkPingSettings(wrong as unknown as PingSettingsInput))).toEqual({
      'ping.margin': 'ping.margin must be { "percent": 15 } or { "fixed": 2.5 }, one of the two.',
      'ping.min_bid':
        'ping.min_bid must be 0 or more with at most 4 decimals, such as 12.5; -1 is negative.',
      'ping.max_bid':
        'ping.max_bid must be 0 or more with at most 4 decimals, such as 12.5; 1.23456 is not.',
      'ping.bid_decimals': 'ping.bid_decimals must be a whole number, 0 to 4.',
      'ping.reveal_buyers': 'ping.reveal_buyers must be true or false.',
      'ping.deadline_ms': 'ping.deadline_ms must be a whole number, 100 to 3000.',
      'ping.check_duplicates': 'ping.check_duplicates must be true or false.',
      'ping.on_difference': 'ping.on_difference must be REFUSE or WARN.',
    });
  });

  it('refuses a max_bid below min_bid, whichever was set first', () => {
    const before = checkPingSettings({ min_bid: 10 });
    expect(problemsOf(() => checkPingSettings({ max_bid: 9.99 }, before))).toEqual({
      'ping.max_bid': 'ping.max_bid must not be below min_bid, which is 10.',
    });
    expect(checkPingSettings({ max_bid: 10 }, before)).toMatchObject({ max_bid: 10_000_000 });
  });

  it.each([
    [{ percent: 100.01 }, '0 to 100'],
    [{ percent: 1.00001 }, 'at most 4 decimals'],
    [{ percent: -1 }, '0 to 100'],
    [{ fixed: -1 }, '0 or more'],
    [{ fixed: 1e15 }, '0 or more'],
    [{}, 'one of the two'],
  ])('has no margin of %j', (margin, message) => {
    expect(problemsOf(() => BUYER_LINK.read({ margin }))).toEqual({
      margin: expect.stringContaining(message),
    });
  });

  it('comes back as it is shown', () => {
    const amount = fc.option(fc.nat({ max: 10_000_000 }).map((n) => n / 10_000));
    fc.assert(
      fc.property(
        fc.record({
          margin: fc.oneof(
            fc.nat({ max: 1_000_000 }).map((n) => ({ percent: n / 10_000 })),
            fc.nat({ max: 10_000_000 }).map((n) => ({ fixed: n / 10_000 })),
          ),
          min_bid: amount,
          bid_decimals: fc.nat({ max: 4 }),
          deadline_ms: fc.integer({ min: 100, max: 3_000 }),
        }),
        (input) => {
          const settings = checkPingSettings(input);
          expect(checkPingSettings(pingSettingsView(settings))).toEqual(settings);
          expect(pingSettingsView(settings)).toMatchObject(input);
        },
      ),
    );
  });
});

describe('how a buyer is asked for bids', () => {
  const url = 'https://buyer.example/ping';
  const context = { policy: { allowPrivate: false }, fieldNames: ['zip_code', 'loan_amount'] };

  it('needs a url, and has defaults for the rest', () => {
    expect(checkBuyerPing({ url }, context)).toEqual({
      enabled: true,
      url,
      timeout_ms: 500,
      fields: [],
      headers: {},
    });
    expect(problemsOf(() => checkBuyerPing({ enabled: true }, context))).toEqual({
      'ping.url': 'ping.url must be the URL that is asked for bids.',
    });
  });

  it('names every setting that is wrong', () => {
    const wrong = {
      url: 'http://127.0.0.1/ping',
      timeout_ms: 9_000,
      fields: ['zip_cod'],
      headers: { 'X-Ping-Id': 'mine' },
      response: { prise_path: 'price' },
    };
    expect(problemsOf(() => checkBuyerPing(wrong, context))).toEqual({
      'ping.url': expect.stringContaining('ping.url must not point to 127.0.0.1'),
      'ping.timeout_ms': 'ping.timeout_ms must be a whole number, 50 to 3000.',
      'ping.fields':
        'ping.fields names "zip_cod", which is not a field of a campaign. Did you mean zip_code?',
      'ping.headers': 'ping.headers: X-Ping-Id is set by the service; leave it out.',
      'ping.response': expect.stringContaining('did you mean price_path'),
    });
  });

  it('keeps its settings and hidden headers, and is in plans while enabled', () => {
    const first = checkBuyerPing(
      { url, headers: { 'X-Key': 'one' }, response: { price_path: 'offer' } },
      context,
    );
    const shown = buyerPingView({ ping: first });
    expect(shown).toMatchObject({ headers: { 'X-Key': '[hidden]' } });
    expect(checkBuyerPing(shown ?? {}, context, first)).toEqual(first);
    const off = checkBuyerPing({ enabled: false, response: null }, context, first);
    expect(off).toEqual({ ...withoutKeys(first, ['response']), enabled: false });
    expect([enabledPing({ ping: off }), enabledPing({})]).toEqual([undefined, undefined]);
    expect(enabledPing({ ping: first })).toEqual(withoutKeys(first, ['enabled']));
  });
});
