import { describe, expect, it } from '@jest/globals';
import { hourAt, zoneWithMidnight } from '../load/calendar.js';
import { check } from './check.js';
import { held, sold, type Sold } from './endings.js';
import { aCampaign, aRun, rulesOf, T0, type StoryRun } from './stories.js';

const MINUTE = 60_000;
/** A Monday and a 1st begin a minute after the stories do. */
const MIDNIGHT = T0 + MINUTE;
const zone = zoneWithMidnight(MIDNIGHT, 'week and month');
const KEYS = { day: '2027-02-01', week: 'W2027-02-01', month: '2027-02' };
const EVE = { day: '2027-01-31', week: 'W2027-01-25', month: '2027-01' };

const aNight = (): StoryRun => aRun([aCampaign({ time_zone: zone })]);

/** Evidence whose counters are in these windows. */
const inWindows = (run: StoryRun, keys = KEYS) => {
  const evidence = run.finish();
  for (const doc of evidence.record.caps) {
    for (const window of ['day', 'week', 'month'] as const) {
      const own = evidence.record.deliveries.filter(
        (row) => row.buyer_id === doc._id.split(':')[2] && row.reserved?.[window] === keys[window],
      );
      const amount = own.reduce((sum, { price }) => sum + price, 0);
      doc[window] = { key: keys[window], count: own.length, amount };
    }
  }
  return evidence;
};

/** Posted this long before midnight, or after it. */
const soldAt = (run: StoryRun, ms: number, keys: typeof KEYS): Sold => {
  const story = sold(run, 'holding', { at: MIDNIGHT + ms });
  story.row.reserved = { ...keys };
  return story;
};

describe('counted_in_wrong_window', () => {
  it('is silent when each lead counts on the day on which it was sent', () => {
    const run = aNight();
    soldAt(run, -MINUTE / 2, EVE);
    soldAt(run, 1_000, KEYS);
    expect(rulesOf(inWindows(run))).toEqual([]);
  });

  it.each([
    ['the day before', 1_000, EVE, '2027-02-01'],
    ['the day after', -MINUTE / 2, KEYS, '2027-01-31'],
  ])('reports a lead that counts on %s', (_name, ms, keys, right) => {
    const run = aNight();
    const { row } = soldAt(run, ms, keys);
    const [violation, ...others] = check(inWindows(run));
    expect(others).toEqual([]);
    expect(violation?.rule).toBe('counted_in_wrong_window');
    expect(violation?.what).toBe(
      `row ${row._id} counts in day ${keys.day}, but its slot was taken on ${right}`,
    );
  });

  it('is silent about the seconds around midnight, when the reservation may be of either day', () => {
    const run = aNight();
    soldAt(run, -50, EVE);
    soldAt(run, -40, KEYS);
    expect(rulesOf(inWindows(run))).toEqual([]);
  });

  it('reports a lead that waited, was sold on the next day, and counts on its first', () => {
    const tell = (keys: typeof KEYS) => {
      const run = aNight();
      const story = soldAt(run, -MINUTE / 2, keys);
      const later = new Date(MIDNIGHT + MINUTE);
      story.row.settled_at = later;
      for (const sale of story.lead.sales) sale.at = later;
      story.lead.decided_at = later;
      story.lead.pending_at = story.lead.created_at;
      story.answer.answer = 'pending';
      for (const line of run.evidence.journal) line.at = Number(later) - 100;
      return check(inWindows(run)).filter(({ rule }) => rule.includes('window'));
    };
    expect(tell(KEYS)).toEqual([]);
    expect(tell(EVE).map(({ what }) => what)).toEqual([
      'row lead1:1 counts in day 2027-01-31, but its slot was taken on 2027-02-01',
    ]);
  });

  it('lets a lead that still waits count on the day it began to wait', () => {
    const run = aNight();
    const { row } = held(run);
    row.reserved = { ...EVE };
    expect(rulesOf(inWindows(run))).toEqual([]);
  });

  it('reports the windows of its supplier and its campaign, where they differ', () => {
    const run = aNight();
    const { row } = soldAt(run, 1_000, KEYS);
    row.reserved_apart = { supplier: { ...EVE } };
    expect(rulesOf(inWindows(run))).toEqual(['counted_in_wrong_window']);
    Object.assign(row, { reserved: { ...EVE }, created_at: new Date(MIDNIGHT - 10) });
    Object.assign(run.evidence.record.leads[0] ?? {}, { created_at: new Date(MIDNIGHT - 20) });
    row.reserved_apart = { supplier: { ...KEYS } };
    expect(rulesOf(inWindows(run))).not.toContain('counted_in_wrong_window');
  });

  it('reports a lead that counts in the hour before or after that of its sale', () => {
    const tell = (hour: string) => {
      const run = aNight();
      const { row } = soldAt(run, 1_000, KEYS);
      row.reserved = { ...KEYS, hour };
      return rulesOf(inWindows(run));
    };
    const full = (ms: number) => hourAt(MIDNIGHT + ms, zone);
    expect(tell(full(0))).toEqual([]);
    expect(tell(full(-1))).toEqual(['counted_in_wrong_window']);
    expect(tell(full(60 * MINUTE))).toEqual(['counted_in_wrong_window']);
  });

  it.each(['week', 'month'] as const)('reports a %s that its day is not in', (window) => {
    const run = aNight();
    const { row } = soldAt(run, 1_000, KEYS);
    row.reserved = { ...KEYS, [window]: EVE[window] };
    expect(rulesOf(inWindows(run))).toContain('counted_in_wrong_window');
  });
});

describe('counter_in_wrong_window', () => {
  it.each([
    ['a day that has not begun', { day: '2027-02-02' }],
    ['a week that its day is not in', { week: EVE.week }],
    ['a month that its day is not in', { month: EVE.month }],
  ])('reports %s', (_name, keys) => {
    const run = aNight();
    soldAt(run, 1_000, { ...KEYS, ...keys });
    expect(rulesOf(inWindows(run, { ...KEYS, ...keys }))).toContain('counter_in_wrong_window');
  });
});
