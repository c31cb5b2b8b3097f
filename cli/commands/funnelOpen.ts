/** `leadwire funnels open`: opens a funnel in the caller's browser. */
import { callServer } from '../client/call.js';
import { browserOf, isWebAddress } from '../client/browser.js';
import { isRow } from '../output/rows.js';
import { resolveShown } from '../references/references.js';
import { CommandFailed, EXIT, type ExitCode } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';

export interface FunnelOpenOptions {
  preview?: true;
  print?: true;
  json?: true;
  profile?: string;
  /** Opens an address in a browser; absent: the caller's. */
  browse?: (url: string) => void;
}

export async function openFunnel(
  terminal: Terminal,
  options: FunnelOpenOptions,
  funnel: string,
): Promise<ExitCode> {
  const { preview, print, json, profile, browse = browserOf(terminal.environment) } = options;
  const caller = { profile, cli: ['funnels', 'open'] as const };
  const { data } = await callServer(terminal, caller, async (client, { connection }) => {
    const lookup = { client, connection, environment: terminal.environment };
    return client.run('get_funnel', { funnel_id: await resolveShown(lookup, 'funnel_id', funnel) });
  });
  const { live_url, preview_url } = isRow(data) ? data : {};
  const isPreview = preview === true || typeof live_url !== 'string';
  const url = isPreview ? preview_url : live_url;
  if (typeof url !== 'string')
    throw new CommandFailed(
      'This funnel is not published, and its preview needs the permission funnels:write.',
    );
  terminal.print(json ? JSON.stringify({ url, is_preview: isPreview }, null, 2) : url);
  if (!print && !json && terminal.isWatched && isWebAddress(url)) browse(url);
  return EXIT.done;
}
