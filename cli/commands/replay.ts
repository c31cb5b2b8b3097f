/** `leadwire leads replay`: checks that stored leads are decided again as they were. */
import type { TrailEntry } from '../../src/leads/rules/trail.js';
import { recordReadAsOperator } from '../../src/api/operator/record.js';
import { replayLeads, type ReplayedLead } from '../../src/routing/replay/replayLeads.js';
import type { Store } from '../../src/app/database.js';
import { CommandFailed, EXIT, type ExitCode } from '../terminal/errors.js';
import { asOperator, withRecord } from '../stack/installation.js';
import { jsonFields, pick } from '../output/formats.js';
import type { Terminal } from '../terminal/terminal.js';

export interface ReplayOptions {
  lead?: string;
  campaign?: string;
  limit: number;
  json?: string | true;
  /** The operator, for the audit log. */
  by?: string;
}

interface Totals {
  replayed: number;
  equal: number;
  differs: number;
  /** Leads with incomplete trails, which cannot be compared. */
  trimmed: number;
}

/** Maximum differing leads that are shown. */
const SHOWN = 10;
const REPORT_INTERVAL_MS = 1_000;

const FIELDS = ['replayed', 'equal', 'differs', 'trimmed', 'differing'];

/** Exit code 1 when a lead is decided differently, or the requested lead does not exist. */
export async function replayCommand(
  terminal: Terminal,
  { lead: leadId, campaign: campaignId, limit, json, by }: ReplayOptions,
): Promise<ExitCode> {
  const fields = jsonFields(json, FIELDS, 'leadwire operator leads replay');
  const { totals, differing } = await withRecord(terminal.environment, async (store) => {
    const choice = { leadId, campaignId, limit };
    const counted = await countAll(replayLeads(store.collections, choice), terminal);
    if (counted.differing.length > 0) await recordShown(counted.differing, store, by);
    return counted;
  });
  if (leadId !== undefined && totals.replayed === 0)
    throw new CommandFailed(`There is no lead ${leadId}.`);
  if (json !== undefined)
    terminal.print(JSON.stringify(pick({ ...totals, differing }, fields), null, 2));
  else describe(totals, differing, terminal);
  return totals.differs === 0 ? EXIT.done : EXIT.failed;
}

/** Differing leads are shown with values of their trails, so the read is recorded. */
const recordShown = (differing: readonly ReplayedLead[], store: Store, by: string | undefined) =>
  asOperator(store, by, async (context) => {
    for (const { leadId: lead_id, orgId } of differing)
      await recordReadAsOperator(context, {
        name: 'get_lead_distribution_trail',
        orgId,
        input: { lead_id },
      });
  });

async function countAll(
  leads: AsyncIterable<ReplayedLead>,
  terminal: Terminal,
): Promise<{ totals: Totals; differing: ReplayedLead[] }> {
  const totals: Totals = { replayed: 0, equal: 0, differs: 0, trimmed: 0 };
  const differing: ReplayedLead[] = [];
  let toldAt = performance.now();
  for await (const one of leads) {
    totals.replayed += 1;
    totals[one.verdict.kind] += 1;
    if (one.verdict.kind === 'differs' && differing.length < SHOWN) differing.push(one);
    if (performance.now() - toldAt < REPORT_INTERVAL_MS) continue;
    toldAt = performance.now();
    terminal.say(`${totals.replayed} leads decided again`);
  }
  return { totals, differing };
}

function describe(totals: Totals, differing: readonly ReplayedLead[], terminal: Terminal): void {
  const { replayed, equal, differs, trimmed } = totals;
  const rest = trimmed > 0 ? `, ${trimmed} with incomplete trails` : '';
  terminal.print(`${replayed} leads decided again: ${equal} the same, ${differs} not${rest}.`);
  for (const { leadId, verdict } of differing) {
    if (verdict.kind !== 'differs') continue;
    terminal.print(`\n${terminal.paint.bold(leadId)}, entry ${verdict.index + 1} of its trail`);
    terminal.print(`  stored  ${shown(verdict.stored)}`);
    terminal.print(`  again   ${shown(verdict.again)}`);
  }
}

/** Where one of the trails has ended there is no entry. */
const shown = (entry: TrailEntry | undefined): string =>
  entry === undefined ? '(none)' : JSON.stringify(entry);
