/** `help`, of the program and of each group: shows the page of a command at any depth, `leadwire help campaigns create`. */
import type { Command } from 'commander';
import { findNearest } from '../../src/lib/nearest.js';
import { CliCommand, visibleCommands } from '../terminal/command.js';

/** Call it last: groups that are added later have none. */
export function addHelp(group: CliCommand): void {
  for (const one of group.commands)
    if (one instanceof CliCommand && one.commands.length > 0) addHelp(one);
  group
    .command('help')
    .argument('[command...]', 'its words, such as campaigns create')
    .summary('show help for a command')
    .description('Show the help of a command; without one, what there is here.')
    .action((words: string[]) => findCommand(group, words).outputHelp());
}

/** Words after the command itself, such as an id, are left out. */
function findCommand(from: Command, [word, ...rest]: readonly string[]): Command {
  if (word === undefined || from.commands.length === 0) return from;
  const found = from.commands.find((one) => [one.name(), ...one.aliases()].includes(word));
  if (found) return findCommand(found, rest);
  const near = findNearest(
    word,
    visibleCommands(from).map((one) => one.name()),
  );
  const hint = near === undefined ? '' : `\n(Did you mean ${near}?)`;
  return from.error(`error: unknown command '${word}'${hint}`, {
    code: 'commander.unknownCommand',
  });
}
