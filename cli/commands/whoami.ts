/** `leadwire whoami`. */
import { callServer } from '../client/call.js';
import type { Client } from '../client/client.js';
import { maskKey } from '../client/profiles.js';
import { EXIT, type ExitCode } from '../terminal/errors.js';
import { isRow } from '../output/rows.js';
import { readShown, showRecord, type ShowOptions } from '../output/show.js';
import type { Terminal } from '../terminal/terminal.js';
import { getOwn } from '../../src/lib/getOwn.js';

export interface WhoamiOptions extends ShowOptions {
  profile?: string;
}

const SHOWN = {
  name: 'whoami',
  cli: ['whoami', ''] as const,
  fields: ['organization', 'key', 'permissions', 'actions', 'url', 'source'],
};

export async function runWhoami(terminal: Terminal, options: WhoamiOptions): Promise<ExitCode> {
  const shown = readShown(SHOWN, options);
  const { whole, key } = await callServer(
    terminal,
    { profile: options.profile },
    async (client, { connection }) => {
      const { data } = await client.whoami();
      const { url, keySource: source, key } = connection;
      return { key, whole: { ...(isRow(data) ? data : {}), url, source } };
    },
  );
  const isForProgram = options.json !== undefined || options.jq !== undefined;
  await showRecord(terminal, isForProgram ? whole : summary(whole, key), shown);
  return EXIT.done;
}

/** For people: what the key may do in one line; the actions follow from that. */
function summary(whole: Record<string, unknown>, key: string): Record<string, unknown> {
  const { actions, ...rest } = whole;
  const count = Array.isArray(actions) ? actions.length : 0;
  return { ...rest, starts_with: maskKey(key), actions: `${count}, see leadwire --help` };
}

/** The names of the organization and of the key. */
export async function readWhoami(
  client: Client,
): Promise<{ organization: string; keyName: string }> {
  const { data } = await client.whoami();
  const nameOf = (part: string) => {
    const record = isRow(data) ? getOwn(data, part) : undefined;
    const name = isRow(record) ? record.name : undefined;
    return typeof name === 'string' ? name : '';
  };
  return { organization: nameOf('organization'), keyName: nameOf('key') };
}
