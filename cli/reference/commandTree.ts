/** The commands as a tree that is walked and not run: what pages about them are made from. */
import type { Command } from 'commander';

export interface Leaf {
  /** Such as `leadwire campaigns list`. */
  path: string;
  command: Command;
}

/** The program itself, and all that does something; groups only name what they hold. */
export function commandTree(program: Command): Leaf[] {
  const below = (command: Command, path: string): Leaf[] =>
    command.commands
      .filter((one) => !one.name().startsWith('__'))
      .flatMap((one) => {
        const name = `${path} ${one.name()}`;
        return one.commands.length > 0 ? below(one, name) : [{ path: name, command: one }];
      });
  return [{ path: program.name(), command: program }, ...below(program, program.name())];
}

/** The help of a command with what is added after it, as a person sees it. */
export function helpOf(command: Command): string {
  const lines: string[] = [];
  command.configureOutput({ writeOut: (text) => lines.push(text) });
  command.outputHelp();
  return lines
    .join('')
    .replace(/[ \t]+$/gm, '')
    .trim();
}
