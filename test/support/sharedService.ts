/**
 * The whole service on a database, which the files of a process use one after another: a start costs more than most of
 * them do with it. Between two files the database is emptied, so that each finds the accounts that it makes and no
 * others, and what a file left to the service (rows for buyers that have gone, events) is no work for the next.
 */
import type { Service } from '../../src/app/service.js';
import { emptyDatabase } from './databasePool.js';
import { PING_KEY } from './pings.js';
import { atProcessEnd } from './processEnd.js';
import { startServiceBed, type ServiceBed } from './service.js';

type Started = Service & { url: string };

export interface SharedService {
  bed: ServiceBed;
  service: Started;
  /** A process with another API on the same database. */
  otherApi(): Promise<Started>;
}

/** Pings are signed by a key that tests know. */
const SETTINGS = { PING_TOKEN_KEYS: PING_KEY };
/** A service that nobody uses polls its servers, milliseconds: `.ci/longestFirst.mjs` puts the files together. */
const UNUSED_MS = 10_000;

let running: Promise<SharedService> | undefined;
let users = 0;
let unused: NodeJS.Timeout | undefined;

/** Starts it, unless it runs. */
export async function takeSharedService(): Promise<SharedService> {
  clearTimeout(unused);
  users++;
  running ??= startShared();
  return running;
}

/** To be called once by who took it, when what it started has ended. */
export async function leaveSharedService({ bed }: SharedService): Promise<void> {
  users--;
  if (users > 0) return;
  await emptyDatabase(bed.stack.database);
  unused = setTimeout(() => void endSharedService().catch(() => undefined), UNUSED_MS);
  unused.unref();
}

/** For a file that no service may run beside, for instance because it replaces the timers of the process. */
export async function endSharedService(): Promise<void> {
  clearTimeout(unused);
  const ending = running;
  running = undefined;
  users = 0;
  await (await ending)?.bed.stop();
}

async function startShared(): Promise<SharedService> {
  const bed = await startServiceBed();
  atProcessEnd(endSharedService);
  const service = await bed.start('all', SETTINGS);
  let other: Promise<Started> | undefined;
  return { bed, service, otherApi: () => (other ??= bed.start('api', SETTINGS)) };
}
