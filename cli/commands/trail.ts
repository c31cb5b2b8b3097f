/** `leadwire leads trail`: how a lead was decided, step by step. */
import { readTrailAsOperator } from '../../src/api/operator/leads.js';
import { EXIT, type ExitCode } from '../terminal/errors.js';
import { asOperator } from '../stack/installation.js';
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
  const { lead, names } = await asOperator(terminal.environment, by, (context) =>
    readTrailAsOperator(context, leadId),
  );
  if (json !== undefined) {
    const { status, trail, trail_dropped } = lead;
    const whole = { lead_id: leadId, status, trail, trail_dropped };
    terminal.print(JSON.stringify(pick(whole, fields), null, 2));
    return EXIT.done;
  }
  terminal.say(heading(lead));
  terminal.print(asTable(lead.trail, names, terminal));
  return EXIT.done;
}

type Lead = Awaited<ReturnType<typeof readTrailAsOperator>>['lead'];

function heading({ _id, status, plan_version, trail_dropped }: Lead): string {
  const dropped =
    trail_dropped === undefined ? '' : ` ${trail_dropped} entries in the middle were omitted.`;
  return `Lead ${_id} is ${status}, decided by version ${plan_version} of its campaign.${dropped}`;
}

const DETAIL_WIDTH = 100;

function asTable(
  trail: Lead['trail'],
  names: ReadonlyMap<string, string>,
  terminal: Terminal,
): string {
  const columns = ['At', 'Step', 'Result', 'Buyer', 'Reason', 'Seen'] as const;
  const rows = trail.map(({ at, step, result, buyer_id, reason, detail }) => [
    at.toISOString(),
    step,
    result,
    buyer_id === undefined ? '' : (names.get(buyer_id) ?? buyer_id),
    reason ?? '',
    fit(detail === undefined ? '' : JSON.stringify(detail), DETAIL_WIDTH),
  ]);
  return formatTable(columns, rows, terminal.paint);
}
