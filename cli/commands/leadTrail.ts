/** `leadwire leads trail`: the way of a lead as a tree with times. */
import { clientFor, type Client } from '../api/client.js';
import { requireConnection } from '../api/connection.js';
import { explain } from '../api/hints.js';
import { interruptible } from '../api/interrupt.js';
import { EXIT, type ExitCode } from '../errors.js';
import { formatTree, type TrailStep } from '../show/tree.js';
import { printLong } from '../show/pager.js';
import { isRow } from '../show/rows.js';
import type { Terminal } from '../terminal.js';

export interface LeadTrailOptions {
  json?: true;
  values?: true;
  profile?: string;
}

interface Trail {
  lead_id: string;
  status: string;
  trail: TrailStep[];
  trail_dropped: number;
}

const CALLED = { cli: ['leads', 'trail'] as const, flags: [] };

export async function showLeadTrail(
  terminal: Terminal,
  leadId: string,
  options: LeadTrailOptions,
): Promise<ExitCode> {
  const connection = requireConnection(terminal.environment, options.profile);
  try {
    const { trail, names } = await interruptible({ isChange: false }, (signal) =>
      read(clientFor(terminal, connection, signal), leadId, options),
    );
    if (options.json) {
      terminal.print(JSON.stringify(trail, null, 2));
      return EXIT.done;
    }
    const { paint, screen } = terminal;
    const dropped =
      trail.trail_dropped > 0 ? ` (${trail.trail_dropped} steps in the middle left out)` : '';
    const heading = `${paint.bold(`Lead ${trail.lead_id}`)} is ${trail.status}${dropped}`;
    const tree = formatTree(trail.trail, {
      ...{ names, paint, width: screen?.columns ?? null, withValues: options.values ?? false },
    });
    await printLong(`${heading}\n${tree}`, terminal);
    return EXIT.done;
  } catch (error) {
    throw explain(error, CALLED, connection);
  }
}

async function read(client: Client, leadId: string, { json }: LeadTrailOptions) {
  const { data } = await client.run('get_lead_distribution_trail', { lead_id: leadId });
  const trail = data as Trail;
  const needsNames = !json && trail.trail.some(({ buyer_id }) => buyer_id !== null);
  return { trail, names: needsNames ? await buyerNames(client) : new Map<string, string>() };
}

/** Names are a help: where the key may not read buyers, their ids do. */
async function buyerNames(client: Client): Promise<Map<string, string>> {
  const { data } = await client.run('list_buyers', {}).catch(() => ({ data: [] }));
  const rows = Array.isArray(data) ? data.filter(isRow) : [];
  return new Map(rows.map(({ id, name }) => [String(id), String(name)]));
}
