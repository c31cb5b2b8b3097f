import { describe, expect, it } from '@jest/globals';
import { FIGURE_NAMES, figuresOf, medianOf } from './figures.js';

describe('a figure', () => {
  it('is the median of its repetitions, with their minimum and maximum', () => {
    expect(figuresOf('single_p50_ms', [9.5, 7, 8])).toEqual([
      { name: 'single_p50_ms', value: 8, unit: 'ms', spread: [7, 9.5] },
    ]);
  });

  it('of an even number of repetitions lies between the two middle values', () => {
    expect(medianOf([4, 1, 2, 100]).value).toBe(3);
  });

  it('of a single repetition has no spread', () => {
    expect(figuresOf('burst_200_errors', [0], 'of all rounds')).toEqual([
      { name: 'burst_200_errors', value: 0, unit: 'count', note: 'of all rounds' },
    ]);
  });

  it('is absent when nothing was measured', () => {
    expect(figuresOf('rss_mib', [])).toEqual([]);
  });

  it('of the processors is a number of cores', () => {
    expect(figuresOf('cores_leads_mongod', [0.5])).toMatchObject([{ value: 0.5, unit: 'cores' }]);
  });

  it('keeps three decimals of small values, and none of large ones', () => {
    expect(figuresOf('mongo_ops_per_lead', [0.123456])[0]?.value).toBe(0.123);
    expect(figuresOf('leads_per_s_256', [1234.56])[0]?.value).toBe(1235);
  });
});

it('figures keep all the names that readers of the JSON rely on', () => {
  expect(FIGURE_NAMES).toEqual(
    expect.arrayContaining([
      'leads_per_s_32',
      'leads_per_s_64',
      'leads_per_s_128',
      'leads_per_s_256',
      'empty_workflow_per_s',
      'workflow_per_lead_per_s',
      'plain_koa_per_s',
      'empty_50_p99_ms',
      'empty_single_p50_ms',
      'open_50_p99_ms',
      'open_100_p50_ms',
      'open_100_p99_ms',
      'open_200_p99_ms',
      'open_400_p99_ms',
      'burst_200_errors',
      'burst_200_p99_ms',
      'single_p50_ms',
      'refused_per_s',
      'pings_per_s',
      'pings_live_per_s',
      'ping_500_p99_ms',
      'outcomes_per_s',
      'intake_1m_ratio',
      'report_1m_ms',
      'rss_mib',
      'cpu_ms_per_lead_api',
      'cpu_ms_per_lead_worker',
      'cpu_ms_per_lead_mongod',
      'cpu_ms_per_lead_temporal',
      'cpu_ms_per_lead_intake',
      'cpu_ms_per_lead_delivery',
      'cpu_ms_per_lead_load',
      'leads_per_group_256',
      'groups_in_flight_256',
      'machine_hashes_per_s',
      'saturation_errors',
      'cores_leads_idle',
      'cores_plain_koa_own',
      'mongo_ops_per_lead',
      'temporal_calls_per_lead',
    ]),
  );
});
