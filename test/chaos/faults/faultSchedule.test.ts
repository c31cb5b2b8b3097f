import { describe, expect, it } from '@jest/globals';
import {
  killsOf,
  scheduleFaults,
  targetsOf,
  type ScheduledFault,
  type FaultScheduleOptions,
} from './faultSchedule.js';
import { LAYOUT_NAMES } from '../cluster/layouts.js';

const SHAPE: FaultScheduleOptions = {
  seed: 'one',
  layout: 'together',
  kills: 200,
  seconds: 600,
  buyers: ['first', 'second', 'third'],
  parking: ['first', 'second'],
};

const endOf = (fault: ScheduledFault): number => fault.at + ('forMs' in fault ? fault.forMs : 0);
const ofKind = <K extends ScheduledFault['kind']>(plan: readonly ScheduledFault[], kind: K) =>
  plan.filter((fault): fault is Extract<ScheduledFault, { kind: K }> => fault.kind === kind);

describe('the schedule of faults', () => {
  it('is the same for the same seed, and differs for another seed', () => {
    expect(scheduleFaults(SHAPE)).toEqual(scheduleFaults(SHAPE));
    expect(scheduleFaults({ ...SHAPE, seed: 'two' })).not.toEqual(scheduleFaults(SHAPE));
  });

  it.each([1, 18, 200])('kills exactly %i processes', (kills) => {
    expect(killsOf(scheduleFaults({ ...SHAPE, kills }))).toBe(kills);
  });

  it.each(LAYOUT_NAMES)(
    'kills every process, pairs, and all at once, where they run %s',
    (layout) => {
      const sets = ofKind(scheduleFaults({ ...SHAPE, layout }), 'kill').map(
        ({ targets }) => targets,
      );
      const targets = targetsOf(layout);
      for (const target of targets) expect(sets).toContainEqual([target]);
      expect(sets.some((set) => set.length === 2)).toBe(true);
      expect(sets.some((set) => set.length === targets.length)).toBe(true);
      expect(sets.flat().filter((target) => !targets.includes(target))).toEqual([]);
    },
  );

  it.each(LAYOUT_NAMES)('stops and restarts only processes that run %s', (layout) => {
    const plan = scheduleFaults({ ...SHAPE, layout, kinds: ['stop', 'restart'] });
    const names: readonly string[] = targetsOf(layout);
    expect(plan.length).toBeGreaterThan(15);
    expect(plan.flatMap(({ targets }) => targets).filter((one) => !names.includes(one))).toEqual(
      [],
    );
  });

  it('keeps some buyers busy from the beginning, and no other fault ends that sooner', () => {
    const busyAtFirst = { buyers: ['third'], forMs: 20_000 };
    const own = ofKind(scheduleFaults({ ...SHAPE, busyAtFirst }), 'buyer').filter(({ targets }) =>
      targets.includes('third'),
    );
    expect(own).toEqual([
      { kind: 'buyer', at: 0, forMs: 20_000, mode: 'busy', targets: ['third'] },
    ]);
  });

  it('starts all faults in order and ends them within the time of faults', () => {
    const plan = scheduleFaults(SHAPE);
    expect(plan.map(({ at }) => at)).toEqual(plan.map(({ at }) => at).toSorted((a, b) => a - b));
    for (const fault of plan) {
      expect(fault.at).toBeGreaterThanOrEqual(0);
      expect(endOf(fault)).toBeLessThanOrEqual(SHAPE.seconds * 1_000);
    }
  });

  it('stops a process for 5 to 20 seconds, one at a time', () => {
    const stops = ofKind(scheduleFaults(SHAPE), 'stop');
    expect(stops.length).toBeGreaterThan(15);
    stops.forEach((stop, index) => {
      expect(stop.forMs).toBeGreaterThanOrEqual(5_000);
      expect(stop.forMs).toBeLessThanOrEqual(20_000);
      expect(stop.at).toBeGreaterThanOrEqual(
        endOf(stops[index - 1] ?? { ...stop, at: 0, forMs: 0 }),
      );
    });
  });

  it('deletes the store of Temporal only while buyers are made to park leads', () => {
    const plan = scheduleFaults(SHAPE);
    const deletions = ofKind(plan, 'delete_temporal');
    expect(deletions).toHaveLength(2);
    for (const { at } of deletions) {
      const around = ofKind(plan, 'buyer').filter(
        (fault) => fault.at < at && endOf(fault) > at && fault.mode === 'busy',
      );
      expect(around.map(({ targets }) => targets)).toContainEqual(SHAPE.parking);
    }
  });

  it('sets buyers to test mode while leads wait for them, and never in a short run', () => {
    const shape = { ...SHAPE, changing: ['third'] };
    const plan = scheduleFaults(shape);
    const changes = ofKind(plan, 'test_mode');
    expect(changes.length).toBeGreaterThan(5);
    for (const { at, targets } of changes) {
      expect(targets).toEqual(['third']);
      expect(plan).toContainEqual({
        kind: 'buyer',
        at: at - 4_000,
        forMs: 8_000,
        targets: ['third'],
        mode: 'busy',
      });
    }
    expect(ofKind(scheduleFaults({ ...shape, seconds: 44 }), 'test_mode')).toEqual([]);
    expect(ofKind(scheduleFaults(SHAPE), 'test_mode')).toEqual([]);
  });

  it('leaves the store of Temporal alone in a short run', () => {
    expect(ofKind(scheduleFaults({ ...SHAPE, seconds: 30 }), 'delete_temporal')).toEqual([]);
  });

  it('has only the requested kinds', () => {
    const plan = scheduleFaults({ ...SHAPE, kinds: ['stop', 'buyer'] });
    expect(new Set(plan.map(({ kind }) => kind))).toEqual(new Set(['stop', 'buyer']));
  });
});
