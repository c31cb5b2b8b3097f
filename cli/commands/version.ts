/** `leadwire version`: which program this is, what it runs on, and which server it talks to. */
import { readFileSync, statSync } from 'node:fs';
import { BUILD_PATH } from '../actions/manifest.js';
import { exchange } from '../client/exchange.js';
import { findConnection } from '../client/connection.js';
import { EXIT, type ExitCode } from '../terminal/errors.js';
import { parseRow } from '../output/rows.js';
import { readShown, showRecord, type ShowOptions } from '../output/show.js';
import type { Terminal } from '../terminal/terminal.js';
import { readVersion } from '../../src/lib/version.js';

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
  const commit = readCommit();
  const built_at = statSync(BUILD_PATH).mtime.toISOString();
  const { url } = findConnection(terminal.environment, options.profile);
  const server_version = await versionOf(url);
  const whole = {
    version: readVersion(),
    commit,
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
  const source = commit === null ? '' : `commit ${commit}, `;
  terminal.print(`leadwire ${whole.version} (${source}built ${built_at})`);
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

/** The build wrote it; null where it did not know the commit, as without git. */
function readCommit(): string | null {
  const { commit } = parseRow(readFileSync(BUILD_PATH, 'utf8')) ?? {};
  return typeof commit === 'string' ? commit : null;
}
