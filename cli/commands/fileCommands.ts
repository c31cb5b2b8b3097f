/** The account as a file: `leadwire export`, `diff`, `apply`. */
import type { Command } from 'commander';
import type { ApplyOptions } from './apply.js';
import type { DiffOptions } from './diff.js';
import type { ExportOptions } from './export.js';
import type { ExitCode } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';

const GROUP = 'The account as a file:';

/** @param ended receives the exit code */
export function addFileCommands(
  program: Command,
  terminal: Terminal,
  ended: (code: ExitCode) => void,
): void {
  const command = (name: string, summary: string): Command =>
    program.command(name).helpGroup(GROUP).summary(summary);
  const exporting = command('export', 'the account as YAML')
    .description(
      'Write campaigns, buyers, suppliers and their terms as YAML: records by their names, and the same text for the ' +
        'same account. Keys and secrets are not included.\n\nPermissions: campaigns:read, buyers:read, suppliers:read.',
    )
    .option('-o, --output <file>', 'write to a file; default: standard output')
    .addHelpText('after', '\nExample:\n  leadwire export --output account.yaml');
  exporting.action(async () => {
    const { runExport } = await import('./export.js');
    ended(await runExport(terminal, exporting.optsWithGlobals<ExportOptions>()));
  });
  const diff = withFile(command('diff', 'show how the account differs from a file'))
    .description(
      'Show what apply would create (+) and change (~), and the records that the file does not name (-), which stay ' +
        'unchanged. The exit code is 3 when there is something to create or change.',
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  leadwire diff -f account.yaml');
  diff.action(async () => {
    const { runDiff } = await import('./diff.js');
    ended(await runDiff(terminal, diff.optsWithGlobals<DiffOptions>()));
  });
  const apply = withFile(command('apply', 'make the account match a file'))
    .description(
      'Check the whole file, show the changes, ask for confirmation, and apply them. Records and settings that the ' +
        'file does not name stay unchanged. A second run changes nothing; an interrupted run is finished by running it ' +
        'again. New keys and secrets are shown once, at the end.\n\nPermissions: read and write of campaigns, buyers, ' +
        'suppliers.',
    )
    .option('--dry-run', 'show the changes, and do nothing')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--json', 'print one JSON document, with the new secrets')
    .addHelpText('after', '\nExample:\n  leadwire apply -f account.yaml');
  apply.action(async () => {
    const { runApply } = await import('./apply.js');
    ended(await runApply(terminal, apply.optsWithGlobals<ApplyOptions>()));
  });
}

const withFile = (command: Command): Command =>
  command
    .requiredOption('-f, --file <file>', 'the file; - is standard input')
    .option(
      '--set-headers',
      "also set the values of buyers' existing headers, which cannot be compared",
    );
