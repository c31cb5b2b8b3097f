/** The account as a file: `leadwire export`, `diff`, `apply`. */
import type { CliCommand } from '../terminal/command.js';
import { JSON_DOCUMENT } from './options.js';

const GROUP = 'The account as a file:';

export function addFileCommands(program: CliCommand): void {
  const command = (name: string, summary: string): CliCommand =>
    program.command(name).helpGroup(GROUP).summary(summary);
  command('export', 'the account as YAML')
    .description(
      'Write campaigns, buyers, suppliers and their terms as YAML: records by their names, and the same text for the ' +
        'same account. Keys and secrets are not included.\n\nPermissions: campaigns:read, buyers:read, suppliers:read.',
    )
    .option('-o, --output <file>', 'write to a file; default: standard output')
    .example('leadwire export --output account.yaml')
    .runs(async () => (await import('./export.js')).runExport);
  withFile(command('diff', 'show how the account differs from a file'))
    .description(
      'Show what apply would create (+) and change (~), and the records that the file does not name (-), which stay ' +
        'unchanged. The exit code is 3 when there is something to create or change.',
    )
    .option(...JSON_DOCUMENT)
    .example('leadwire diff -f account.yaml')
    .runs(async () => (await import('./apply.js')).runDiff);
  withFile(command('apply', 'make the account match a file'))
    .description(
      'Check the whole file, show the changes, ask for confirmation, and apply them. Records and settings that the ' +
        'file does not name stay unchanged. A second run changes nothing; an interrupted run is finished by running it ' +
        'again. New keys and secrets are shown once, at the end.\n\nPermissions: read and write of campaigns, buyers, ' +
        'suppliers.',
    )
    .option('--dry-run', 'show the changes, and do nothing')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--json', 'print one JSON document, with the new secrets')
    .example('leadwire apply -f account.yaml')
    .runs(async () => (await import('./apply.js')).runApply);
}

const withFile = (command: CliCommand): CliCommand =>
  command
    .requiredOption('-f, --file <file>', 'the file; - is standard input')
    .option(
      '--set-headers',
      "also set the values of buyers' existing headers, which cannot be compared",
    );
