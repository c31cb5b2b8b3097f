/** `leadwire campaigns guide`: the page to send to a supplier. */
import { callServer } from '../client/call.js';
import { resolveReferences, resolveShown } from '../references/references.js';
import { EXIT, type ExitCode } from '../terminal/errors.js';
import { jsonFields, pick } from '../output/formats.js';
import { printLong } from '../output/pager.js';
import { isRow } from '../output/rows.js';
import type { Terminal } from '../terminal/terminal.js';

export interface GuideOptions {
  supplierId?: string;
  revealKey?: true;
  json?: string | true;
  profile?: string;
}

export async function showGuide(
  terminal: Terminal,
  { supplierId, revealKey: reveal_key, json, profile }: GuideOptions,
  campaign: string,
): Promise<ExitCode> {
  const format = json === undefined ? 'markdown' : 'json';
  const caller = { profile, cli: ['campaigns', 'guide'] as const };
  const { data } = await callServer(terminal, caller, async (client, { connection }) => {
    const lookup = { client, connection, environment: terminal.environment };
    const campaign_id = await resolveShown(lookup, 'campaign_id', campaign);
    const supplier_id = await resolveReferences(lookup, 'supplier_id', supplierId);
    return client.run('get_campaign_api_spec', { campaign_id, format, supplier_id, reveal_key });
  });
  const { guide, markdown } = isRow(data) ? data : {};
  if (json !== undefined) {
    const known = isRow(guide) ? Object.keys(guide) : [];
    const fields = jsonFields(json, known, 'leadwire campaigns guide');
    terminal.print(JSON.stringify(pick(guide, fields), null, 2));
  } else await printLong(String(markdown).trimEnd(), terminal);
  return EXIT.done;
}
