/** Commands that read or write long files: exports and imports of leads, and imports of suppression lists. */
import { Option } from 'commander';
import type { CliCommand } from '../terminal/command.js';

export function addBulkCommands(leads: CliCommand, suppressions: CliCommand): void {
  addExport(leads.command('export'));
  addImport(leads.command('import'));
  addSuppressionImport(suppressions.command('import'));
}

function addExport(command: CliCommand): void {
  command
    .summary('Export leads as CSV or JSON lines')
    .description(
      'All leads that match the filters, newest first, to standard output or a file. A file is written whole or not at ' +
        'all: until the last row it has the name FILE.part. Exit code 1 when the export was cut.\n\nPermission: leads:read.',
    )
    .option('--campaign-id <id>', 'leads of this campaign')
    .option('--supplier-id <id>', 'leads of this supplier')
    .option('--buyer-id <id>', 'leads first sold to this buyer')
    .option('--status <word>', 'leads of this status, such as ACCEPTED')
    .option('--outcome <word>', 'leads with this outcome')
    .option('--date-from <day>', 'received on this day or later, YYYY-MM-DD')
    .option('--date-to <day>', 'received on this day or earlier')
    .option('--created-from <instant>', 'received at this instant or later')
    .option('--test', 'test leads instead of live ones')
    .option(
      '--fields <names>',
      'the columns after id, such as created_at,status,phone; without it, no contact data',
    )
    .addOption(
      new Option('--format <form>', 'form of the rows').choices(['csv', 'jsonl']).default('csv'),
    )
    .option('--out <file>', 'write to this file')
    .example(
      'leadwire leads export --date-from 2026-11-22 --fields created_at,status,phone,price --out week.csv',
      'leadwire leads export --format jsonl | jq -r .status | sort | uniq -c',
    )
    .runs(async () => (await import('./exportLeads.js')).exportLeads);
}

function addImport(command: CliCommand): void {
  command
    .argument('<file>', 'a CSV or JSON lines file, or - for standard input')
    .summary('Import leads from a file, as a supplier')
    .description(
      'Sends each row as a lead of a supplier, with the validation, duplicates and routing of a posted lead. The first ' +
        'line of a CSV file names the fields; a file that leads export has written is read too. The same command goes on ' +
        'where it was interrupted, and sells no row twice: rows are told apart by the content of the file and their line, ' +
        'or by --key-column. Each row with a fault is listed. Exit code 1 when a row is no lead, or may be none.\n\nPermission: leads:write.',
    )
    .requiredOption('--campaign <id>', 'the campaign')
    .requiredOption('--supplier <id>', 'the supplier')
    .option('--dry-run', 'check each row, and store nothing')
    .option('--resume', 'go on where an import was interrupted, as every run does')
    .option('--key-column <name>', 'the column that tells rows apart, such as an id of yours')
    .option('--import-id <text>', 'name of the import; default: made of the content of the file')
    .option('--test', 'send test leads, which cost nothing')
    .option('--report <file>', 'write line, result, lead and message of every row to this CSV file')
    .option('--json', 'counts as JSON')
    .example('leadwire leads import week.csv --campaign C --supplier S --dry-run')
    .runs(async () => (await import('./importLeads.js')).importLeads);
}

function addSuppressionImport(command: CliCommand): void {
  command
    .argument('<file>', 'a CSV file, or - for standard input')
    .summary('Import a file of any length into a suppression list')
    .description(
      'Adds the phones and emails of a CSV file, whatever its length, to a list, or replaces the list. The first line names ' +
        'the columns: phone, email, or their MD5. The same command goes on where it was interrupted. With --replace the ' +
        'old list stays in force until the last row is stored. Exit code 1 when values could not be read: the others are ' +
        'on the list.\n\nPermission: leads:write.',
    )
    .requiredOption('--name <text>', 'name of the list')
    .option('--campaign-id <id>', 'a list of this campaign; default: of the organization')
    .option('--buyer-id <id>', 'a list of this buyer')
    .option('--replace', 'the file replaces the list of this name')
    .option('--import-id <text>', 'name of the import; default: made of the content of the file')
    .option('--again', 'import a file once more that has been imported already')
    .option('--json', 'the report as JSON')
    .example('leadwire suppressions import dnc.csv --name "Do not call" --replace')
    .runs(async () => (await import('./importSuppressions.js')).importSuppressions);
}
