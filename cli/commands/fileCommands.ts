/** The account as a file: `leadwire export`, `diff`, `apply`. */
import type { Command } from 'commander';
import type { ApplyOptions } from './apply.js';
import type { DiffOptions } from './diff.js';
import type { ExportOptions } from './export.js';
import type { ExitCode } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';

const GROUP = 'The account as a file:';

/** @param ended is told the exit code */
export function addFileCommands(
  program: Command,
  terminal: Terminal,
  ended: (code: ExitCode) => void,
): void {
  const command = (name: string, summary: string): Command =>
    program.command(name).helpGroup(GROUP).summary(summary);
  const exporting = command('export', 'the account as YAML')
    .description(
      'Write campaigns, buyers, suppliers and their terms as YAML: records by their names, the same account the same ' +
        'text. Keys and secrets are not in it.\n\nPermissions: campaigns:read, buyers:read, suppliers:read.',
    )
    .option('-o, --output <file>', 'into a file; without it, to standard output')
    .addHelpText('after', '\nExample:\n  leadwire export --output account.yaml');
  exporting.action(async () => {
    const { runExport } = await import('./export.js');
    ended(await runExport(terminal, exporting.optsWithGlobals<ExportOptions>()));
  });
  const diff = withFile(command('diff', 'what the account has otherwise than a file'))
    .description(
      'Show what apply would create (+) and change (~), and which records the file does not name (-), which stay as ' +
        'they are. The exit code is 3 where there is something to create or to change.',
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  leadwire diff -f account.yaml');
  diff.action(async () => {
    const { runDiff } = await import('./diff.js');
    ended(await runDiff(terminal, diff.optsWithGlobals<DiffOptions>()));
  });
  const apply = withFile(command('apply', 'make the account as a file has it'))
    .description(
      'Check the whole file, show what is to be created and changed, ask, and do it. What the file does not name stays ' +
        'as it is. A second run finds nothing to do; one that was cut off is finished by running it again. New keys and ' +
        'secrets are shown once, at the end.\n\nPermissions: read and write of campaigns, buyers, suppliers.',
    )
    .option('--dry-run', 'show what would be done, and do nothing')
    .option('-y, --yes', 'do not ask')
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
      "set the values of buyers' headers that are there already, too: they cannot be compared",
    );
