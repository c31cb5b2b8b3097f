/** A command of this program: what commander's has, and what all commands here do alike. */
import { Command } from 'commander';
import type { ExitCode } from './errors.js';
import type { Terminal } from './terminal.js';

/** The work of a command. Its options include those of the program. */
export type Work<Options> = (
  terminal: Terminal,
  options: Options,
  ...args: string[]
) => ExitCode | Promise<ExitCode>;

export class CliCommand extends Command {
  /** @param ended receives the exit code of the command that ran */
  constructor(
    name: string | undefined,
    readonly terminal: Terminal,
    private readonly ended: (code: ExitCode) => void,
  ) {
    super(name);
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name, this.terminal, this.ended);
  }

  /** The group of a noun that has commands already, for more of them. */
  extend(noun: string, more: string): CliCommand {
    const found = this.commands.find((one): one is CliCommand => one.name() === noun);
    const group = found ?? this.command(noun);
    return group.summary(`${group.summary()}, ${more}`);
  }

  /** Help where no command is named: it was asked for as by `--help`, and is a result like that. */
  override help(): never {
    return super.help();
  }

  /** Lines of a shell, shown after the help. */
  example(...lines: string[]): this {
    const title = lines.length > 1 ? 'Examples' : 'Example';
    return this.addHelpText('after', `\n${title}:\n  ${lines.join('\n  ')}`);
  }

  /** @param load loads the code of the command, which is done only when it is called, so that help is quick */
  runs<Options>(load: () => Work<Options> | Promise<Work<Options>>): this {
    return this.action(async (...given: unknown[]) => {
      const work = await load();
      // After the arguments commander passes the options, and the command; several words of one are a list.
      const args = given.slice(0, -2).flat() as string[];
      this.ended(await work(this.terminal, this.optsWithGlobals() as Options, ...args));
    });
  }
}

/** The commands that the help of one lists: without old spellings and what only shells call. */
export const visibleCommands = (command: Command): Command[] =>
  command.createHelp().visibleCommands(command);
