/** `leadwire operator sign-in`: links for people who cannot sign in, by operators with access to the database. */
import type { Command } from 'commander';
import type { ExitCode } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';
import type { AdminLinkOptions, RecoveryLinkOptions } from './signInLinks.js';

/** @param ended receives the exit code */
export function addSignInLinks(
  group: Command,
  terminal: Terminal,
  ended: (code: ExitCode) => void,
): void {
  const command = (name: string, summary: string): Command =>
    group
      .command(name)
      .summary(summary)
      .option('--by <text>', 'name of the operator, for the record')
      .option('--json', 'print one JSON document');
  command('admin-link', 'print the link that makes the first admin')
    .description(
      'Print a link that makes the first admin of an organization: valid once, for 24 hours. Links printed before ' +
        'become invalid. Refused when the organization has an admin.',
    )
    .option('--org <id>', 'the organization, by id or name; default: the only one')
    .action(async (options: AdminLinkOptions) => {
      const { adminLink } = await import('./signInLinks.js');
      ended(await adminLink(terminal, options));
    });
  command('recovery-link', 'print a link that sets a new password')
    .description(
      'Print a link by which a person sets a new password: valid once, for 30 minutes. For installations without a ' +
        'mail server, and for people who have lost their second factor.',
    )
    .requiredOption('--email <address>', 'the address that the person signs in with')
    .option('--without-second-factor', 'remove the second factor when the link is used')
    .option(
      '--to-owner',
      'give the address back to its owner: what the account has of another person is removed, its memberships too',
    )
    .action(async (options: RecoveryLinkOptions) => {
      const { recoveryLink } = await import('./signInLinks.js');
      ended(await recoveryLink(terminal, options));
    });
}
