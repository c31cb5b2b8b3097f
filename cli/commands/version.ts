/** `leadwire version`: which program this is, what it runs on, and which server it talks to. */
import { exchange } from '../client/exchange.js';
import { findConnection } from '../client/connection.js';
import { EXIT, type ExitCode } from '../terminal/errors.js';
import { parseRow } from '../output/rows.js';
import { readShown, showRecord, type ShowOptions } from '../output/show.js';
import type { Terminal } from '../terminal/terminal.js';
import { readBuild } from '../../src/lib/build.js';

const SHOWN = {
  name: 'version',
  cli: ['version', ''] as const,
  fields: ['version', 'commit', 'built_at', 'node', 'platform', 'server', 'server_version'],
};

/** How long a server may take, milliseconds: the rest is known without it. */
const TIMEOUT_MS = 1_000;

export async function showVersion(
  terminal: Terminal,
  options: ShowOptions & { profile?: string },
): Promise<ExitCode> {
  const shown = readShown(SHOWN, options);
  const { version, commit, builtAt } = readBuild();
  const built_at = builtAt?.toISOString() ?? null;
  const { url } = findConnection(terminal.environment, options.profile);
  const server_version = await versionOf(url);
  const whole = {
    version,
    commit: commit === 'unknown' ? null : commit,
    built_at,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    server: server_version === null ? null : url,
    server_version,
  };
  if (options.json !== undefined || options.jq !== undefined) {
    await showRecord(terminal, whole, shown);
    return EXIT.done;
  }
  const source = whole.commit === null ? '' : `commit ${commit}, `;
  terminal.print(`leadwire ${version} (${source}built ${built_at ?? 'in part'})`);
  terminal.print(`Node ${whole.node}, ${whole.platform}`);
  terminal.print(
    server_version === null ? `server: none at ${url}` : `server ${server_version} at ${url}`,
  );
  return EXIT.done;
}

/** Null: no such server answers in time, or one whose proxy does not pass its health on. */
async function versionOf(url: string): Promise<string | null> {
  const asked = { method: 'GET', headers: {}, timeoutMs: TIMEOUT_MS } as const;
  const reply = await exchange(`${url}/healthz`, asked).catch(() => null);
  const { version } = parseRow(reply?.text ?? '') ?? {};
  return typeof version === 'string' ? version : null;
}
