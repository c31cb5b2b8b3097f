/** `leadwire leads watch`: waits until a lead is decided. */
import { setTimeout as delay } from 'node:timers/promises';
import { callServer } from '../client/call.js';
import type { Client } from '../client/client.js';
import { readNames } from '../client/names.js';
import { resolveShown } from '../references/references.js';
import { CommandFailed, EXIT, type ExitCode } from '../terminal/errors.js';
import { POLL_INTERVAL_MS } from '../feeds/follow.js';
import { cellText, paintCell } from '../output/cells.js';
import { jsonFields, pick } from '../output/formats.js';
import { isRow, type Row } from '../output/rows.js';
import { readManifest } from '../actions/manifest.js';
import type { Terminal } from '../terminal/terminal.js';

export interface LeadWatchOptions {
  /** The exit code says whether it was accepted. */
  exitStatus?: true;
  /** Seconds after which it ends undecided. */
  timeout?: number;
  json?: string | true;
  profile?: string;
}

const OPEN = new Set(['NEW', 'PENDING']);

/** With `--exit-status` 0 for ACCEPTED, 1 for any other end; 8 when it is not decided in time. */
export async function watchLead(
  terminal: Terminal,
  { json, timeout, exitStatus, profile }: LeadWatchOptions,
  leadId: string,
): Promise<ExitCode> {
  const entry = readManifest().find(({ name }) => name === 'get_lead');
  const fields = jsonFields(json, entry?.fields ?? [], 'leadwire leads watch');
  const caller = { profile, cli: ['leads', 'watch'] as const };
  const { lead, buyer } = await callServer(
    terminal,
    caller,
    async (client, { signal, connection }) => {
      const lookup = { client, connection, environment: terminal.environment };
      const whole = await resolveShown(lookup, 'lead_id', leadId);
      const decided = await untilDecided(client, whole, { terminal, signal, timeout });
      const id = json === undefined ? decided.buyer_id : null;
      const names = typeof id === 'string' ? await readNames(client, ['buyers']) : null;
      return { lead: decided, buyer: typeof id === 'string' ? (names?.get(id) ?? id) : null };
    },
  );
  terminal.print(
    json === undefined
      ? describe(lead, buyer, terminal)
      : JSON.stringify(pick(lead, fields), null, 2),
  );
  return exitStatus && lead.distribution_status !== 'ACCEPTED' ? EXIT.failed : EXIT.done;
}

interface Patience {
  terminal: Terminal;
  signal: AbortSignal;
  timeout?: number;
}

/** @throws {CommandFailed} with the exit code 8 when it is not decided in time */
async function untilDecided(client: Client, leadId: string, patience: Patience): Promise<Row> {
  const { terminal, signal, timeout } = patience;
  const start = performance.now();
  for (let shown: unknown = null; ;) {
    const { data } = await client.run('get_lead', { lead_id: leadId });
    const lead = isRow(data) ? data : {};
    if (!OPEN.has(String(lead.status))) return lead;
    if (lead.status !== shown) terminal.say(`${String(lead.status)} … Ctrl-C ends it.`);
    shown = lead.status;
    const left = timeout === undefined ? Infinity : timeout * 1_000 - (performance.now() - start);
    if (left <= 0)
      throw new CommandFailed(
        `Lead ${leadId} is still ${String(lead.status)} after ${timeout} s.`,
        EXIT.pending,
        `What it waits for: leadwire leads explain ${leadId}`,
      );
    await delay(Math.min(POLL_INTERVAL_MS, left), undefined, { signal });
  }
}

function describe(lead: Row, buyer: string | null, { paint }: Terminal): string {
  const status = paintCell('status', String(lead.status), paint);
  const sold = buyer === null ? '' : `, ${buyer} pays ${cellText('price', lead.price)}`;
  return `Lead ${String(lead.id)} is ${status}${sold}.`;
}
