/** How leads were decided, for operators of the installation. */
import { AppError } from '../../lib/errors.js';
import type { TrailEntry } from '../../leads/rules/trail.js';
import type { LeadCollections } from '../../leads/store/collections.js';
import { shownDetail } from '../../routing/explain/shownDetail.js';
import {
  replayLeads,
  type ReplayChoice,
  type ReplayedLead,
} from '../../routing/replay/replayLeads.js';
import { recordReadAsOperator, type OperatorContext } from './record.js';

type LeadContext = OperatorContext & { collections: LeadCollections };

/**
 * A lead with its trail, money in currency as the Actions API shows it, and the names of the buyers by id.
 * @throws {AppError} `not_found`
 */
export async function readTrailAsOperator(context: LeadContext, leadId: string) {
  const { leads, buyers } = context.collections;
  const lead = await leads.findOne({ _id: leadId });
  if (!lead) throw new AppError('not_found', `There is no lead ${leadId}.`);
  await recordTrailRead(context, leadId, lead.org_id);
  const ids = lead.trail.flatMap(({ buyer_id }) => buyer_id ?? []);
  const named = await buyers.find({ _id: { $in: ids } }, { projection: { name: 1 } }).toArray();
  const names = new Map(named.map(({ _id, name }) => [_id, name]));
  return { lead: { ...lead, trail: lead.trail.map(shownEntry) }, names };
}

const shownEntry = (entry: TrailEntry): TrailEntry =>
  entry.detail ? { ...entry, detail: shownDetail(entry.detail) } : entry;

const recordTrailRead = (context: OperatorContext, lead_id: string, orgId: string) =>
  recordReadAsOperator(context, {
    name: 'get_lead_distribution_trail',
    orgId,
    input: { lead_id },
  });

/** Maximum differing leads that are shown. */
const SHOWN_MAX = 10;

/**
 * Decides stored leads again. Differing leads are shown with values of their trails, so the read is recorded.
 * `trimmed` are leads with incomplete trails, which cannot be compared.
 * @param onReplayed called after each lead with the number so far
 */
export async function replayAsOperator(
  context: LeadContext,
  choice: ReplayChoice,
  onReplayed: (replayed: number) => void,
) {
  const totals = { replayed: 0, equal: 0, differs: 0, trimmed: 0 };
  const differing: ReplayedLead[] = [];
  for await (const lead of replayLeads(context.collections, choice)) {
    totals.replayed += 1;
    totals[lead.verdict.kind] += 1;
    if (lead.verdict.kind === 'differs' && differing.length < SHOWN_MAX) differing.push(lead);
    onReplayed(totals.replayed);
  }
  for (const { leadId, orgId } of differing) await recordTrailRead(context, leadId, orgId);
  return { totals, differing };
}
