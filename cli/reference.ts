/** Every command with its help, as a page: made from the commands themselves. */
import type { Command } from 'commander';
import { createPaint } from './paint.js';
import { createProgram } from './program.js';
import type { Terminal } from './terminal.js';

const INTRODUCTION = `# Commands

What \`leadwire <command> --help\` shows, for every command. This page is made from the commands: \`npm run docs:cli\`
writes it. [The command line](cli.md) says what holds for all of them.
`;

/** Markdown. */
export function createReference(): string {
  const program = createProgram(nowhere(), () => undefined);
  const parts = leavesOf(program).map(
    ({ path, command }) => `## ${path}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\`\n`,
  );
  return [INTRODUCTION, ...parts].join('\n');
}

interface Leaf {
  path: string;
  command: Command;
}

/** The program itself, and all that does something; groups only name what they hold. */
function leavesOf(program: Command): Leaf[] {
  const below = (command: Command, path: string): Leaf[] =>
    command.commands
      .filter((one) => !one.name().startsWith('__'))
      .flatMap((one) => {
        const name = `${path} ${one.name()}`;
        return one.commands.length > 0 ? below(one, name) : [{ path: name, command: one }];
      });
  return [{ path: program.name(), command: program }, ...below(program, program.name())];
}

/** With what is added after it, as a person sees it. */
function helpOf(command: Command): string {
  const lines: string[] = [];
  command.configureOutput({ writeOut: (text) => lines.push(text) });
  command.outputHelp();
  return lines
    .join('')
    .replace(/[ \t]+$/gm, '')
    .trim();
}

/** Nothing is run. */
const nowhere = (): Terminal => ({
  environment: {},
  print: () => undefined,
  say: () => undefined,
  paint: createPaint(false),
  sayPaint: createPaint(false),
  screen: null,
  isWatched: false,
  keyboard: {
    isTerminal: false,
    readAll: () => Promise.resolve(''),
    readBytes: () => Promise.resolve(new Uint8Array()),
    ask: () => Promise.resolve(null),
  },
});
