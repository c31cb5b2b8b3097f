/** Intake alone and beside operators who work in the console, in windows in turn. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../bench.js';
import type { IntakeLoad } from '../load/intakeLoad.js';
import { orError } from '../load/intakeLoad.js';
import { latencyOf, type Latency } from '../load/latency.js';
import { closedLoop, type Sample } from '../load/load.js';
import { arrive, isError } from '../load/stage.js';
import type { Say, Shape } from '../part.js';
import { medianOf } from '../report/figures.js';
import { readSpent } from './openScreens.js';
import type { Operators } from './operators.js';
import type { Screen } from './pages.js';

export const PEOPLE = 20;
/** Of them, those that follow new leads. */
const FOLLOWING = 5;
/** Between two screens of a person, milliseconds: the time to read one. */
export const READING_MS = 3_000;
/** A screen of today that stays open is read again so often. */
const REFRESH_MS = 30_000;
const PER_SECOND = 100;
const WARM_UP_SECONDS = 1;
/** Refusals that are told one by one. */
const SHOWN = 10;

interface Window extends Latency {
  commands: number;
  cpuMs: number;
}

export interface Beside {
  alone: Window[];
  beside: Window[];
  /** The screens of each window. */
  screens: (Latency & { opened: number })[];
  errors: number;
  /** Of the service and MongoDB, in addition to intake, for each screen. */
  perScreen: { commands: number; cpuMs: number };
  /** Leads that the feeds told. */
  followed: number;
}

interface Scene {
  bench: Bench;
  load: Pick<IntakeLoad, 'send' | 'sent'>;
  operators: Operators;
  screens: readonly Screen[];
  say: Say;
}

export async function besideOperators(scene: Scene, { seconds, rounds }: Shape): Promise<Beside> {
  const { bench, load, say } = scene;
  const stage = { ...load, say, warmUp: WARM_UP_SECONDS };
  const found = { alone: [] as Window[], beside: [] as Window[], followed: 0, errors: 0 };
  const screens: Beside['screens'] = [];
  const intake = async (): Promise<Window> => {
    const before = await readSpent(bench);
    const row = await arrive(stage, PER_SECOND, seconds);
    const after = await readSpent(bench);
    found.errors += row.errors;
    const { p50, p95, p99, max } = row;
    const commands = after.commands - before.commands;
    return { p50, p95, p99, max, commands, cpuMs: after.cpuMs - before.cpuMs };
  };
  const alone = async (): Promise<void> => {
    say('  leads alone:');
    found.alone.push(await intake());
  };
  const beside = async (): Promise<void> => {
    say('  beside operators:');
    const working = work(scene, seconds + WARM_UP_SECONDS);
    found.beside.push(await intake());
    const { samples, followed } = await working;
    const refused = samples.filter(isError);
    found.errors += refused.length;
    found.followed += followed;
    screens.push({ ...latencyOf(samples), opened: samples.length });
    const { p50, p95 } = latencyOf(samples);
    say(`    ${samples.length} screens, p50 ${p50} ms, p95 ${p95} ms, errors ${refused.length}`);
    if (refused.length > 0)
      bench.failures.push(
        `Screens: ${refused.length} were not answered with 200: ` +
          `${refused
            .slice(0, SHOWN)
            .map(({ kind }) => kind)
            .join(', ')}.`,
      );
  };
  for (let round = 0; round < rounds; round += 1)
    for (const window of round % 2 === 0 ? [alone, beside] : [beside, alone]) {
      await window();
      await bench.quiet();
    }
  return { ...found, screens, perScreen: costOf(found, screens) };
}

function costOf(
  { alone, beside }: Pick<Beside, 'alone' | 'beside'>,
  screens: Beside['screens'],
): Beside['perScreen'] {
  const opened = medianOf(screens.map((one) => one.opened)).value;
  const more = (part: 'commands' | 'cpuMs'): number => {
    const of = (windows: readonly Window[]) => medianOf(windows.map((one) => one[part])).value;
    return Math.round(((of(beside) - of(alone)) / Math.max(opened, 1)) * 10) / 10;
  };
  return { commands: more('commands'), cpuMs: more('cpuMs') };
}

/** Each person opens one screen after another; some follow new leads, and all have today open beside it. */
async function work(
  { operators, screens }: Scene,
  seconds: number,
): Promise<{ samples: Sample[]; followed: number }> {
  const samples: Sample[] = [];
  const ends = new AbortController();
  const feeds = Array.from({ length: FOLLOWING }, (_, n) => operators.follow(n, ends.signal));
  const open = async (screen: Screen, n: number): Promise<string> => {
    const from = performance.now();
    const kind = await orError(() => operators.open(screen, n));
    samples.push({ ms: performance.now() - from, kind });
    return kind;
  };
  const [today] = screens;
  let opened = 0;
  let refreshed = 0;
  await Promise.all([
    closedLoop(PEOPLE, seconds, 0, async () => {
      await delay(READING_MS * (0.5 + Math.random()));
      const n = opened++;
      const screen = screens[Math.floor(Math.random() * screens.length)];
      return screen ? open(screen, n) : 'none';
    }),
    closedLoop(1, seconds, 0, async () => {
      await delay(REFRESH_MS / PEOPLE);
      return today ? open(today, refreshed++) : 'none';
    }),
  ]);
  ends.abort();
  const followed = (await Promise.all(feeds)).reduce((sum, leads) => sum + leads, 0);
  return { samples, followed };
}
