/**
 * Looks for what a person should know of, and tells it by events. Safe to repeat, in parallel with itself, and after an
 * interruption at any point: a condition is one document, which is raised once, and its event is written with it.
 */
import { insertNew } from '../platform/mongo/insertNew.js';
import type { AlertDeps } from './deps.js';
import { eachCampaign } from './eachCampaign.js';
import { createAlertStore } from './store/alerts.js';
import { watchAcceptance } from './watchAcceptance.js';
import { watchCaps } from './watchCaps.js';
import { watchQueues } from './watchQueues.js';
import { watchSuppliers } from './watchSuppliers.js';

/** Suppliers and acceptance change slowly: they are looked at every ten minutes. */
const CAMPAIGNS_EVERY_MS = 600_000;
/** Caps of some campaigns are read together; suppliers take queries of their own, and a campaign may have hundreds. */
const AT_ONCE = { caps: 20, campaigns: 1 };
const PUBLISHED_MAX = 100;

/** Called every minute. @throws {Error} the first failure, after everything has been tried */
export async function lookOut(deps: AlertDeps): Promise<void> {
  const looks = [
    () => watchQueues(deps),
    () =>
      eachCampaign(
        { _id: 'caps', everyMs: 0, atOnce: AT_ONCE.caps },
        (plans) => watchCaps(plans, deps),
        deps,
      ),
    () =>
      eachCampaign(
        { _id: 'campaigns', everyMs: CAMPAIGNS_EVERY_MS, atOnce: AT_ONCE.campaigns },
        async (plans) => {
          await watchSuppliers(plans, deps);
          await watchAcceptance(plans, deps);
        },
        deps,
      ),
    // Also what a process that died has raised.
    () => publishAlerts(deps),
  ];
  const failures: unknown[] = [];
  for (const look of looks) await look().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Publishes the events of alerts. Repeating it changes nothing: their ids are stored. */
async function publishAlerts({ collections, clock, publishEvents }: AlertDeps): Promise<void> {
  const store = createAlertStore(collections.alerts);
  const recorded_at = clock.now();
  for (const { _id, untold = [] } of await store.findUntold(PUBLISHED_MAX)) {
    await insertNew(
      collections.events,
      untold.map((event) => ({ ...event, recorded_at })),
    );
    await publishEvents?.(untold);
    await store.told(
      _id,
      untold.map((event) => event._id),
    );
  }
}
