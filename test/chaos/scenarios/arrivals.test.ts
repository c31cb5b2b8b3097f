import { describe, expect, it } from '@jest/globals';
import { held, sold } from '../checker/endings.js';
import { aRun } from '../checker/stories.js';
import { arrivalsAt, drainedOf, fatesOf, mostOpen, takenPerSecond } from './arrivals.js';

describe('requests open at one moment', () => {
  it('are those that have arrived and not ended', () => {
    const arrivals = [
      { at: 0, ended: 10 },
      { at: 5, ended: 12 },
      { at: 9, ended: 11 },
      { at: 11, ended: 30 },
    ];
    expect(mostOpen(arrivals)).toBe(3);
  });

  it('stay open until they end', () => {
    expect(
      mostOpen([
        { at: 0, ended: Infinity },
        { at: 50, ended: 60 },
      ]),
    ).toBe(2);
    expect(
      mostOpen([
        { at: 0, ended: 50 },
        { at: 50, ended: 60 },
      ]),
    ).toBe(1);
    expect(mostOpen([])).toBe(0);
  });
});

describe('the requests of a drain', () => {
  it('are all requests for leads that had been queued', () => {
    const run = aRun();
    sold(run);
    const late = sold(run);
    late.lead.trail.push({
      at: new Date(late.row.created_at.getTime() + 50),
      step: 'closing',
      result: 'waiting',
    });
    const evidence = run.finish();
    const arrivals = arrivalsAt(evidence, 'holding');
    expect(arrivals).toHaveLength(2);
    const drained = drainedOf(arrivals, evidence.record.leads);
    expect(drained.map(({ lead_id }) => lead_id)).toEqual([late.lead._id]);
  });

  it('are counted per second, from the first to the last', () => {
    const at = (ms: number) => ({ lead_id: '', at: ms, ended: ms, answered: true });
    const taken = [0, 500, 1_000, 2_000].map((ms) => ({
      ...at(ms),
      decision: 'accepted' as const,
    }));
    expect(takenPerSecond([...taken, { ...at(9_000), decision: 'busy' }])).toBe(2);
    expect(takenPerSecond([])).toBe(0);
  });
});

describe('the fates of acknowledged leads', () => {
  it('are accepted once, or held and listed', () => {
    const run = aRun();
    sold(run);
    const waits = held(run);
    expect(fatesOf(run.finish(), 'c1', 'holding')).toEqual({
      acknowledged: 2,
      once: 1,
      held: [waits.lead._id],
      wrong: [],
      sentAgain: [],
      unlisted: [],
      heldForNothing: [],
    });
  });

  it('are held needlessly when the buyer did answer', () => {
    const run = aRun();
    const waits = held(run);
    const evidence = run.finish();
    for (const line of evidence.journal) if (line.step === 'cut') line.step = 'answered';
    expect(fatesOf(evidence, 'c1', 'holding').heldForNothing).toEqual([waits.lead._id]);
  });

  it('are wrong when a lead was accepted twice, or never', () => {
    const run = aRun();
    const twice = sold(run);
    run.request(twice.row, 'accepted', 'answered', 500);
    const never = sold(run);
    const evidence = run.finish();
    evidence.journal = evidence.journal.filter(({ lead_id }) => lead_id !== never.lead._id);
    expect(fatesOf(evidence, 'c1', 'holding')).toMatchObject({
      wrong: [twice.lead._id, never.lead._id],
      sentAgain: [twice.lead._id],
    });
  });

  it('are unlisted when a request was not answered and the lead is not held', () => {
    const run = aRun();
    const forgotten = held(run);
    forgotten.row.state = 'failed';
    expect(fatesOf(run.finish(), 'c1', 'holding').unlisted).toEqual([forgotten.lead._id]);
  });
});
