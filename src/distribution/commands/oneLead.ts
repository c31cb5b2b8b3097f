/** Commands on one waiting lead: the command acquires it first, so that no other run works on it. */
import type { Lead } from '../../leads/rules/lead.js';
import type { TrailEntry } from '../../leads/rules/trail.js';
import type { QueueAnswer, QueueDone } from '../../../workflows/queueCommands.js';
import type { CommandDoc } from '../../deliveries/store/commandDoc.js';
import type { DeliveryDoc } from '../../deliveries/store/deliveryDoc.js';
import { DROPPED } from '../../deliveries/store/queue.js';
import { endAcquired } from '../expiry.js';
import { checkCommand } from './refusal.js';
import { newLease, WAITING_LEASE_MS } from '../newLease.js';
import type { Lease } from '../task.js';
import { refuse, resolve, type AcceptedCommand, type ResolveDeps } from './resolve.js';

const RESULTS = { retry: 'retried', hold: 'held', drop: 'dropped', resolve: 'resolved' } as const;

export async function commandLead(
  command: CommandDoc,
  leadId: string,
  deps: ResolveDeps,
): Promise<QueueAnswer> {
  const before = await look(command, leadId, deps);
  if (!before.lead) return refuse('not_found', `There is no lead ${leadId}.`);
  if (isNoted(before.lead, command)) {
    // An earlier call died after this point; only a retry may have something left to do.
    if (command.action === 'retry' && before.row?.state === 'parked')
      await deps.destinations.ask(command.buyer_id, before.row._id);
    return answer(leadId, deps);
  }
  const refusal = refusalOf(command, before.row, before.lead, deps);
  if (refusal) return refusal;
  const { lease, now, leaseUntil } = newLease(deps.clock, WAITING_LEASE_MS);
  const [lead] = await deps.leads.acquireWaiting([leadId], lease.id, leaseUntil, now);
  // Read again: from now on its rows stay as they are.
  const { row, lead: found } = await look(command, leadId, deps);
  if (!lead || !found) return busy(leadId);
  const changed = refusalOf(command, row, found, deps);
  if (changed || !row) {
    await handBack(lead, lease, [], deps);
    return changed ?? refuse('not_waiting', `Lead ${leadId} no longer waits for this buyer.`);
  }
  return carryOut(command, { lead, row, lease, trail: [noteOf(command, row, now)] }, deps);
}

async function carryOut(
  command: CommandDoc,
  taken: AcceptedCommand,
  deps: ResolveDeps,
): Promise<QueueAnswer> {
  const { lead, row, lease, trail } = taken;
  switch (command.action) {
    case 'retry':
      await deps.queue.makeDue([row._id], deps.clock.now());
      await handBack(lead, lease, trail, deps);
      // After the lead is released: a drain that found it busy would put it off.
      await deps.destinations.ask(row.buyer_id, row._id);
      break;
    case 'hold':
      await deps.queue.hold([row._id]);
      await handBack(lead, lease, trail, deps);
      break;
    case 'drop': {
      const ended = await endAcquired([row], { run: lease.id, reason: DROPPED, trail }, deps);
      if (!ended.has(row._id)) return busy(lead._id);
      break;
    }
    case 'resolve': {
      const refused = await resolve(command.result ?? 'rejected', taken, deps);
      if (refused) {
        await handBack(lead, lease, [], deps);
        return refused;
      }
      break;
    }
  }
  return answer(lead._id, deps);
}

interface LeadState {
  lead: Lead | undefined;
  /** Its latest row with the buyer. */
  row: DeliveryDoc | undefined;
}

/** Reads the rows after the lead: rows are settled first, so no decided lead is seen with a row that waits. */
async function look(
  { buyer_id }: CommandDoc,
  leadId: string,
  deps: ResolveDeps,
): Promise<LeadState> {
  const leads = await deps.leads.getMany([leadId]);
  const rows = await deps.deliveries.ofLeads([leadId]);
  const withBuyer = (rows.get(leadId) ?? []).filter((row) => row.buyer_id === buyer_id);
  return { lead: leads.get(leadId), row: withBuyer.at(-1) };
}

/** The answer of a command that cannot be carried out, or need not; null when it can. */
function refusalOf(
  command: CommandDoc,
  row: DeliveryDoc | undefined,
  lead: Lead,
  { clock }: Pick<ResolveDeps, 'clock'>,
): QueueAnswer | null {
  const checked = checkCommand(command, row, lead, clock.now());
  return checked === 'done' ? done(lead) : checked;
}

const busy = (leadId: string): QueueAnswer =>
  refuse('busy', `A worker is processing lead ${leadId}. Call again in a few seconds.`);

const isNoted = (lead: Lead, { _id }: CommandDoc): boolean =>
  lead.trail.some(({ detail }) => detail?.command === _id);

function noteOf(command: CommandDoc, row: DeliveryDoc, at: Date): TrailEntry {
  const { _id, action, result, by, note } = command;
  return {
    at,
    step: 'delivery',
    result: RESULTS[action],
    buyer_id: row.buyer_id,
    reason: result,
    detail: { command: _id, attempt: row.n, by, note },
  };
}

const handBack = (
  lead: Lead,
  lease: Lease,
  trail: TrailEntry[],
  deps: Pick<ResolveDeps, 'leads' | 'clock'>,
): Promise<void> => deps.leads.park(lease.id, [{ leadId: lead._id, trail }], deps.clock.now());

async function answer(leadId: string, { leads }: ResolveDeps): Promise<QueueAnswer> {
  const lead = (await leads.getMany([leadId])).get(leadId);
  return lead ? done(lead) : { rows: 1, busy: 0, unknown: 0 };
}

const done = ({ _id: id, status, buyer_id }: Lead): QueueDone => ({
  rows: 1,
  busy: 0,
  unknown: 0,
  lead: { id, status, buyer_id },
});
