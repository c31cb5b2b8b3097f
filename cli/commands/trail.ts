/** `leadwire leads trail`: how a lead was decided, step by step. */
import type { Lead } from '../../src/leads/rules/lead.js';
import type { TrailEntry } from '../../src/leads/rules/trail.js';
import { shownDetail } from '../../src/routing/explain/shownDetail.js';
import { recordReadAsOperator } from '../../src/api/operator/record.js';
import { CommandFailed, EXIT, type ExitCode } from '../terminal/errors.js';
import { asOperator, withRecord } from '../stack/installation.js';
import { formatTable } from '../output/table.js';
import { fit } from '../output/width.js';
import { jsonFields, pick } from '../output/formats.js';
import type { Terminal } from '../terminal/terminal.js';

export interface TrailOptions {
  json?: string | true;
  /** The operator, for the audit log. */
  by?: string;
}

const FIELDS = ['lead_id', 'status', 'trail', 'trail_dropped'];

/** Exit code 1 when there is no such lead. */
export async function showTrail(
  terminal: Terminal,
  { json, by }: TrailOptions,
  leadId: string,
): Promise<ExitCode> {
  const fields = jsonFields(json, FIELDS, 'leadwire operator leads trail');
  const { lead, names } = await withRecord(terminal.environment, async (store) => {
    const { collections } = store;
    const lead = await collections.leads.findOne({ _id: leadId });
    if (!lead) throw new CommandFailed(`There is no lead ${leadId}.`);
    await asOperator(store, by, (context) =>
      recordReadAsOperator(context, {
        name: 'get_lead_distribution_trail',
        orgId: lead.org_id,
        input: { lead_id: leadId },
      }),
    );
    const ids = lead.trail.flatMap(({ buyer_id }) => buyer_id ?? []);
    const buyers = await collections.buyers
      .find({ _id: { $in: ids } }, { projection: { name: 1 } })
      .toArray();
    return { lead, names: new Map(buyers.map(({ _id, name }) => [_id, name])) };
  });
  if (json !== undefined) {
    const { status, trail, trail_dropped } = lead;
    const whole = { lead_id: leadId, status, trail: trail.map(shownEntry), trail_dropped };
    terminal.print(JSON.stringify(pick(whole, fields), null, 2));
    return EXIT.done;
  }
  terminal.say(heading(lead));
  terminal.print(asTable(lead.trail, names, terminal));
  return EXIT.done;
}

function heading({ _id, status, plan_version, trail_dropped }: Lead): string {
  const dropped =
    trail_dropped === undefined ? '' : ` ${trail_dropped} entries in the middle were omitted.`;
  return `Lead ${_id} is ${status}, decided by version ${plan_version} of its campaign.${dropped}`;
}

/** Money in currency, as the Actions API shows it. */
const shownEntry = (entry: TrailEntry): TrailEntry =>
  entry.detail ? { ...entry, detail: shownDetail(entry.detail) } : entry;

const DETAIL_WIDTH = 100;

function asTable(
  trail: readonly TrailEntry[],
  names: ReadonlyMap<string, string>,
  terminal: Terminal,
): string {
  const columns = ['At', 'Step', 'Result', 'Buyer', 'Reason', 'Seen'] as const;
  const rows = trail
    .map(shownEntry)
    .map(({ at, step, result, buyer_id, reason, detail }) => [
      at.toISOString(),
      step,
      result,
      buyer_id === undefined ? '' : (names.get(buyer_id) ?? buyer_id),
      reason ?? '',
      fit(detail === undefined ? '' : JSON.stringify(detail), DETAIL_WIDTH),
    ]);
  return formatTable(columns, rows, terminal.paint);
}
