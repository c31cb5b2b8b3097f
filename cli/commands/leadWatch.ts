/** `leadwire leads watch`: waits until a lead is decided. */
import { setTimeout as delay } from 'node:timers/promises';
import { clientFor, type Client } from '../client/client.js';
import { requireConnection } from '../client/connection.js';
import { explain } from '../client/hints.js';
import { withInterrupt } from '../client/interrupt.js';
import { readNames } from '../client/names.js';
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
  leadId: string,
  options: LeadWatchOptions,
  everyMs = POLL_INTERVAL_MS,
): Promise<ExitCode> {
  const entry = readManifest().find(({ name }) => name === 'get_lead');
  const { json, timeout } = options;
  const fields = jsonFields(json, entry?.fields ?? [], 'leadwire leads watch');
  const connection = requireConnection(terminal.environment, options.profile);
  try {
    const { lead, buyer } = await withInterrupt(terminal, { isChange: false }, async (signal) => {
      const client = clientFor(terminal, connection, signal);
      const decided = await untilDecided(client, leadId, { terminal, signal, timeout, everyMs });
      const id = json === undefined ? decided.buyer_id : null;
      const names = typeof id === 'string' ? await readNames(client, ['buyers']) : null;
      return { lead: decided, buyer: typeof id === 'string' ? (names?.get(id) ?? id) : null };
    });
    terminal.print(
      json === undefined
        ? describe(lead, buyer, terminal)
        : JSON.stringify(pick(lead, fields), null, 2),
    );
    return options.exitStatus && lead.distribution_status !== 'ACCEPTED' ? EXIT.failed : EXIT.done;
  } catch (error) {
    throw explain(error, { cli: ['leads', 'watch'], flags: [] }, connection);
  }
}

interface Patience {
  terminal: Terminal;
  signal: AbortSignal;
  timeout: number | undefined;
  everyMs: number;
}

/** @throws {CommandFailed} with the exit code 8 when it is not decided in time */
async function untilDecided(client: Client, leadId: string, patience: Patience): Promise<Row> {
  const { terminal, signal, timeout, everyMs } = patience;
  const start = performance.now();
  for (let told: unknown = null; ;) {
    const { data } = await client.run('get_lead', { lead_id: leadId });
    const lead = isRow(data) ? data : {};
    if (!OPEN.has(String(lead.status))) return lead;
    if (lead.status !== told) terminal.say(`${String(lead.status)} … Ctrl-C ends it.`);
    told = lead.status;
    const left = timeout === undefined ? Infinity : timeout * 1_000 - (performance.now() - start);
    if (left <= 0)
      throw new CommandFailed(
        `Lead ${leadId} is still ${String(lead.status)} after ${timeout} s.`,
        EXIT.pending,
        `What it waits for: leadwire leads explain ${leadId}`,
      );
    await delay(Math.min(everyMs, left), undefined, { signal });
  }
}

function describe(lead: Row, buyer: string | null, { paint }: Terminal): string {
  const status = paintCell('status', String(lead.status), paint);
  const sold = buyer === null ? '' : `, ${buyer} pays ${cellText('price', lead.price)}`;
  return `Lead ${String(lead.id)} is ${status}${sold}.`;
}
