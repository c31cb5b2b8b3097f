/** The commands as a tree for reading, not for running: pages about them are made from it. */
import type { Command } from 'commander';
import { visibleCommands } from '../terminal/command.js';

export interface Leaf {
  /** For example `leadwire campaigns list`. */
  path: string;
  command: Command;
}

/** The program itself, and every command that does something; groups and `help` only name others. */
export function commandTree(program: Command): Leaf[] {
  const below = (command: Command, path: string): Leaf[] =>
    visibleCommands(command)
      .filter((one) => one.name() !== 'help')
      .flatMap((one) => {
        const name = `${path} ${one.name()}`;
        return one.commands.length > 0 ? below(one, name) : [{ path: name, command: one }];
      });
  return [{ path: program.name(), command: program }, ...below(program, program.name())];
}

/** The help of a command with the text added after it, as a person sees it. */
export function helpOf(command: Command): string {
  const lines: string[] = [];
  command.configureOutput({ writeOut: (text) => lines.push(text) });
  command.outputHelp();
  return lines
    .join('')
    .replace(/[ \t]+$/gm, '')
    .trim();
}
