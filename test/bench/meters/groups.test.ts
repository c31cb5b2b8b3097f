import { expect, it } from '@jest/globals';
import { createMetrics } from '../../../src/platform/metrics.js';
import { groupsBetween, groupsIn, groupsLine } from './groups.js';

async function pageOf(groups: readonly (readonly [leads: number, seconds: number])[]) {
  const metrics = createMetrics();
  for (const [leads, seconds] of groups) {
    metrics.intakeGroupLeads.observe(leads);
    metrics.intakeGroupSeconds.observe(seconds);
  }
  return metrics.registry.metrics();
}

it('adds up the groups of all processes', async () => {
  const [one, two] = [
    await pageOf([[1, 0.25]]),
    await pageOf([
      [20, 1],
      [3, 0.5],
    ]),
  ];
  expect(groupsIn(`${one}\n${two}`)).toEqual({ groups: 3, leads: 24, seconds: 1.75 });
});

it('tells the mean size of the groups since an earlier reading, and how many were in flight', () => {
  const before = { groups: 10, leads: 100, seconds: 5 };
  const means = groupsBetween(before, { groups: 14, leads: 300, seconds: 20 }, 6);
  expect(means).toEqual({ leadsPerGroup: 50, inFlight: 2.5 });
  expect(means && groupsLine(means)).toBe('groups: 50.0 leads each, 2.5 in flight');
});

it('has no means when no group was settled', () => {
  const sums = { groups: 10, leads: 100, seconds: 5 };
  expect(groupsBetween(sums, sums, 6)).toBeUndefined();
});
