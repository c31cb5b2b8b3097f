import { describe, expect, it } from '@jest/globals';
import { createMetrics } from '../../../src/platform/metrics.js';
import {
  createStateReader,
  type ServiceState,
} from '../../../src/platform/metrics/serviceState.js';

const AT = new Date('2026-11-21T12:00:00Z');

const NOTHING: ServiceState = {
  queues: [],
  openBreakers: [],
  caps: [],
  events: { waiting: 0, oldest: null, deadLettered: 0 },
  today: [],
  names: { campaigns: new Map(), buyers: new Map() },
  leftOut: { organizations: 0, buyers: 0, caps: 0 },
  at: AT,
};

function aScene(read: () => Promise<ServiceState> = () => Promise.resolve(NOTHING)) {
  const scene = { now: 0, readings: 0, errors: [] as unknown[] };
  const reader = createStateReader({
    read: () => {
      scene.readings += 1;
      return read();
    },
    everyMs: 15_000,
    onError: (error) => scene.errors.push(error),
    monotonic: () => scene.now,
  });
  const metrics = createMetrics({ labelsMax: 2 });
  metrics.showState(reader);
  const page = async () =>
    (await metrics.everything.metrics())
      .split('\n')
      .filter((line) =>
        /^leadwire_(queue|waiting|breaker|open|cap|events_|today|state|\w+_info)/.test(line),
      );
  return { scene, page };
}

describe('the database, as the metrics show it', () => {
  it('is read once for a page, and no more often than it may be', async () => {
    const { scene, page } = aScene();
    await Promise.all([page(), page()]);
    expect(scene.readings).toBe(1);
    scene.now = 14_999;
    await page();
    expect(scene.readings).toBe(1);
    scene.now = 15_000;
    expect(await page()).toContain('leadwire_state_age_seconds 0');
    expect(scene.readings).toBe(2);
  });

  it('is absent when it cannot be read, never an old state; the failure is counted', async () => {
    let fails = false;
    const { scene, page } = aScene(() =>
      fails ? Promise.reject(new Error('away')) : Promise.resolve(NOTHING),
    );
    expect(await page()).toContain('leadwire_events_waiting 0');
    fails = true;
    scene.now = 20_000;
    const failed = await page();
    expect(failed.filter((line) => !line.includes('_state_'))).toEqual([
      expect.stringMatching(/^leadwire_build_info/),
    ]);
    expect(failed).toContain('leadwire_state_age_seconds 20');
    expect(failed).toContain('leadwire_state_failures_total 1');
    expect(scene.errors).toEqual([new Error('away')]);
  });

  it('is shown by buyer and by campaign, those without a name together', async () => {
    const ago = (seconds: number) => new Date(Number(AT) - seconds * 1_000);
    const state: ServiceState = {
      ...NOTHING,
      queues: [
        { buyer_id: 'b1', state: 'parked', deliveries: 5, oldest: ago(60) },
        { buyer_id: 'b1', state: 'unknown', deliveries: 2, oldest: ago(90) },
        { buyer_id: 'b2', state: 'parked', deliveries: 1, oldest: ago(10) },
        { buyer_id: 'b3', state: 'parked', deliveries: 3, oldest: ago(20) },
        { buyer_id: 'b4', state: 'parked', deliveries: 4, oldest: ago(30) },
      ],
      openBreakers: ['b2'],
      caps: [
        {
          scope: 'buyer',
          campaign_id: 'c1',
          buyer_id: 'b1',
          window: 'day',
          of: 'count',
          ratio: 0.8,
        },
      ],
      events: { waiting: 7, oldest: ago(5), deadLettered: 1 },
      today: [
        {
          campaign_id: 'c1',
          currency: 'USD',
          leads: { ACCEPTED: 3, UNMATCHED: 1 },
          revenue: 30.5,
          cost: 12,
        },
        { campaign_id: 'c2', currency: 'EUR', leads: { ACCEPTED: 1 }, revenue: 9, cost: 0 },
        { campaign_id: 'c3', currency: 'USD', leads: { ACCEPTED: 2 }, revenue: 1, cost: 0 },
        { campaign_id: 'c4', currency: 'USD', leads: { ACCEPTED: 5 }, revenue: 2, cost: 0 },
      ],
      names: {
        campaigns: new Map([['c1', 'A "quoted"\nname']]),
        buyers: new Map([['b1', 'Acme']]),
      },
      leftOut: { organizations: 0, buyers: 3, caps: 0 },
    };
    const { page } = aScene(() => Promise.resolve(state));
    const shown = await page();
    expect(shown.filter((line) => !/_state_|build/.test(line))).toEqual([
      'leadwire_queue_deliveries{buyer_id="b1",state="parked"} 5',
      'leadwire_queue_deliveries{buyer_id="b1",state="unknown"} 2',
      'leadwire_queue_deliveries{buyer_id="b2",state="parked"} 1',
      'leadwire_queue_deliveries{buyer_id="other",state="parked"} 7',
      'leadwire_queue_oldest_seconds{buyer_id="b1"} 90',
      'leadwire_queue_oldest_seconds{buyer_id="b2"} 10',
      'leadwire_queue_oldest_seconds{buyer_id="other"} 30',
      'leadwire_waiting_deliveries{state="parked"} 13',
      'leadwire_waiting_deliveries{state="unknown"} 2',
      'leadwire_waiting_oldest_seconds 90',
      'leadwire_breaker_open{buyer_id="b1"} 0',
      'leadwire_breaker_open{buyer_id="b2"} 1',
      'leadwire_open_breakers 1',
      'leadwire_cap_used_ratio{scope="buyer",campaign_id="c1",buyer_id="b1",window="day",of="count"} 0.8',
      'leadwire_events_waiting 7',
      'leadwire_events_oldest_seconds 5',
      'leadwire_events_dead_lettered 1',
      'leadwire_today_leads{campaign_id="c1",status="ACCEPTED"} 3',
      'leadwire_today_leads{campaign_id="c1",status="UNMATCHED"} 1',
      'leadwire_today_leads{campaign_id="c2",status="ACCEPTED"} 1',
      'leadwire_today_leads{campaign_id="other",status="ACCEPTED"} 7',
      'leadwire_today_revenue{campaign_id="c1",currency="USD"} 30.5',
      'leadwire_today_revenue{campaign_id="c2",currency="EUR"} 9',
      'leadwire_today_revenue{campaign_id="other",currency="USD"} 3',
      'leadwire_today_cost{campaign_id="c1",currency="USD"} 12',
      'leadwire_today_cost{campaign_id="c2",currency="EUR"} 0',
      'leadwire_today_cost{campaign_id="other",currency="USD"} 0',
      'leadwire_campaign_info{campaign_id="c1",name="A \\"quoted\\"\\nname"} 1',
      'leadwire_buyer_info{buyer_id="b1",name="Acme"} 1',
    ]);
    expect(shown).toContain('leadwire_state_left_out{of="buyers"} 3');
  });
});
