/** Applies stored changes: each once, in their order, however often and by whichever process this is called. */
import { applyChange, changeEvent } from './rules/applyChange.js';
import type { ChangeEvent } from '../leads/rules/changedLead.js';
import type { TrailEntry } from '../leads/rules/trail.js';
import type { AppliedChange } from '../leads/rules/saleChange.js';
import { owesOnce } from '../leads/rules/saleMoney.js';
import { planId } from '../account/rules/plan.js';
import type { PlanStore } from '../account/store/plans.js';
import type { ChangeDoc } from './store/outcomeDocs.js';
import type { MadeChange, OutcomeStore } from './store/outcomes.js';
import type { LeadChange, SoldLead, SoldLeadStore } from '../leads/store/soldLeads.js';
import type { ChangeName, ChangesResult } from '../../workflows/messages.js';

export interface ApplyChangesDeps {
  outcomes: OutcomeStore;
  soldLeads: SoldLeadStore;
  plans: PlanStore;
}

export interface UnappliedChanges {
  /** Their lead has no sale to their buyer, or belongs to another organization or campaign. */
  unsold: ChangeDoc[];
  /** Their leads changed too often meanwhile. */
  left: ChangeDoc[];
}

/** Maximum reads of a lead that changes while its changes are applied; then the workflow tries again. */
const TRIES = 5;

/**
 * Five commands, for any number of changes: read the leads, read what is open, write the leads, mark the changes,
 * remove the notes; one more, where the plans are not in memory, for returns that reverse a cost of several sales.
 * Other open changes of these leads are applied too: a change whose caller died before it began would otherwise be
 * applied after those that came later (contract 7.3).
 */
export async function applyChanges(
  names: readonly ChangeName[],
  deps: ApplyChangesDeps,
): Promise<UnappliedChanges> {
  const named = new Set(names.map(({ id }) => id));
  const onlyNamed = (changes: readonly ChangeDoc[]) => changes.filter(({ _id }) => named.has(_id));
  for (let tries = 1; ; tries += 1) {
    const { leads, open } = await read(names, deps);
    const changesOf = Map.groupBy(open, ({ lead_id }) => lead_id);
    const owingOnce = await findOwingOnce(leads, changesOf, deps);
    const plans = [...changesOf].map(([id, changes]) =>
      planFor(id, leads.get(id), { changes, owesOnce: owingOnce.has(id) }),
    );
    const writes = plans.flatMap(({ write }) => write ?? []);
    const isWritten = writes.length === 0 || (await deps.soldLeads.change(writes));
    if (!isWritten && tries < TRIES) continue;
    const sure = isWritten ? plans : plans.filter(({ write }) => !write);
    await deps.outcomes.made(sure.flatMap(({ made }) => made));
    await confirmNotes([...notedBy(sure), ...findMarked(names, open, leads)], deps);
    return {
      unsold: sure.flatMap(({ unsold }) => onlyNamed(unsold)),
      left: isWritten
        ? []
        : plans.filter(({ write }) => write).flatMap(({ changes }) => onlyNamed(changes)),
    };
  }
}

/** The same. Returns those left for another call: their lead is not ready, or changed too often. */
export async function tryChanges(
  changes: readonly ChangeName[],
  deps: ApplyChangesDeps,
): Promise<ChangesResult> {
  const { unsold, left } = await applyChanges(changes, deps);
  return { open: [...left, ...unsold].map(nameOf) };
}

/** The ids by which Temporal knows a change. */
export const nameOf = ({ _id: id, lead_id }: Pick<ChangeDoc, '_id' | 'lead_id'>): ChangeName => ({
  id,
  lead_id,
});

/**
 * The leads first: a change that is open after its lead was read, and is not noted there, was not applied when the lead
 * was read. If it is applied between the two, the lead has changed by then, and is not written.
 */
async function read(
  names: readonly ChangeName[],
  { outcomes, soldLeads }: ApplyChangesDeps,
): Promise<{ leads: Map<string, SoldLead>; open: ChangeDoc[] }> {
  const leadIds = [...new Set(names.map(({ lead_id }) => lead_id))];
  const leads = await soldLeads.get(leadIds);
  return { leads, open: await outcomes.openOf(leadIds) };
}

