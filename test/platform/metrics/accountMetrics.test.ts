import { describe, expect, it } from '@jest/globals';
import { createMetrics } from '../../../src/platform/metrics.js';

/** The lines of one metric, without its help. */
const linesOf = async (metrics: ReturnType<typeof createMetrics>, name: string) =>
  (await metrics.everything.metrics()).split('\n').filter((line) => line.startsWith(name));

describe('metrics of campaigns and buyers', () => {
  it('count leads by campaign and status, and show nothing that was not counted', async () => {
    const metrics = createMetrics();
    metrics.countLead('campaign-1', 'ACCEPTED');
    metrics.countLead('campaign-1', 'ACCEPTED');
    metrics.countLead('campaign-2', 'REJECTED');
    expect(await linesOf(metrics, 'leadwire_leads_total')).toEqual([
      'leadwire_leads_total{campaign_id="campaign-1",status="ACCEPTED"} 2',
      'leadwire_leads_total{campaign_id="campaign-2",status="REJECTED"} 1',
    ]);
  });

  it('name as many campaigns as they may, and count all others together', async () => {
    const metrics = createMetrics({ labelsMax: 2 });
    for (const id of ['a', 'b', 'c', 'd', 'a', 'c']) metrics.countLead(id, 'UNMATCHED');
    expect(await linesOf(metrics, 'leadwire_leads_total')).toEqual([
      'leadwire_leads_total{campaign_id="a",status="UNMATCHED"} 2',
      'leadwire_leads_total{campaign_id="b",status="UNMATCHED"} 1',
      'leadwire_leads_total{campaign_id="other",status="UNMATCHED"} 3',
    ]);
  });

  it('name none where the limit is 0', async () => {
    const metrics = createMetrics({ labelsMax: 0 });
    metrics.countLead('a', 'PENDING');
    expect(await linesOf(metrics, 'leadwire_leads_total')).toEqual([
      'leadwire_leads_total{campaign_id="other",status="PENDING"} 1',
    ]);
  });

  it('put the time of each delivery into cumulative buckets, by whole seconds and parts of them', async () => {
    const metrics = createMetrics();
    // A bound belongs to its bucket, as Prometheus has it (le).
    for (const ms of [50, 51, 2_600, 40_000]) metrics.countAttempt('buyer-1', 'accepted', ms);
    const lines = await linesOf(metrics, 'leadwire_delivery_seconds');
    const values = lines.map((line) => {
      const [, le, value] = /le="(.+)"\} (\d+)$/.exec(line) ?? [];
      return `${le ?? ''} ${value ?? ''}`;
    });
    expect(values.slice(0, -2)).toEqual([
      '0.05 1',
      '0.1 2',
      '0.25 2',
      '0.5 2',
      '1 2',
      '2.5 2',
      '5 3',
      '10 3',
      '30 3',
      '+Inf 4',
    ]);
    expect(lines.slice(-2)).toEqual([
      'leadwire_delivery_seconds_sum{buyer_id="buyer-1"} 42.701',
      'leadwire_delivery_seconds_count{buyer_id="buyer-1"} 4',
    ]);
  });

  it('count what was not sent as an attempt, but not its time', async () => {
    const metrics = createMetrics();
    metrics.countAttempt('buyer-1', 'not_sent', 0);
    metrics.countAttempt('buyer-1', 'unknown', 5_000);
    expect(await linesOf(metrics, 'leadwire_delivery_attempts_total')).toEqual([
      'leadwire_delivery_attempts_total{buyer_id="buyer-1",result="unknown"} 1',
      'leadwire_delivery_attempts_total{buyer_id="buyer-1",result="not_sent"} 1',
    ]);
    expect(await linesOf(metrics, 'leadwire_delivery_seconds_count')).toEqual([
      'leadwire_delivery_seconds_count{buyer_id="buyer-1"} 1',
    ]);
  });

  it('are on the page for operators alone', async () => {
    const metrics = createMetrics();
    metrics.countLead('campaign-1', 'ACCEPTED');
    const page = await metrics.registry.metrics();
    expect(page).toContain('leadwire_build_info{version="');
    expect(page).not.toContain('campaign');
  });
});
