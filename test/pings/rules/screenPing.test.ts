import { describe, expect, it } from '@jest/globals';
import type { CapLimits } from '../../../src/account/rules/capLimits.js';
import { windowKeys } from '../../../src/fields/windowKeys.js';
import { emptyCapState } from '../../../src/routing/rules/caps.js';
import { screenPing } from '../../../src/pings/rules/screenPing.js';
import { DEFAULT_PING_SETTINGS } from '../../../src/account/rules/pingSettings.js';
import { aBuyer, aPlan } from '../../support/builders.js';
import { aRule } from '../../fields/filterContext.js';
import { NOW, ZONE } from '../../routing/rules/situations.js';
import { aPing, b1, b2, openedBy, ping, screened, UNIT, used } from './auctions.js';

const HOUR_MS = 3_600_000;

describe('screenPing', () => {
  it('lets every eligible buyer bid, whatever the distribution method', () => {
    expect(screened(aPing([b1, { ...b2, weight: 0 }]))).toEqual(['b1', 'b2']);
    const weighted = { distribution_method: 'WEIGHTED' as const };
    expect(screened(aPing([{ ...b2, weight: 0 }], { campaign: weighted }))).toEqual(['b2']);
    expect(screened(aPing([]))).toBe('no_buyer');
  });

  it('refuses while the campaign or the source is paused, and tests neither', () => {
    const paused = { status: 'PAUSED' as const };
    expect(screened(aPing([b1], { campaign: paused }))).toBe('paused');
    expect(screened(aPing([b1], { source: { status: 'paused' } }))).toBe('paused');
    const tester = { ...b1, test_mode: true };
    const test = { is_test: true, campaign: paused, source: { status: 'paused' as const } };
    expect(screened(aPing([tester, b2], test))).toEqual(['b1']);
  });

  describe('in the evening, when a day has begun in UTC', () => {
    /** In Chicago, 21:00 on Sunday, the last of May. */
    const now = new Date('2026-06-01T02:00:00Z');

    it('takes the day of the account for today', () => {
      const campaign = { filters: { all: [aRule('incident_date', '>= N days ago', 0)] } };
      const of = (incident_date: string) =>
        screened(aPing([b1], { now, campaign, fields: { incident_date } }));
      expect([of('2026-05-31'), of('2026-05-30')]).toEqual([['b1'], 'filtered']);
    });

    it('knows by the clock of the account whether a buyer that holds leads is open', () => {
      const open = (from: string, to: string) =>
        aBuyer({
          ...b1,
          when_closed: 'HOLD',
          schedule: [{ days: ['sun'], from, to }],
        });
      expect(screened(aPing([open('20:00', '22:00'), b2], { now }))).toEqual(['b1', 'b2']);
      expect(screened(aPing([open('18:00', '21:00'), b2], { now }))).toEqual(['b2']);
    });

    it('finds a cap full by the day of the account', () => {
      const full = { ...b1, caps: { daily_cap: 5 } };
      const counted = (key: string) => ({
        ...emptyCapState(),
        day: { key, count: 5, amount: 0 },
      });
      const counters = (key: string) => ({ buyers: { b1: counted(key) } });
      const of = (key: string) => screened(aPing([full, b2], { now, counters: counters(key) }));
      expect([of('2026-05-31'), of('2026-05-30')]).toEqual([['b2'], ['b1', 'b2']]);
    });
  });

  const texans = { filters: { all: [aRule('state', 'IN', ['TX'])] } };

  it('refuses by the filters of the campaign, and keeps nothing of what they saw', () => {
    const result = screenPing(aPing([b1], { campaign: texans, fields: { state: 'CA' } }));
    expect(result).toMatchObject({ kind: 'refused', reason: 'filtered', unbid: [] });
    expect(result).toHaveProperty(['filter_errors', '0', 'message'], 'state must be one of: TX');
    expect(JSON.stringify(result)).not.toContain('CA');
    expect(screened(aPing([b1], { campaign: texans }))).toEqual(['b1']);
  });

  it('keeps the requirements of a buyer that is left out, and nothing of the person', () => {
    const fields = { state: 'CA', zip_code: '90210', age: 17 };
    const buyers = [
      aBuyer({ buyer_id: 'b1', states: ['TX', 'NV'] }),
      aBuyer({ buyer_id: 'b2', zips: { zips: ['75201'], miles: 10 } }),
      aBuyer({ buyer_id: 'b3', filters: { all: [aRule('age', '>=', 18)] } }),
    ];
    const { unbid } = screenPing(aPing(buyers, { fields }));
    expect(unbid).toEqual([
      { buyer_id: 'b1', reason: 'state_not_served', detail: { served: ['TX', 'NV'] } },
      {
        buyer_id: 'b2',
        reason: 'zip_not_served',
        detail: { served_miles: 10, served_centres: 1 },
      },
      {
        buyer_id: 'b3',
        reason: 'filtered',
        detail: { failures: [{ filter_id: 'age >=', field: 'age', operator: '>=' }] },
      },
    ]);
  });

  it('refuses by a suppression list, and leaves out the buyer whose list it is', () => {
    const hits = [{ list_id: 'l1', field: 'phone' as const }];
    const own = { suppression: [{ list_id: 'l1', scope: 'buyer' as const, buyer_id: 'b1' }] };
    const all = { suppression: [{ list_id: 'l1', scope: 'campaign' as const }] };
    expect(screenPing(aPing([b1], { campaign: all, hits }))).toMatchObject({
      reason: 'suppressed',
      filter_errors: [{ field: 'phone' }],
    });
    expect(screened(aPing([b1, b2], { campaign: own, hits }))).toEqual(['b2']);
    expect(screened(aPing([b1], { campaign: own, hits }))).toBe('suppressed');
  });

  describe('of a duplicate', () => {
    const original = { lead_id: 'l0', buyer_id: 'b2' };
    const routes = {
      dedupe: {
        ...aPlan().dedupe,
        on_duplicate: 'ROUTE_TO_ORIGINAL' as const,
      },
    };
    it('refuses it, except for a test and where pings are not checked', () => {
      expect(screened(aPing([b1], { original }))).toBe('duplicate');
      const tester = { ...b1, test_mode: true };
      expect(screened(aPing([tester], { original, is_test: true }))).toEqual(['b1']);
      const unchecked = { ping: { ...DEFAULT_PING_SETTINGS, check_duplicates: false } };
      expect(screened(aPing([b1], { original, campaign: unchecked }))).toEqual(['b1']);
    });

    it('lets only the buyer of the original bid where repeats are routed', () => {
      const result = openedBy(aPing([b1, b2], { original, campaign: routes }));
      expect(result.bidders.map(({ buyer_id }) => buyer_id)).toEqual(['b2']);
      expect(result.unbid).toEqual([
        { buyer_id: 'b1', reason: 'not_original', detail: { route_to: 'b2', of: 'l0' } },
      ]);
      expect(screened(aPing([b1], { original, campaign: routes }))).toBe('no_buyer');
      const unknown = { ...original, buyer_id: null };
      expect(screened(aPing([b1, b2], { original: unknown, campaign: routes }))).toBe('duplicate');
    });
  });

  it('skips buyers that are in a cooldown or closed', () => {
    const soon = new Date(Number(NOW) + 1_000);
    const closed = [{ days: ['mon' as const], from: '09:00', to: '10:00' }];
    const buyers = [
      b1,
      aBuyer({ buyer_id: 'b2', schedule: closed }),
      aBuyer({ buyer_id: 'b3', schedule: closed, when_closed: 'HOLD' }),
    ];
    const result = screenPing(aPing(buyers, { openUntil: { b1: soon } }));
    expect(result).toMatchObject({ kind: 'refused', reason: 'no_buyer' });
    expect(result.unbid.map(({ buyer_id, reason }) => [buyer_id, reason])).toEqual([
      ['b2', 'closed'],
      ['b1', 'breaker_open'],
      ['b3', 'closed'],
    ]);
    expect(screened(aPing([b1], { openUntil: { b1: NOW } }))).toEqual(['b1']);
  });

  describe('of caps', () => {
    const full = { counters: { supplier: used(5), campaign: used(5), buyers: { b1: used(5) } } };
    const capped = aBuyer({ buyer_id: 'b1', caps: { daily_cap: 5 } });

    it('is capped where the supplier or the campaign is', () => {
      for (const more of [
        { source: { caps: { daily_cap: 5 } } },
        { campaign: { caps: { daily_cap: 5 } } },
      ]) {
        expect(screened(aPing([b1], { ...full, ...more }))).toBe('capped');
        expect(screened(aPing([], { ...full, ...more }))).toBe('capped');
        expect(screened(aPing([b1], more))).toEqual(['b1']);
      }
    });

    it('leaves out a buyer that is full, and is capped when none is left', () => {
      expect(screened(aPing([capped, b2], full))).toEqual(['b2']);
      expect(screenPing(aPing([capped], full))).toMatchObject({
        reason: 'capped',
        unbid: [{ buyer_id: 'b1', reason: 'buyer_cap', detail: { allowed: 5, counted: 5 } }],
      });
      // The other buyer could not have bid anyway.
      expect(screened(aPing([capped, { ...b2, status: 'paused' }], full))).toBe('capped');
      // The other buyer could have bid, but its price was too low.
      const settings = { ping: { ...DEFAULT_PING_SETTINGS, min_bid: 20 * UNIT } };
      const cheap = { ...b2, price: UNIT };
      expect(screened(aPing([capped, cheap], { ...full, campaign: settings }))).toBe('no_buyer');
    });

    it('has capacity again on another day', () => {
      const now = new Date(Number(NOW) + 86_400_000);
      expect(screened(aPing([capped], { ...full, now }))).toEqual(['b1']);
    });

    it('counts by the hour too, and a weekday has its own cap', () => {
      const { hour } = windowKeys(NOW, ZONE);
      const counters = { buyers: { b1: { ...used(5), hour: { key: hour, count: 5, amount: 0 } } } };
      const inHours = (hours: number, caps: CapLimits) =>
        screened(
          aPing([{ ...b1, caps }], { counters, now: new Date(Number(NOW) + hours * HOUR_MS) }),
        );
      expect([0, 1].map((hours) => inHours(hours, { hourly_cap: 5 }))).toEqual(['capped', ['b1']]);
      // Saturday, Sunday, Monday.
      const caps = { daily_cap: 1, daily_caps: { sat: 6, sun: 0 } };
      expect([0, 24, 48].map((hours) => inHours(hours, caps))).toEqual([['b1'], 'capped', ['b1']]);
    });

    it('counts money: the price for the buyer and the campaign, the bid for the supplier', () => {
      const buyer = aBuyer({ price: 10 * UNIT });
      const margin = { ping: { ...DEFAULT_PING_SETTINGS, margin: { percent: 50 } } };
      const room = (amount: number) => ({ daily_budget: amount });
      const fits = (more: Parameters<typeof aPing>[1], who = buyer) =>
        screened(aPing([who], { ...more, campaign: { ...margin, ...more?.campaign } }));
      expect(fits({ source: { caps: room(5 * UNIT) } })).toEqual(['b1']);
      expect(fits({ source: { caps: room(5 * UNIT - 1) } })).toBe('capped');
      expect(fits({ campaign: { caps: room(10 * UNIT) } })).toEqual(['b1']);
      expect(fits({ campaign: { caps: room(10 * UNIT - 1) } })).toBe('capped');
      expect(fits({}, { ...buyer, caps: room(10 * UNIT) })).toEqual(['b1']);
      expect(fits({}, { ...buyer, caps: room(10 * UNIT - 1) })).toBe('capped');
    });

    it('checks no cap for a test', () => {
      const tester = { ...capped, test_mode: true };
      expect(screened(aPing([tester], { ...full, is_test: true }))).toEqual(['b1']);
    });
  });

  it('includes a buyer whose bid is not known yet', () => {
    const settings = { ping: { ...DEFAULT_PING_SETTINGS, min_bid: 99 * UNIT } };
    expect(screened(aPing([{ ...b1, ping }, b2], { campaign: settings }))).toEqual(['b1']);
  });

  it('reports a supplier that the plan does not have', () => {
    expect(() => screenPing(aPing([b1], { supplier_id: 's9' }))).toThrow('has no supplier s9');
  });
});
