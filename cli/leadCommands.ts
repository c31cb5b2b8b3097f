/** What is made of actions on leads, beside those of the registry. */
import type { Command } from 'commander';
import type { LeadTrailOptions } from './commands/leadTrail.js';
import type { ExitCode } from './errors.js';
import type { Terminal } from './terminal.js';

/** @param ended is told the exit code */
export function addLeadCommands(
  program: Command,
  terminal: Terminal,
  ended: (code: ExitCode) => void,
): void {
  const leads = program.commands.find((command) => command.name() === 'leads');
  if (!leads) return;
  leads.summary(`${leads.summary()}, trail`);
  const trail = leads
    .command('trail')
    .argument('<lead-id>', 'the lead')
    .summary('The way of a lead, as a tree with times')
    .description(
      'The way of a lead as a tree: when each step was, which buyers were asked or passed by and why.\n\n' +
        'Permission: leads:read; with buyers:read buyers have their names.',
    )
    .option('--values', 'the values that each step was decided on, too')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExample:\n  leadwire leads trail 2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10',
    );
  trail.action(async (leadId: string) => {
    const { showLeadTrail } = await import('./commands/leadTrail.js');
    ended(await showLeadTrail(terminal, leadId, trail.optsWithGlobals<LeadTrailOptions>()));
  });
}
