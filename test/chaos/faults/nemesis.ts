/** Carries out a schedule of faults, and records what it actually did. */
import { setTimeout as delay } from 'node:timers/promises';
import { getOwn } from '../../../src/lib/getOwn.js';
import type { BuyerMode } from '../buyers/behaviors.js';
import type { Fault } from '../evidence/evidence.js';
import type { NetworkMode, ScheduledFault, Target } from './faultSchedule.js';
import type { Victim } from '../cluster/supervised.js';

export interface Battlefield {
  /** By the names of targets. */
  victims: Readonly<Record<string, Victim>>;
  /** False when it is down already. */
  deleteTemporal(): boolean;
  /** Null ends the fault. */
  setNetwork(buyers: readonly string[], mode: NetworkMode | null, share: number): Promise<void>;
  setBuyers(buyers: readonly string[], mode: BuyerMode | null): Promise<void>;
  /** Resolves when the account is changed, however long its database is away. */
  setTestMode(buyers: readonly string[], isTest: boolean): Promise<void>;
}

/** @throws {Error} naming the target, when the service has no process of that name */
export function victimOf({ victims }: Pick<Battlefield, 'victims'>, target: string): Victim {
  const victim = getOwn(victims, target);
  if (!victim) throw new Error(`There is no process named ${target}`);
  return victim;
}

export interface Nemesis {
  /** Processes killed so far. */
  kills(): number;
  /** Resolves when the whole schedule is done and every temporary fault is mended. */
  done: Promise<void>;
}

/**
 * Maximum wait for processes that are being started again, in milliseconds: on a slow machine the
 * kills come later, or the service would never be whole and have nothing to lose.
 */
const READY_WITHIN_MS = 20_000;

export function unleash(
  plan: readonly ScheduledFault[],
  field: Battlefield,
  record: (fault: Fault) => void,
): Nemesis {
  const began = performance.now();
  const lasts = Math.max(0, ...plan.map(({ at }) => at));
  let kills = 0;
  let behind = 0;

  const until = (at: number): Promise<void> => delay(Math.max(0, at - (performance.now() - began)));

  const kill = async (
    targets: readonly Target[],
    type: Fault['type'],
    starting: boolean,
  ): Promise<void> => {
    const victims = targets.map((target) => victimOf(field, target));
    await alive(victims);
    // At twice the time of the schedule, the waiting stops.
    if (!starting && behind < lasts) await serving(Object.values(field.victims));
    const at = Date.now();
    const hit = victims.filter((victim) =>
      type === 'delete_temporal' ? field.deleteTemporal() : victim.kill(),
    );
    if (hit.length === 0) return;
    kills += hit.length;
    const names = hit.map(({ name }) => name);
    record({ kind: 'fault', at, type, targets: roleNames(names), detail: names.join(' ') });
  };

  const lasting = async (
    { forMs }: { forMs: number },
    fault: Omit<Fault, 'kind' | 'at' | 'ended'>,
    begin: () => unknown,
    end: () => unknown,
  ): Promise<void> => {
    const at = Date.now();
    await begin();
    await delay(forMs);
    await end();
    record({ kind: 'fault', at, ended: Date.now(), ...fault });
  };

  const carryOut = async (fault: ScheduledFault): Promise<void> => {
    const [target = ''] = fault.targets;
    const said = { type: fault.kind, targets: roleNames(fault.targets) };
    switch (fault.kind) {
      case 'kill':
      case 'delete_temporal':
        return kill(fault.targets, fault.kind, fault.kind !== 'kill' || fault.starting === true);
      case 'restart': {
        const victim = victimOf(field, target);
        const at = Date.now();
        if (victim.signal('SIGTERM') !== null) record({ kind: 'fault', at, ...said });
        return;
      }
      case 'stop': {
        const victim = victimOf(field, target);
        await alive([victim]);
        let pid: number | null = null;
        return lasting(
          fault,
          { ...said, detail: victim.name },
          () => (pid = victim.signal('SIGSTOP')),
          () => pid !== null && victim.signal('SIGCONT', pid),
        );
      }
      case 'network':
        return lasting(
          fault,
          { ...said, detail: `${fault.mode} ${fault.share}` },
          () => field.setNetwork(fault.targets, fault.mode, fault.share),
          () => field.setNetwork(fault.targets, null, 0),
        );
      case 'buyer':
        return lasting(
          fault,
          { ...said, detail: fault.mode },
          () => field.setBuyers(fault.targets, fault.mode),
          () => field.setBuyers(fault.targets, null),
        );
      case 'test_mode': {
        await field.setTestMode(fault.targets, true);
        // It holds for certain from the answer of one change until the other begins.
        const at = Date.now();
        await delay(fault.forMs);
        const ended = Date.now();
        await field.setTestMode(fault.targets, false);
        record({ kind: 'fault', at, ended, ...said });
        return;
      }
    }
  };

  /** Kills run one after another, so that each finds its victim alive; every other fault runs at its own time. */
  const lanes = [
    plan.filter(({ kind }) => kind === 'kill'),
    ...plan.filter(({ kind }) => kind !== 'kill').map((fault) => [fault]),
  ];
  const done = Promise.all(
    lanes.map(async (lane) => {
      for (const fault of lane) {
        if (fault.kind !== 'kill') await until(fault.at);
        else await until(fault.at + behind);
        await carryOut(fault);
        // The next kill keeps its distance, so that there is work to be lost in between.
        if (fault.kind === 'kill') behind = performance.now() - began - fault.at;
      }
    }),
  ).then(() => undefined);
  return { kills: () => kills, done };
}

const alive = (victims: readonly Victim[]): Promise<unknown> =>
  Promise.all(victims.map((victim) => victim.alive(READY_WITHIN_MS)));

const serving = (victims: readonly Victim[]): Promise<unknown> =>
  Promise.race([
    Promise.all(victims.map((victim) => victim.ready())),
    delay(READY_WITHIN_MS, undefined, { ref: false }),
  ]);

/** Faults are recorded by role: `worker-1` is a worker. */
const roleNames = (names: readonly string[]): string[] =>
  names.map((name) => name.replace(/-[12]$/, ''));
