/** One kind of request under load: the number answered, the latency, and the cost of each. */
import { getOwn } from '../../../src/lib/getOwn.js';
import { coresDuring, coresLine, type Cores, type CpuGroups } from '../meters/cores.js';
import { told, type Cost, type Meter } from '../meters/cost.js';
import { groupsBetween, groupsLine, type GroupMeans, type GroupSums } from '../meters/groups.js';
import { OPEN } from '../part.js';
import { latencyOf, type Latency } from './latency.js';
import { closedLoop, openLoop, type LoadResult, type Sample } from './load.js';

export interface Sender {
  /** Sends the n-th request. Its class: the answer, or the status or error of a failure. */
  send(n: number): Promise<string>;
  /** How many requests were sent so far. */
  sent(): number;
}

export interface Stage extends Sender {
  /** Measures the cost of each request, and waits until the reports have counted all. */
  meter?: Meter;
  /** Reports how the processors were shared within the window of a saturated stage. */
  cpuGroups?: CpuGroups;
  /** Reads the groups of the intake settled so far, to report their size. */
  groups?(): Promise<GroupSums>;
  /** Seconds that do not count. */
  warmUp: number;
  say(line: string): void;
}

export interface Row extends Latency {
  name: string;
  /** Answered without an error, and done: a lead whose delivery is pending does not count. */
  perSecond: number;
  kinds: Record<string, number>;
  errors: number;
  /** Leads that were accepted and not delivered by their answer. */
  pending: number;
  cost?: Cost;
  cores?: Cores;
  /** Over the window and its warm-up. */
  groups?: GroupMeans;
}

/** Numbers the requests. */
export function senderOf(send: (n: number) => Promise<string>): Sender {
  let sent = 0;
  return { send: (n) => ((sent += 1), send(n)), sent: () => sent };
}

/** `open` requests at once, without a pause. */
export async function saturate(stage: Stage, open: number, seconds: number): Promise<Row> {
  let watching: Promise<Cores> | undefined;
  const made = await row(`${open} open`, stage, (send) => {
    const { cpuGroups, warmUp } = stage;
    if (cpuGroups) watching = coresDuring(cpuGroups, warmUp, seconds);
    return closedLoop(open, seconds, warmUp, send);
  });
  const cores = await watching;
  if (!cores) return made;
  stage.say(`    ${coresLine(cores)}`);
  return { ...made, cores };
}

/** The first seconds of a process are its slowest: the service and each reference run as long before anything counts. */
export const FIRST_SECONDS = 4;

export const warmProcess = (sender: Sender, say: Stage['say']): Promise<Row> =>
  saturate({ ...sender, say, warmUp: 0 }, OPEN, FIRST_SECONDS);

/** Requests at an even rate, however long the answers take. */
export const arrive = (stage: Stage, perSecond: number, seconds: number): Promise<Row> =>
  row(`${perSecond} a second for ${seconds} s`, stage, async (send) => {
    const from = performance.now();
    const load = await openLoop(perSecond, seconds, stage.warmUp, send);
    // The loop ends when the last request is answered.
    const took = (performance.now() - from) / 1_000 - stage.warmUp;
    return { ...load, seconds: Math.max(load.seconds, took) };
  });

/** A failure: an HTTP status, or no answer. */
export const isError = ({ kind }: Pick<Sample, 'kind'>): boolean => /^\d{3} |Error/.test(kind);

/** The class of a lead whose supplier received `pending`. */
export const PENDING = 'delivery pending';

async function row(
  name: string,
  stage: Stage,
  run: (send: () => Promise<string>) => Promise<LoadResult>,
): Promise<Row> {
  let load: LoadResult = { samples: [], seconds: 1 };
  let groups: GroupMeans | undefined;
  const work = async (): Promise<number> => {
    const before = stage.sent();
    const groupsBefore = await stage.groups?.();
    const from = performance.now();
    load = await run(() => stage.send(stage.sent()));
    const elapsedSeconds = (performance.now() - from) / 1_000;
    const groupsAfter = await stage.groups?.();
    if (groupsBefore && groupsAfter)
      groups = groupsBetween(groupsBefore, groupsAfter, elapsedSeconds);
    return stage.sent() - before;
  };
  const cost = await (stage.meter?.measure(work) ?? work().then(() => undefined));
  const { samples, seconds } = load;
  const kinds: Record<string, number> = {};
  for (const { kind } of samples) kinds[kind] = (getOwn(kinds, kind) ?? 0) + 1;
  const errors = samples.filter(isError).length;
  const pending = getOwn(kinds, PENDING) ?? 0;
  const made: Row = {
    name,
    perSecond: Math.round((samples.length - errors - pending) / seconds),
    kinds,
    errors,
    pending,
    ...latencyOf(samples),
    ...(cost ? { cost } : {}),
    ...(groups ? { groups } : {}),
  };
  const { perSecond, p50, p95, p99 } = made;
  stage.say(
    `  ${name}: ${perSecond}/s, p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, errors ${errors}, ` +
      JSON.stringify(kinds),
  );
  if (groups) stage.say(`    ${groupsLine(groups)}`);
  if (cost) stage.say(`    ${told(cost)}`);
  if (load.latestMs !== undefined)
    stage.say(`    requests were begun at most ${load.latestMs} ms late`);
  return made;
}
