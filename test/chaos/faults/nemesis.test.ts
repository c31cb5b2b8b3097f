import { describe, expect, it } from '@jest/globals';
import type { Fault } from '../evidence/evidence.js';
import { targetsOf, type ScheduledFault, type Target } from './faultSchedule.js';
import { unleash, type Battlefield } from './nemesis.js';
import type { Victim } from '../cluster/supervised.js';

const TARGETS = targetsOf('apart');

/** Every operation on a battlefield whose processes only record the signals they get. */
function aField(dead: readonly Target[] = []) {
  const deeds: string[] = [];
  const victimOf = (name: Target, index: number): Victim => ({
    name,
    alive: () => Promise.resolve(!dead.includes(name)),
    ready: () => Promise.resolve(),
    kill() {
      if (!dead.includes(name)) deeds.push(`kill ${name}`);
      return !dead.includes(name);
    },
    signal(signal, pid) {
      deeds.push(`${signal} ${name}${pid === undefined ? '' : ` ${pid}`}`);
      return index + 1;
    },
    end: () => Promise.resolve(),
    pid: () => index + 1,
    counts: () => ({ starts: 1, failed: 0 }),
    ends: () => [],
  });
  const field: Battlefield = {
    victims: Object.fromEntries(TARGETS.map((name, index) => [name, victimOf(name, index)])),
    deleteTemporal: () => deeds.push('delete temporal') > 0,
    setNetwork: (names, mode, share) =>
      Promise.resolve(void deeds.push(`network ${names.join()} ${mode ?? 'well'} ${share}`)),
    setBuyers: (names, mode) =>
      Promise.resolve(void deeds.push(`buyer ${names.join()} ${mode ?? 'well'}`)),
    setTestMode: (names, isTest) =>
      Promise.resolve(void deeds.push(`account ${names.join()} ${isTest ? 'test' : 'live'}`)),
  };
  return { deeds, field };
}

async function carryOut(plan: ScheduledFault[], dead: readonly Target[] = []) {
  const { deeds, field } = aField(dead);
  const faults: Fault[] = [];
  const nemesis = unleash(plan, field, (fault) => faults.push(fault));
  await nemesis.done;
  return { deeds, faults, kills: nemesis.kills() };
}

describe('the nemesis', () => {
  it('kills in the order of the plan, counts processes and names their roles', async () => {
    const { deeds, faults, kills } = await carryOut([
      { kind: 'kill', at: 0, targets: ['worker-2', 'mongod'], starting: false },
      { kind: 'kill', at: 10, targets: ['api'], starting: true },
    ]);
    expect(deeds).toEqual(['kill worker-2', 'kill mongod', 'kill api']);
    expect(kills).toBe(3);
    expect(faults).toMatchObject([
      { type: 'kill', targets: ['worker', 'mongod'], detail: 'worker-2 mongod' },
      { type: 'kill', targets: ['api'] },
    ]);
  });

  it('counts no kill of a process that was down', async () => {
    const plan: ScheduledFault[] = [
      { kind: 'kill', at: 0, targets: ['api', 'delivery'], starting: true },
    ];
    const { faults, kills } = await carryOut(plan, ['api']);
    expect(kills).toBe(1);
    expect(faults).toMatchObject([{ targets: ['delivery'] }]);
    expect(await carryOut(plan, ['api', 'delivery'])).toMatchObject({ kills: 0, faults: [] });
  });

  it('stops a process, and continues the same one', async () => {
    const { deeds, faults } = await carryOut([
      { kind: 'stop', at: 0, forMs: 30, targets: ['delivery'] },
    ]);
    const pid = TARGETS.indexOf('delivery') + 1;
    expect(deeds).toEqual(['SIGSTOP delivery', `SIGCONT delivery ${pid}`]);
    const [stop] = faults;
    expect((stop?.ended ?? 0) - (stop?.at ?? 0)).toBeGreaterThanOrEqual(25);
  });

  it('degrades buyers and their network for a time', async () => {
    const { deeds, faults } = await carryOut([
      { kind: 'network', at: 0, forMs: 10, targets: ['b1'], mode: 'cut_after', share: 0.5 },
      // Long after the network is well again, on a loaded machine too.
      { kind: 'buyer', at: 400, forMs: 10, targets: ['b1', 'b2'], mode: 'busy' },
    ]);
    expect(deeds).toEqual([
      'network b1 cut_after 0.5',
      'network b1 well 0',
      'buyer b1,b2 busy',
      'buyer b1,b2 well',
    ]);
    expect(faults.map(({ type, detail }) => `${type} ${detail ?? ''}`)).toEqual([
      'network cut_after 0.5',
      'buyer busy',
    ]);
  });

  it('sets buyers to test mode for a time, and records the time in which that holds for certain', async () => {
    const { deeds, faults } = await carryOut([
      { kind: 'test_mode', at: 0, forMs: 30, targets: ['b1', 'b2'] },
    ]);
    expect(deeds).toEqual(['account b1,b2 test', 'account b1,b2 live']);
    expect(faults).toMatchObject([{ type: 'test_mode', targets: ['b1', 'b2'] }]);
    expect((faults[0]?.ended ?? 0) - (faults[0]?.at ?? 0)).toBeGreaterThanOrEqual(25);
  });

  it('deletes the store of Temporal as one kill', async () => {
    const { deeds, kills, faults } = await carryOut([
      { kind: 'delete_temporal', at: 0, targets: ['temporal'] },
      { kind: 'restart', at: 20, targets: ['worker-1'] },
    ]);
    expect(deeds).toEqual(['delete temporal', 'SIGTERM worker-1']);
    expect(kills).toBe(1);
    expect(faults.map(({ type }) => type)).toEqual(['delete_temporal', 'restart']);
  });
});
