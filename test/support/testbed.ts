/**
 * The one way to a service in tests: the service on the real MongoDB and Temporal of the test run, and markets, each an
 * account whose buyers answer as the test says. Without options the files of a process share one service, and find its
 * database empty. Helpers of single areas add to it, and end what they start by `onStop`:
 * `test/automations/eventFlow.ts`, `test/outcomes/postbacks/postbackServers.ts`.
 */
import { reconcile, type ReconcileReport } from '../../src/app/reconcile.js';
import type { Deps } from '../../src/app/deps.js';
import type { Role } from '../../src/app/role.js';
import type { Service } from '../../src/app/service.js';
import type { FakeBuyer } from './fakeBuyer.js';
import { leadReader, type LeadReader } from './leadReader.js';
import { startMarkets, type Market, type MarketSpec } from './market.js';
import { startServiceBed, type ServiceBed } from './service.js';
import { leaveSharedService, takeSharedService } from './sharedService.js';

export type { Market, MarketSpec } from './market.js';

export interface TestbedOptions {
  /**
   * A database and a service that no other file of the process uses: for tests that start or stop services, count
   * commands, or break what a service reads. Each of the other options implies it.
   */
  own?: boolean;
  /** The role that this process runs, default `all`; null starts none, for tests of parts on a database. */
  role?: Role | null;
  /** Settings of the service, in addition to those of the test run. */
  settings?: Record<string, string>;
  /** Changes the dependencies of the service, for instance to let a store fail. */
  alter?: (deps: Deps) => Deps;
  /** Addresses of proxies, by which the service alone reaches its servers: the test loses none of them. */
  through?: { mongodbUri?: string; temporalAddress?: string };
}

type Started = Service & { url: string };

export interface Testbed extends ServiceBed, LeadReader {
  /** @throws {Error} when the testbed starts no role */
  service: Started;
  /** Base URL of its API. */
  url: string;
  /** Another API on the same database, as of another process. */
  otherApi(): Promise<Started>;
  /** One server for the buyers of all markets, each at its path; any other path is answered 200. */
  buyers: FakeBuyer;
  /** An account of its own, whose buyers answer as the spec says. */
  market(spec?: MarketSpec): Promise<Market>;
  /** One round of `reconcile`, now. */
  repair(): Promise<ReconcileReport>;
}

export function startTestbed(options: TestbedOptions = {}): Promise<Testbed> {
  return Object.keys(options).length === 0 ? shareTestbed() : startOwnTestbed(options);
}

async function startOwnTestbed({
  role = 'all',
  settings = {},
  alter,
  through,
}: TestbedOptions): Promise<Testbed> {
  const bed = await startServiceBed();
  const service = role === null ? null : await bed.start(role, settings, { alter, through });
  return testbedOf({ bed, service, otherApi: () => bed.start('api', settings) });
}

/** What ends with it are the markets and the steps of `onStop`; the service goes on. */
async function shareTestbed(): Promise<Testbed> {
  const shared = await takeSharedService();
  const closings: (() => Promise<unknown>)[] = [];
  const refused = () =>
    Promise.reject(new Error('Roles are started by a testbed with `own: true`'));
  const stop = async () => {
    await Promise.all(closings.splice(0).map((close) => close()));
    await leaveSharedService(shared);
  };
  const bed: ServiceBed = {
    ...shared.bed,
    start: refused,
    spawn: refused,
    onStop: (close) => void closings.push(close),
    stop,
  };
  return testbedOf({ ...shared, bed });
}

interface Parts {
  bed: ServiceBed;
  service: Started | null;
  otherApi: () => Promise<Started>;
}

async function testbedOf({ bed, service: started, otherApi }: Parts): Promise<Testbed> {
  const service = () => {
    if (!started) throw new Error('The testbed starts no role: there is no service');
    return started;
  };
  const markets = await startMarkets({ ...bed, service });
  bed.onStop(() => markets.stop());
  return {
    ...bed,
    ...leadReader(bed.collections),
    get service() {
      return service();
    },
    url: started?.url ?? '',
    otherApi,
    buyers: markets.server,
    market: (spec) => markets.open(spec),
    repair: () => reconcile(service().deps),
  };
}
