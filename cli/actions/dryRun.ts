/** `--dry-run`: the request that would be sent, and whether its input is valid. Nothing is sent. */
import { findConnection } from '../client/connection.js';
import { maskKey } from '../client/profiles.js';
import type { Terminal } from '../terminal/terminal.js';
import { checkInput } from './checkInput.js';
import type { CommandEntry } from './manifest.js';
import { camelCase } from './readFlags.js';

/** @throws {CommandFailed} listing the faults of the input, by the schema of the action */
export async function dryRun(
  terminal: Terminal,
  entry: CommandEntry,
  input: Record<string, unknown>,
  options: { profile?: string; json?: unknown },
): Promise<void> {
  const found = findConnection(terminal.environment, options.profile);
  await checkInput(entry, input, { connection: found });
  const shown = withoutSecrets(entry, input);
  const url = `${found.url}/api/v1/actions/${entry.name}`;
  if (options.json !== undefined) {
    terminal.print(JSON.stringify({ dry_run: true, method: 'POST', url, input: shown }, null, 2));
  } else {
    const key = found.key === null ? '<no key: leadwire login>' : maskKey(found.key);
    terminal.print(
      `POST ${url}\nAuthorization: Bearer ${key}\nContent-Type: application/json\n\n${JSON.stringify(shown, null, 2)}`,
    );
  }
  terminal.say(
    'Nothing was sent. The input matches its schema; the server checks the rules of the account.',
  );
}

const withoutSecrets = ({ flags }: CommandEntry, input: Record<string, unknown>) => {
  const secrets = new Set(
    flags.flatMap(({ key, secret }) => (secret ? [key, camelCase(key)] : [])),
  );
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, secrets.has(key) ? '[hidden]' : value]),
  );
};
