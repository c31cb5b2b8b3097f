/** `leadwire funnels open`: opens a funnel in the caller's browser. */
import { spawn } from 'node:child_process';
import { callServer } from '../client/call.js';
import type { Environment } from '../output/paint.js';
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

const isWebAddress = (url: string): boolean =>
  URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);

/** Does nothing where there is no browser: the address has been printed. */
function browserOf(environment: Environment): (url: string) => void {
  const [command, ...args] = commandOf(environment);
  return (url) => {
    if (command === undefined) return;
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
    child.on('error', () => undefined);
    child.unref();
  };
}

/** Without a shell, so that an address is never run as a command. */
function commandOf({ DISPLAY, WAYLAND_DISPLAY }: Environment): string[] {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : [];
}
