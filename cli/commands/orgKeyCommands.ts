/** `leadwire operator keys`: keys of an organization, for operators with access to its database and without a key. */
import type { Command } from 'commander';
import type { CreateKeyOptions, ListKeysOptions, RevokeKeyOptions } from './orgKeys.js';
import type { ExitCode } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';

const EXAMPLES = `
Examples:
  leadwire operator keys create --name Owner --permissions all
  leadwire operator keys create --name "CI" --permissions read --expires-at 2027-01-31T00:00:00Z --json`;

/** @param ended receives the exit code */
export function addOrgKeys(
  keys: Command,
  terminal: Terminal,
  ended: (code: ExitCode) => void,
): void {
  const command = (name: string, summary: string): Command =>
    keys
      .command(name)
      .summary(summary)
      .option('--org <id>', 'the organization, by id or name; default: the only one');
  command('create', 'create a key, which is shown only once')
    .description(
      'Create a key of the Actions API and print it only once. The audit log records that an operator created it.',
    )
    .requiredOption('--name <text>', 'name of the key')
    .requiredOption(
      '--permissions <list>',
      'all, read (read everything, change nothing), or names separated by commas such as leads:read,reports:read',
    )
    .option('--expires-at <instant>', 'when it expires, such as 2027-01-31T00:00:00Z')
    .option('--by <text>', 'name of the operator, for the record')
    .option('--json', 'print one JSON document')
    .addHelpText('after', EXAMPLES)
    .action(async (options: CreateKeyOptions) => {
      const { createKeyCommand } = await import('./orgKeys.js');
      ended(await createKeyCommand(terminal, options));
    });
  command('list', 'list the keys of an organization')
    .description('Show the keys of an organization, oldest first; only the beginning of each key.')
    .option('--json [fields]', 'JSON; with a list, only these fields')
    .action(async (options: ListKeysOptions) => {
      const { listKeysCommand } = await import('./orgKeys.js');
      ended(await listKeysCommand(terminal, options));
    });
  command('revoke', 'revoke a key')
    .description(
      'Refuse a key from now on, in every process. The last key with settings:write cannot be revoked: create ' +
        'another one first.',
    )
    .argument('<key>', 'id of the key')
    .option('--by <text>', 'name of the operator, for the record')
    .option('--json', 'print one JSON document')
    .action(async (keyId: string, options: RevokeKeyOptions) => {
      const { revokeKeyCommand } = await import('./orgKeys.js');
      ended(await revokeKeyCommand(terminal, keyId, options));
    });
}
