/**
 * Repair: work that the records in MongoDB require and that no process does. In a healthy service it
 * finds nothing; it repairs a lost Temporal store and processes that died between two writes.
 */
import { settleApproved, type ChangeRepairDeps } from '../portal/repair/changes.js';
import type { Log } from '../lib/log.js';
import type { Returns } from '../outcomes/returns/service.js';
import type { RepairStore } from '../platform/mongo/repairs.js';
import type { LeadStarter } from '../distribution/starters.js';
import type { AlertDeps } from '../alerts/deps.js';
import { lookOut } from '../alerts/lookOut.js';
import { finishMoves } from '../account/timeZone.js';
import { moveWindows } from '../distribution/moveWindows.js';
import { recountAllDays } from '../reports/recountAllDays.js';
import { publishUnpublished } from '../account/repair/account.js';
import { recount, type RecountDeps } from '../distribution/repair/counters.js';
import { wakeOverdueBuyers, type OverdueBuyersDeps } from '../distribution/repair/destinations.js';
import { settleReservations, type HoldDeps } from '../distribution/repair/reservations.js';
import {
  wakeLostAutomations,
  type AutomationRepairDeps,
} from '../automations/repair/automations.js';
import { freeKeys } from '../ingest/repair/keys.js';
import {
  closeOverdue,
  restartChanges,
  type OutcomeRepairDeps,
} from '../outcomes/repair/outcomes.js';
import type { ExpiryDeps } from '../pings/expire.js';
import { expireOverdue, publishAbandoned } from '../pings/repair/pings.js';
import {
  recountAttemptDays,
  recountPingRollups,
  recountRollups,
} from '../reports/repair/recount.js';
import { createPace } from '../lib/pace.js';
import { claimStored } from '../account/repair/spreadsheets.js';
import { markUnflagged } from '../leads/repair/testFlags.js';
import { sealPlaintext, type SealingDeps } from '../account/repair/plaintext.js';
import { accountStages, type ResealingDeps } from '../account/repair/resealing.js';
import { peopleStages } from '../people/repair/resealing.js';
import { runStages } from '../platform/mongo/stagedRepair.js';
import { dropLeftImports } from '../account/repair/suppressionImports.js';
import { hashEntries, type HashingDeps } from '../account/repair/suppressions.js';
import { moveEvents, relayOutbox, type EventDeps } from '../automations/repair/relayOutbox.js';
import { recordLateSales, restartLeads, type RestartDeps } from '../distribution/repair/leads.js';

export type ReconcileDeps = RestartDeps &
  OverdueBuyersDeps &
  HoldDeps &
  RecountDeps &
  EventDeps &
  ExpiryDeps &
  AutomationRepairDeps &
  OutcomeRepairDeps &
  HashingDeps &
  ChangeRepairDeps &
  SealingDeps &
  ResealingDeps &
  AlertDeps &
  Parameters<typeof freeKeys>[0] &
  Parameters<typeof recountRollups>[0] &
  Parameters<typeof recountAttemptDays>[0] &
  Parameters<typeof peopleStages>[0] & {
    starter: LeadStarter;
    returns: Pick<Returns, 'catchUp'>;
    repairs: RepairStore;
    log: Log;
    /** True once the process is stopping. */
    stopping(): boolean;
    metrics: { reconciled: { inc(labels: { kind: string }, by: number): void } };
  };

/**
 * Each kind of repair, under its name in the metric. The account first: the following kinds use its plans. Late
 * sales before leads: they become leads to restart. Those that only serve an upgrade are marked `@until` where they are.
 */
const REPAIRS = {
  account: publishUnpublished,
  late_sale: recordLateSales,
  lead: restartLeads,
  destination: wakeOverdueBuyers,
  // A large account takes long: leads and buyers do not wait for it.
  time_zone: (deps) =>
    finishMoves(deps, {
      moveCaps: (move) => moveWindows(move, deps),
      recountReports: (orgId) => recountAllDays(orgId, deps),
    }),
  idempotency_key: freeKeys,
  hold: settleReservations,
  counter: recount,
  event: moveEvents,
  async rollup(deps) {
    // One pace for all three: the run must end in time.
    const pace = createPace(deps);
    const leadsAndPings =
      (await recountRollups(deps, pace)) + (await recountPingRollups(deps, pace));
    return leadsAndPings + (await recountAttemptDays(deps, pace));
  },
  ping_event: publishAbandoned,
  ping: expireOverdue,
  untold_lead: relayOutbox,
  test_flag: markUnflagged,
  endpoint: wakeLostAutomations,
  return: ({ returns }) => returns.catchUp(),
  outcome: restartChanges,
  outcome_window: closeOverdue,
  change_request: settleApproved,
  spreadsheet: claimStored,
  suppression_import: dropLeftImports,
  suppression_entry: hashEntries,
  plaintext: sealPlaintext,
  /** A pass for each secret that values are sealed under. */
  sealed_value: (deps) =>
    runStages(
      `resealed:${deps.keyring.keyId}`,
      [...accountStages(deps), ...peopleStages(deps)],
      deps,
    ),
} satisfies Record<string, (deps: ReconcileDeps) => Promise<number>>;

export type ReconcileReport = Record<keyof typeof REPAIRS, number>;

/**
 * Checks once and repairs what it finds; then it looks for what a person should know of. Safe to repeat, and in parallel with itself.
 * @throws {Error} the first failure, after every kind has been tried
 */
export async function reconcile(deps: ReconcileDeps): Promise<ReconcileReport> {
  const report = { ...NOTHING };
  const failures: unknown[] = [];
  for (const kind of KINDS) {
    try {
      report[kind] = await REPAIRS[kind](deps);
      deps.metrics.reconciled.inc({ kind }, report[kind]);
    } catch (error) {
      failures.push(error);
    }
  }
  if (KINDS.some((kind) => report[kind] > 0)) deps.log.warn(report, 'reconcile mended');
  if (failures.length === 0) await deps.repairs.completed(deps.clock.now());
  // It repairs nothing, so the repair is complete before it, however long it takes.
  await lookOut(deps).catch((error: unknown) =>
    deps.log.error({ err: error }, 'alerts could not be looked for; the next run tries again'),
  );
  if (failures.length > 0) throw failures[0];
  return report;
}

const KINDS = Object.keys(REPAIRS) as (keyof typeof REPAIRS)[];
const NOTHING = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as ReconcileReport;
