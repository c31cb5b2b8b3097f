/** `leadwire leads replay`: checks that stored leads are decided again as they were. */
import { replayAsOperator } from '../../src/api/operator/leads.js';
import { CommandFailed, EXIT, type ExitCode } from '../terminal/errors.js';
import { asOperator } from '../stack/installation.js';
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

const REPORT_INTERVAL_MS = 1_000;

const FIELDS = ['replayed', 'equal', 'differs', 'trimmed', 'differing'];

/** Exit code 1 when a lead is decided differently, or the requested lead does not exist. */
export async function replayCommand(
  terminal: Terminal,
  { lead: leadId, campaign: campaignId, limit, json, by }: ReplayOptions,
): Promise<ExitCode> {
  const fields = jsonFields(json, FIELDS, 'leadwire operator leads replay');
  const choice = { leadId, campaignId, limit };
  const result = await asOperator(terminal.environment, by, (context) =>
    replayAsOperator(context, choice, reporter(terminal)),
  );
  const { totals, differing } = result;
  if (leadId !== undefined && totals.replayed === 0)
    throw new CommandFailed(`There is no lead ${leadId}.`);
  if (json !== undefined)
    terminal.print(JSON.stringify(pick({ ...totals, differing }, fields), null, 2));
  else describe(result, terminal);
  return totals.differs === 0 ? EXIT.done : EXIT.failed;
}

/** Says how many leads are done, at most once a second. */
function reporter(terminal: Terminal): (replayed: number) => void {
  let reportedAt = performance.now();
  return (replayed) => {
    if (performance.now() - reportedAt < REPORT_INTERVAL_MS) return;
    reportedAt = performance.now();
    terminal.say(`${replayed} leads decided again`);
  };
}

function describe(
  { totals, differing }: Awaited<ReturnType<typeof replayAsOperator>>,
  terminal: Terminal,
): void {
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
const shown = (entry: unknown): string => (entry === undefined ? '(none)' : JSON.stringify(entry));
