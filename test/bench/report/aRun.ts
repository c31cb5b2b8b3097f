/** A run with three figures, for tests of reports. */
import { figuresOf } from './figures.js';
import type { RunResult } from './result.js';

export const A_RUN: RunResult = {
  machine: { cpu: 'Some CPU', cores: 2, memory_gib: 8, system: 'Linux 6' },
  versions: { leadwire: '0.1.0', node: '24.21.0', mongodb: '8.0.1', temporal: '1.29.1' },
  taken_at: '2026-11-22T12:00:00.000Z',
  shape: { seconds: 6, rounds: 3 },
  figures: [
    ...figuresOf('leads_per_s_256', [2_000, 2_100, 2_050]),
    ...figuresOf('empty_workflow_per_s', [200], 'a | b'),
    ...figuresOf('cores_leads_own', [1.234]),
  ],
  audit: {
    passed: true,
    leads: 12_345,
    lost: 0,
    doubled: 0,
    over_cap: 0,
    false_answers: 0,
    refused: 678,
    refused_sold: 0,
    examples: [],
    failures: [],
  },
};
