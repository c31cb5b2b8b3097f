/**
 * The one harness of tests that need more than a function: a database of the test file's own, the service on the real
 * MongoDB and Temporal of the test run, and markets, each an account whose buyers answer as the test says. Helpers of
 * single areas add to it, and end what they start by `onStop`: `test/automations/eventFlow.ts`,
 * `test/outcomes/postbacks/postbackServers.ts`.
 */
import { createActivities } from '../../activities/index.js';
import type { ReconcileReport } from '../../activities/reconcile.js';
import type { Deps } from '../../src/app/deps.js';
import type { Role } from '../../src/app/role.js';
import type { Service } from '../../src/app/service.js';
import type { FakeBuyer } from './fakeBuyer.js';
import { leadReader, type LeadReader } from './leadReader.js';
import { startMarkets, type Market, type MarketSpec } from './market.js';
import { startServiceBed, type ServiceBed } from './service.js';

export type { Market, MarketSpec } from './market.js';

export interface TestbedOptions {
  /** The role that this process runs, default `all`; null starts none, for tests of parts on a database. */
  role?: Role | null;
  /** Settings of the service, in addition to those of the test run. */
  settings?: Record<string, string>;
  /** Changes the dependencies of the service, for instance to let a store fail. */
  alter?: (deps: Deps) => Deps;
}

export interface Testbed extends ServiceBed, LeadReader {
  /** @throws {Error} when the testbed starts no role */
  service: Service & { url: string };
  /** Base URL of its API. */
  url: string;
  /** One server for the buyers of all markets, each at its path; any other path is answered 200. */
  buyers: FakeBuyer;
  /** An account of its own, whose buyers answer as the spec says. */
  market(spec?: MarketSpec): Promise<Market>;
  /** One round of `reconcile`, now. */
  repair(): Promise<ReconcileReport>;
}

export async function startTestbed({
  role = 'all',
  settings = {},
  alter,
}: TestbedOptions = {}): Promise<Testbed> {
  const bed = await startServiceBed();
  const started = role === null ? null : await bed.start(role, settings, alter ? { alter } : {});
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
    buyers: markets.server,
    market: (spec) => markets.open(spec),
    repair: () => createActivities(service().deps).reconcile(),
  };
}
