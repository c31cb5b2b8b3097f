/** `leadwire campaigns guide`: the page to send to a supplier. */
import { clientFor } from '../client/client.js';
import { requireConnection } from '../client/connection.js';
import { explain } from '../client/hints.js';
import { withInterrupt } from '../client/interrupt.js';
import { EXIT, type ExitCode } from '../terminal/errors.js';
import { chosenFields, pick } from '../output/formats.js';
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
  campaignId: string,
  { supplierId, revealKey, json, profile }: GuideOptions,
): Promise<ExitCode> {
  const connection = requireConnection(terminal.environment, profile);
  try {
    const { data } = await withInterrupt(terminal, { isChange: false }, (signal) =>
      clientFor(terminal, connection, signal).run('get_campaign_api_spec', {
        campaign_id: campaignId,
        format: json === undefined ? 'markdown' : 'json',
        ...(supplierId === undefined ? {} : { supplier_id: supplierId }),
        ...(revealKey ? { reveal_key: true } : {}),
      }),
    );
    const { guide, markdown } = isRow(data) ? data : {};
    if (json !== undefined) {
      const known = isRow(guide) ? Object.keys(guide) : [];
      const fields =
        typeof json === 'string' ? chosenFields(json, known, 'leadwire campaigns guide') : null;
      terminal.print(JSON.stringify(pick(guide, fields), null, 2));
    } else await printLong(String(markdown).trimEnd(), terminal);
    return EXIT.done;
  } catch (error) {
    throw explain(error, { cli: ['campaigns', 'guide'], flags: [] }, connection);
  }
}
