import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import {
  createTemporalCells,
  createTemporalMetrics,
} from '../../../src/platform/metrics/temporalMetrics.js';

const QUEUE = { task_queue: 'leads', namespace: 'default' };
const SLOTS = { ...QUEUE, worker_type: 'WorkflowWorker' };

async function pageOf(
  updates: [name: string, value: number, attributes: Record<string, string>][],
): Promise<string[]> {
  const registry = new Registry();
  const cells = createTemporalCells();
  createTemporalMetrics(registry).showTemporal(cells);
  for (const [name, value, attributes] of updates)
    cells.record({ metric: { name }, value, attributes });
  return (await registry.metrics()).split('\n').filter((line) => line !== '' && line[0] !== '#');
}

describe('what the SDK of Temporal reports', () => {
  it('is shown under its own names, a gauge with its latest value and a counter with its sum', async () => {
    expect(
      await pageOf([
        ['temporal_worker_task_slots_available', 99, SLOTS],
        ['temporal_worker_task_slots_available', 100, SLOTS],
        ['temporal_worker_task_slots_available', 7, { ...SLOTS, worker_type: 'ActivityWorker' }],
        ['temporal_request_failure', 1, { operation: 'PollWorkflowTaskQueue' }],
        ['temporal_request_failure', 2, { operation: 'PollWorkflowTaskQueue' }],
      ]),
    ).toEqual([
      'temporal_worker_task_slots_available{task_queue="leads",worker_type="WorkflowWorker"} 100',
      'temporal_worker_task_slots_available{task_queue="leads",worker_type="ActivityWorker"} 7',
      'temporal_request_failure_total{operation="PollWorkflowTaskQueue"} 3',
    ]);
  });

  it('has its latencies in buckets, in seconds', async () => {
    const name = 'temporal_workflow_task_schedule_to_start_latency';
    const lines = await pageOf([
      [name, 0.004, QUEUE],
      [name, 0.2, { ...QUEUE, workflow_type: 'process' }],
    ]);
    expect(lines).toContain(`${name}_seconds_bucket{task_queue="leads",le="0.005"} 1`);
    expect(lines).toContain(`${name}_seconds_bucket{task_queue="leads",le="0.25"} 2`);
    expect(lines).toContain(`${name}_seconds_count{task_queue="leads"} 2`);
    expect(lines).toHaveLength(13);
  });

  it('is left out where it is not among the chosen metrics, and where its labels have too many values', async () => {
    const many = Array.from({ length: 300 }, (_, n): [string, number, Record<string, string>] => [
      'temporal_request_failure',
      1,
      { operation: `operation-${n}` },
    ]);
    const lines = await pageOf([['temporal_request', 1, QUEUE], ...many]);
    expect(lines).toHaveLength(100);
  });
});
