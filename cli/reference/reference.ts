/** Every command with its help, as a page: made from the commands themselves. */
import type { Command } from 'commander';
import { commandTree, helpOf } from './commandTree.js';

const INTRODUCTION = `# Commands

What \`leadwire <command> --help\` shows, for every command. This page is made from the commands: \`npm run docs:cli\`
writes it. [The command line](cli.md) says what holds for all of them.
`;

/** Markdown. */
export function createReference(program: Command): string {
  const parts = commandTree(program).map(
    ({ path, command }) => `## ${path}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\`\n`,
  );
  return [INTRODUCTION, ...parts].join('\n');
}
