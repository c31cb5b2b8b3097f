/**
 * Changes whose buyer has no sale. A buyer that reports an outcome has the lead: a delivery that was never answered is
 * settled as accepted (contract 7.3). One that is in flight will be settled by its answer.
 */
import { mayBeAccepted } from '../deliveries/rules/attempts.js';
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';
import type { ChangeDoc } from './store/outcomeDocs.js';
import { commandLead } from '../distribution/commands/oneLead.js';
import type { ResolveDeps } from '../distribution/commands/resolve.js';
import type { ChangeName, ChangesResult } from '../../workflows/messages.js';
import { applyChanges, nameOf, tryChanges, type ApplyChangesDeps } from './applyChanges.js';

export type SettleDeps = ApplyChangesDeps & ResolveDeps;

/** Applies a group of changes, settles those whose buyer has no sale, and names those that are left for another call. */
export async function applyAndSettle(
  changes: readonly ChangeName[],
  deps: SettleDeps,
): Promise<ChangesResult> {
  const { unsold, left } = await applyChanges(changes, deps);
  if (unsold.length === 0) return { open: left.map(nameOf) };
  const { again, refused } = await settleUnsold(unsold, deps);
  await deps.outcomes.forget(refused.map(({ _id }) => _id));
  const settled = await tryChanges(again.map(nameOf), deps);
  return { open: [...left.map(nameOf), ...settled.open] };
}

interface SettledChanges {
  /** The sale exists, or may soon: they are tried again. */
  again: ChangeDoc[];
  /** The buyer does not have the lead. */
  refused: ChangeDoc[];
}

async function settleUnsold(
  unsold: readonly ChangeDoc[],
  deps: ResolveDeps,
): Promise<SettledChanges> {
  const rows = await deps.deliveries.ofLeads([...new Set(unsold.map(({ lead_id }) => lead_id))]);
  const settled: SettledChanges = { again: [], refused: [] };
  // One after the other: two changes of one lead would block each other.
  for (const change of unsold) {
    const deliveries = (rows.get(change.lead_id) ?? []).filter((row) => isFor(row, change));
    const hasIt =
      change.ask.kind === 'outcome' && (await mayHaveIt(deliveries.at(-1), change, deps));
    (hasIt ? settled.again : settled.refused).push(change);
  }
  return settled;
}

const isFor = (row: DeliveryDoc, change: ChangeDoc): boolean =>
  row.buyer_id === change.buyer_id &&
  row.org_id === change.org_id &&
  row.campaign_id === change.campaign_id;

async function mayHaveIt(
  row: DeliveryDoc | undefined,
  change: ChangeDoc,
  deps: ResolveDeps,
): Promise<boolean> {
  if (row?.state === 'accepted') return true;
  const isUnderWay = row?.state === 'sending' && row.answer_by > deps.clock.now();
  if (isUnderWay) return true;
  if (!row || !mayBeAccepted(row)) return false;
  const answer = await commandLead(
    {
      _id: `outcome:${change._id}`,
      org_id: row.org_id,
      buyer_id: row.buyer_id,
      lead_id: row.lead_id,
      action: 'resolve',
      result: 'accepted',
      by: authorOf(change),
      at: change.received_at,
      done: 0,
    },
    row.lead_id,
    deps,
  );
  return !('refused' in answer) || answer.refused === 'busy';
}

/** Author of the settlement, for the trail. */
const authorOf = ({ by }: ChangeDoc): string =>
  by.kind === 'buyer' ? "the buyer's word" : (by.name ?? by.kind);
