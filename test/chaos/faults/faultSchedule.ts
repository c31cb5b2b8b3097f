/** The schedule of faults: the same seed and options give the same schedule. */
import type { BuyerMode } from '../buyers/behaviors.js';
import { LAYOUTS, type LayoutName, type ProcessName } from '../cluster/layouts.js';
import { createRandom, type Random } from '../prng.js';

export type Target = ProcessName | 'temporal' | 'mongod';

/** Every process that can be killed in this layout. */
export const targetsOf = (layout: LayoutName): Target[] => [
  ...LAYOUTS[layout].roles.map(([name]) => name),
  'temporal',
  'mongod',
];

export const FAULT_KINDS = [
  'kill',
  'stop',
  'restart',
  'delete_temporal',
  'network',
  'buyer',
  'test_mode',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** What the network does to a buyer's connections. */
export type NetworkMode = 'refuse' | 'cut_before' | 'cut_after' | 'cut_mid_answer' | 'hang';

interface Planned {
  /** Milliseconds after the first moment at which a fault may come. */
  at: number;
}
interface Lasting extends Planned {
  forMs: number;
}
export type ScheduledFault =
  /** SIGKILL of all targets at once; `starting`: even while something is still being started again. */
  | (Planned & { kind: 'kill'; targets: Target[]; starting?: boolean })
  /** SIGSTOP, and SIGCONT after `forMs`. */
  | (Lasting & { kind: 'stop'; targets: [Target] })
  /** A graceful stop and start, as when a new version is deployed. */
  | (Planned & { kind: 'restart'; targets: [Target] })
  /** SIGKILL of Temporal; its store is empty when it comes back. */
  | (Planned & { kind: 'delete_temporal'; targets: ['temporal'] })
  | (Lasting & { kind: 'network'; targets: string[]; mode: NetworkMode; share: number })
  | (Lasting & { kind: 'buyer'; targets: string[]; mode: BuyerMode })
  /** The account sets the buyers to test mode, and back to live after `forMs`. */
  | (Lasting & { kind: 'test_mode'; targets: string[] });

export interface FaultScheduleOptions {
  seed: string;
  layout: LayoutName;
  /** Processes to kill in total. */
  kills: number;
  /** How long the faults go on. */
  seconds: number;
  /** Names of the buyers. */
  buyers: readonly string[];
  /** Buyers that are down while the store of Temporal is deleted, so that leads are parked. */
  parking: readonly string[];
  /** Buyers that are set to test mode while leads wait for them. */
  changing?: readonly string[];
  /** Default: all kinds. */
  kinds?: readonly FaultKind[];
  /** Buyers that are busy for `forMs` from the beginning: leads wait for them. */
  busyAtFirst?: { buyers: readonly string[]; forMs: number };
}

/** A run shorter than this leaves the store of Temporal alone, in seconds. */
const DELETE_FROM_S = 45;
/** A run longer than this deletes it twice, in seconds. */
const DELETE_TWICE_S = 400;

export function scheduleFaults(shape: FaultScheduleOptions): ScheduledFault[] {
  const kinds = new Set<FaultKind>(shape.kinds ?? FAULT_KINDS);
  const lanes: Record<FaultKind, () => ScheduledFault[]> = {
    kill: () => scheduleKills(shape),
    stop: () => scheduleStops(shape),
    restart: () => scheduleRestarts(shape),
    delete_temporal: () => scheduleDeletions(shape),
    network: () => scheduleNetwork(shape),
    buyer: () => [...scheduleBuyers(shape), ...scheduleWaiting(shape)],
    test_mode: () => scheduleTestModes(shape),
  };
  return FAULT_KINDS.filter((kind) => kinds.has(kind))
    .flatMap((kind) => lanes[kind]())
    .sort((a, b) => a.at - b.at);
}

/** How many processes a schedule kills. */
export const killsOf = (plan: readonly ScheduledFault[]): number =>
  plan.reduce((sum, { kind, targets }) => sum + (kind === 'kill' ? targets.length : 0), 0);

type TargetSets = readonly (readonly [choose: (random: Random) => Target[], weight: number])[];

function setsOf(layout: LayoutName): TargetSets {
  const { serving, deciding } = LAYOUTS[layout];
  const all = targetsOf(layout);
  return [
    [(random) => [random.pick(serving)], 18],
    [(random) => [random.pick(deciding)], 26],
    [() => ['delivery'], 14],
    [() => ['temporal'], 13],
    [() => ['mongod'], 13],
    [(random) => random.shuffled(all).slice(0, 2), 13],
    [() => [...all], 3],
  ];
}

/** The share of kills that do not wait until the service is whole again. */
const STARTING = 0.25;

function scheduleKills({ seed, kills, seconds, layout }: FaultScheduleOptions): ScheduledFault[] {
  const random = createRandom(seed, 'kills');
  const kinds = setsOf(layout);
  const sets: Target[][] = [];
  for (let left = kills; left > 0; left -= sets.at(-1)?.length ?? left) {
    const chosen = random.weighted(kinds)(random);
    sets.push(chosen.length <= left ? chosen : chosen.slice(0, left));
  }
  const spacing = (seconds * 1_000) / sets.length;
  return sets.map((targets, index) => ({
    kind: 'kill',
    at: Math.round((index + random.next()) * spacing),
    targets,
    starting: random.next() < STARTING,
  }));
}

/** One after another, with pauses between them, never past the end of the faults. */
function inTurn(
  random: Random,
  seconds: number,
  [gapFrom, gapTo]: readonly [number, number],
  [lastFrom, lastTo]: readonly [number, number],
): { at: number; forMs: number }[] {
  const turns: { at: number; forMs: number }[] = [];
  for (let at = random.between(gapFrom, gapTo); ;) {
    const forMs = random.between(lastFrom, lastTo);
    if (at + forMs > seconds * 1_000) return turns;
    turns.push({ at, forMs });
    at += forMs + random.between(gapFrom, gapTo);
  }
}

/** By role: a process with several roles is stopped as often as all processes that share one of them. */
const STOP_WEIGHTS = { serving: 4, deciding: 14, delivery: 5, server: 2 };

function stopsOf(layout: LayoutName): (readonly [Target, number])[] {
  const { serving, deciding } = LAYOUTS[layout];
  return [
    ...serving.map((name) => [name, STOP_WEIGHTS.serving / serving.length] as const),
    ...deciding.map((name) => [name, STOP_WEIGHTS.deciding / deciding.length] as const),
    ['delivery', STOP_WEIGHTS.delivery],
    ['temporal', STOP_WEIGHTS.server],
    ['mongod', STOP_WEIGHTS.server],
  ];
}

/** Longer than leases and deadlines: a resumed process is out of date. */
function scheduleStops({ seed, seconds, layout }: FaultScheduleOptions): ScheduledFault[] {
  const random = createRandom(seed, 'stops');
  const stops = stopsOf(layout);
  return inTurn(random, seconds, [3_000, 20_000], [5_000, 20_000]).map((turn) => ({
    ...turn,
    kind: 'stop',
    targets: [random.weighted(stops)],
  }));
}

function scheduleRestarts({ seed, seconds, layout }: FaultScheduleOptions): ScheduledFault[] {
  const random = createRandom(seed, 'restarts');
  const names = LAYOUTS[layout].roles.map(([name]) => name);
  return inTurn(random, seconds, [20_000, 60_000], [0, 0]).map(({ at }) => ({
    at,
    kind: 'restart',
    targets: [random.pick(names)],
  }));
}

const NETWORK_MODES = ['refuse', 'cut_before', 'cut_after', 'cut_mid_answer', 'hang'] as const;

function scheduleNetwork({ seed, seconds, buyers }: FaultScheduleOptions): ScheduledFault[] {
  const random = createRandom(seed, 'network');
  return inTurn(random, seconds, [1_000, 6_000], [2_000, 10_000]).map((turn) => ({
    ...turn,
    kind: 'network',
    targets: [random.pick(buyers)],
    mode: random.pick(NETWORK_MODES),
    share: random.pick([0.2, 0.5, 1]),
  }));
}

const BAD_PHASES = ['flaky', 'busy', 'limited', 'hanging', 'refuse', 'reset'] as const;

function scheduleBuyers({
  seed,
  seconds,
  buyers: all,
  busyAtFirst,
}: FaultScheduleOptions): ScheduledFault[] {
  const random = createRandom(seed, 'buyers');
  // A phase that ends would also end the wait.
  const buyers = all.filter((name) => !busyAtFirst?.buyers.includes(name));
  if (buyers.length === 0) return [];
  return inTurn(random, seconds, [1_000, 6_000], [3_000, 12_000]).map((turn) => ({
    ...turn,
    kind: 'buyer',
    targets: [random.pick(buyers)],
    mode: random.pick(BAD_PHASES),
  }));
}

const scheduleWaiting = ({ busyAtFirst }: FaultScheduleOptions): ScheduledFault[] =>
  busyAtFirst === undefined || busyAtFirst.buyers.length === 0
    ? []
    : [
        {
          kind: 'buyer',
          at: 0,
          forMs: busyAtFirst.forMs,
          mode: 'busy',
          targets: [...busyAtFirst.buyers],
        },
      ];

/** A run shorter than this changes no mode: a lead that its buyer must not have is checked again after a minute. */
const MODES_FROM_S = 45;
/** Leads begin to wait this long before the mode changes, and may be sent again this long after it. */
const WAIT_MS = 4_000;

/** Each change with the buyers down around it: leads wait that the buyers must not have for a while. */
function scheduleTestModes({ seed, seconds, changing = [] }: FaultScheduleOptions) {
  if (seconds < MODES_FROM_S || changing.length === 0) return [];
  const random = createRandom(seed, 'modes');
  const turns = inTurn(random, seconds, [10_000, 40_000], [20_000, 30_000]);
  return turns.flatMap(({ at, forMs }): ScheduledFault[] => [
    { kind: 'buyer', at: at - WAIT_MS, forMs: 2 * WAIT_MS, targets: [...changing], mode: 'busy' },
    { kind: 'test_mode', at, forMs, targets: [...changing] },
  ]);
}

/** Each deletion with some buyers down around it, so that there is work to lose. */
function scheduleDeletions({ seed, seconds, parking }: FaultScheduleOptions): ScheduledFault[] {
  if (seconds < DELETE_FROM_S) return [];
  const random = createRandom(seed, 'deletions');
  const share = seconds > DELETE_TWICE_S ? [0.3, 0.7] : [0.5];
  return share.flatMap((part): ScheduledFault[] => {
    const at = Math.round((part + random.next() / 10) * seconds * 1_000);
    return [
      { kind: 'buyer', at: at - 6_000, forMs: 12_000, targets: [...parking], mode: 'busy' },
      { kind: 'delete_temporal', at, targets: ['temporal'] },
    ];
  });
}
