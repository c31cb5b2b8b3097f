/** `leadwire leads trail`: the path of a lead as a tree with times. */
import { callServer } from '../client/call.js';
import type { Client } from '../client/client.js';
import { readNames } from '../client/names.js';
import { resolveShown } from '../references/references.js';
import { EXIT, type ExitCode } from '../terminal/errors.js';
import { jsonFields, pick } from '../output/formats.js';
import { formatTree, type TrailStep } from '../output/tree.js';
import { printLong } from '../output/pager.js';
import type { Terminal } from '../terminal/terminal.js';

export interface LeadTrailOptions {
  json?: string | true;
  values?: true;
  profile?: string;
}

interface Trail {
  lead_id: string;
  status: string;
  trail: TrailStep[];
  trail_dropped: number;
}

const FIELDS = ['lead_id', 'status', 'trail', 'trail_dropped'];

export async function showLeadTrail(
  terminal: Terminal,
  options: LeadTrailOptions,
  leadId: string,
): Promise<ExitCode> {
  const { json, profile, values: withValues = false } = options;
  const fields = jsonFields(json, FIELDS, 'leadwire leads trail');
  const { trail, names } = await callServer(
    terminal,
    { profile, cli: ['leads', 'trail'] },
    async (client, { connection }) => {
      const lookup = { client, connection, environment: terminal.environment };
      return read(client, await resolveShown(lookup, 'lead_id', leadId), options);
    },
  );
  if (json !== undefined) {
    terminal.print(JSON.stringify(pick(trail, fields), null, 2));
    return EXIT.done;
  }
  const { paint, screen } = terminal;
  const dropped =
    trail.trail_dropped > 0 ? ` (${trail.trail_dropped} steps in the middle omitted)` : '';
  const heading = `${paint.bold(`Lead ${trail.lead_id}`)} is ${trail.status}${dropped}`;
  const width = screen?.columns ?? null;
  const tree = formatTree(trail.trail, { names, paint, width, withValues });
  await printLong(`${heading}\n${tree}`, terminal);
  return EXIT.done;
}

async function read(client: Client, leadId: string, { json }: LeadTrailOptions) {
  const { data } = await client.run('get_lead_distribution_trail', { lead_id: leadId });
  const trail = data as Trail;
  const needsNames = !json && trail.trail.some(({ buyer_id }) => buyer_id !== null);
  return {
    trail,
    names: await readNames(client, needsNames ? ['buyers'] : []),
  };
}
