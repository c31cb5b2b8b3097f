/** The commands of the Actions API: a noun and a verb for each action. */
import { Option } from 'commander';
import type { CliCommand } from '../terminal/command.js';
import { mayBeSevere } from './confirm.js';
import { asksServer, positionalOf, type CommandEntry } from './manifest.js';
import { wholeNumber } from '../commands/options.js';
import { exampleLine, optionsOf, shortOptions } from './options.js';
import type { ActionOptions } from './runAction.js';
import { isOldSpelling, verbsOf, type VerbEntry } from './verbs.js';

const ACCOUNT_GROUP = 'The account (over HTTP):';

export function addActionCommands(program: CliCommand, entries: readonly CommandEntry[]): void {
  const nouns = new Map<string, CommandEntry[]>();
  for (const entry of entries) nouns.set(entry.cli[0], [...(nouns.get(entry.cli[0]) ?? []), entry]);
  for (const [noun, verbs] of nouns) {
    const group = program
      .command(noun)
      .helpGroup(ACCOUNT_GROUP)
      .description(`Commands for ${noun}.`);
    const shown = verbs.flatMap((entry) => (isOldSpelling(entry) ? verbsOf(entry) : [entry]));
    group.summary(shown.map(({ cli }) => cli[1]).join(', '));
    for (const entry of shown) addCommand(group, entry);
    for (const entry of verbs.filter(isOldSpelling)) addCommand(group, entry, { hidden: true });
  }
}

function addCommand(group: CliCommand, entry: VerbEntry, options: { hidden?: boolean } = {}): void {
  const positional = positionalOf(entry);
  const command = group.command(entry.cli[1], options).summary(entry.summary);
  if (positional)
    command.argument(`[${positional.key.replaceAll('_', '-')}]`, positional.description);
  for (const flag of entry.flags) for (const option of optionsOf(flag)) command.addOption(option);
  for (const option of shortOptions(entry)) command.addOption(option);
  addOutputOptions(command, entry);
  if (entry.flags.length > 0)
    command.option('--input <file>', 'a JSON object to start from, or - for standard input');
  // Where the server tells what a call would do, the flag is a part of the input.
  if (entry.effect !== 'read' && !asksServer(entry))
    command.option('--dry-run', 'show the request, and send nothing');
  if (entry.effect === 'destroy') command.option('--yes', 'do not ask for confirmation');
  if (mayBeSevere(entry))
    command.option('--confirm <name>', 'the name of the record, instead of typing it');
  command
    .description(`${entry.description}\n\nPermission: ${entry.permission}. Action: ${entry.name}.`)
    .addHelpText('after', () => `\nExample:\n  ${exampleLine(entry)}`)
    .runs(async () => {
      const { runAction } = await import('./runAction.js');
      return (terminal, options: ActionOptions & { input?: string }, id) => {
        const { fixed } = entry;
        const typed = { options: command.opts(), positional: id, input: options.input, fixed };
        // In other commands these flags may be parts of the input: a list to upload is a CSV.
        const formats = entry.rows === null ? { csv: undefined, jsonl: undefined } : {};
        return runAction(terminal, entry, typed, { ...options, ...formats });
      };
    });
}

/** Fewer seconds would use up the calls that a key has in a minute. */
const WATCH_SECONDS = { least: 2, most: 3_600, usual: 5 };

const watchOption = (): Option =>
  new Option('--watch [seconds]', `show it again every ${WATCH_SECONDS.usual} s, until Ctrl-C`)
    .preset(String(WATCH_SECONDS.usual))
    .argParser(wholeNumber(WATCH_SECONDS.least, WATCH_SECONDS.most));

/** An option whose name is a key of the input stays an input: it is the purpose of the command. */
function addOutputOptions(command: CliCommand, { rows, paged }: CommandEntry): void {
  const options = [
    new Option('--json [fields]', 'JSON; with a list such as id,name, only these fields'),
    new Option('--jq <filter>', 'the JSON filtered by jq'),
  ];
  if (rows !== null) {
    options.push(
      new Option('--jsonl', 'JSON, one row per line'),
      new Option('--csv', 'comma-separated values'),
    );
  }
  if (paged) options.push(new Option('--all', 'all pages'));
  if (rows !== null) options.push(watchOption());
  for (const option of options) command.addOption(option.helpGroup('Output:'));
}