/** Ids of the leads whose several sales have one cost, where a change may reverse it. */
async function findOwingOnce(
  leads: ReadonlyMap<string, SoldLead>,
  changesOf: ReadonlyMap<string, readonly ChangeDoc[]>,
  { plans }: ApplyChangesDeps,
): Promise<Set<string>> {
  const candidates = [...leads.values()].filter(
    ({ _id, sales }) => sales.length > 1 && changesOf.get(_id)?.some(reversesCost),
  );
  if (candidates.length === 0) return new Set();
  const idOf = (lead: SoldLead): string => planId(lead.campaign_id, lead.plan_version);
  const found = await plans.get(candidates.map(idOf));
  const owing = candidates.filter((lead) => owesOnce(found.get(idOf(lead)), lead));
  return new Set(owing.map(({ _id }) => _id));
}

const reversesCost = ({ ask }: ChangeDoc): boolean => ask.kind === 'return' && ask.reverse_cost;

interface LeadPlan {
  lead_id: string;
  changes: ChangeDoc[];
  write: LeadChange | null;
  made: MadeChange[];
  unsold: ChangeDoc[];
}

/** All changes of one lead, in the order in which they were received. */
function planFor(
  lead_id: string,
  lead: SoldLead | undefined,
  { changes, owesOnce: once }: { changes: ChangeDoc[]; owesOnce: boolean },
): LeadPlan {
  if (!lead) return { lead_id, changes, write: null, made: [], unsold: changes };
  const noted = new Map((lead.applied ?? []).map((one) => [one.id, one]));
  const made: MadeChange[] = [];
  const unsold: ChangeDoc[] = [];
  const trail: TrailEntry[] = [];
  const applied: AppliedChange[] = [];
  const events: ChangeEvent[] = [];
  let next = lead;
  for (const change of changes.toSorted(byReceipt)) {
    const before = noted.get(change._id);
    const result = before
      ? null
      : belongsTo(change, lead)
        ? applyOne(next, change, once)
        : undefined;
    if (before) made.push(before);
    else if (!result) unsold.push(change);
    else {
      const { _id: id } = change;
      const seq = result.entry ? result.lead.outcome_seq : undefined;
      made.push({ id, answer: result.answer, seq });
      if (!result.entry || seq === undefined) continue;
      trail.push(result.entry);
      applied.push({ id, seq, answer: result.answer });
      events.push(changeEvent(result.lead, { ...change, at: change.received_at }));
      next = result.lead;
    }
  }
  const write = trail.length === 0 ? null : { read: lead, next, trail, applied, events };
  return { lead_id, changes, write, made, unsold };
}

const applyOne = (
  lead: SoldLead,
  { buyer_id, by, ask, received_at: at }: ChangeDoc,
  once: boolean,
) => applyChange(lead, { buyer_id, by, ask, at, owesOnce: once });

const belongsTo = (change: ChangeDoc, lead: SoldLead): boolean =>
  change.org_id === lead.org_id && change.campaign_id === lead.campaign_id;

const byReceipt = (a: ChangeDoc, b: ChangeDoc): number =>
  Number(a.received_at) - Number(b.received_at) || (a._id < b._id ? -1 : 1);

/** Changes that are marked by now, and were noted on their leads. */
const notedBy = (plans: readonly LeadPlan[]): ChangeName[] =>
  plans.flatMap(({ lead_id, made }) =>
    made.filter(({ seq }) => seq !== undefined).map(({ id }) => ({ id, lead_id })),
  );

/** Changes that a call marked before it died, leaving their notes. */
function findMarked(
  names: readonly ChangeName[],
  open: readonly ChangeDoc[],
  leads: ReadonlyMap<string, SoldLead>,
): ChangeName[] {
  const openIds = new Set(open.map(({ _id }) => _id));
  return names.filter(
    ({ id, lead_id }) =>
      !openIds.has(id) && leads.get(lead_id)?.applied?.some((note) => note.id === id),
  );
}

/** Only for marked changes: while its note exists, an open change is known to be applied. */
const confirmNotes = (
  noted: readonly ChangeName[],
  { soldLeads }: ApplyChangesDeps,
): Promise<void> =>
  soldLeads.confirm(
    [...new Set(noted.map(({ lead_id }) => lead_id))],
    noted.map(({ id }) => id),
  );
