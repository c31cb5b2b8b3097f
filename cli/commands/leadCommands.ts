/** Commands made from actions on leads, in addition to those of the registry. */
import type { Command } from 'commander';
import type { LeadsTailOptions } from './leadsTail.js';
import type { LeadTrailOptions } from './leadTrail.js';
import type { LeadWatchOptions } from './leadWatch.js';
import type { ExitCode } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';
import { wholeNumber } from './wholeNumber.js';

const EXAMPLE_ID = '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10';

type Ended = (code: ExitCode) => void;

/** @param ended receives the exit code */
export function addLeadCommands(program: Command, terminal: Terminal, ended: Ended): void {
  const leads = program.commands.find((command) => command.name() === 'leads');
  if (!leads) return;
  leads.summary(`${leads.summary()}, trail, tail, watch`);
  addTrail(leads, terminal, ended);
  addTail(leads, terminal, ended);
  addWatch(leads, terminal, ended);
}

function addTrail(leads: Command, terminal: Terminal, ended: Ended): void {
  const trail = leads
    .command('trail')
    .argument('<lead-id>', 'the lead')
    .summary('Show the steps of a lead, as a tree with times')
    .description(
      'The steps of a lead as a tree: when each happened, which buyers were asked or passed over, and ' +
        'why.\n\nPermission: leads:read; with buyers:read buyers are shown by name.',
    )
    .option('--values', 'also show the values that decided each step')
    .option('--json [fields]', 'JSON; with a list, only these fields')
    .addHelpText('after', `\nExample:\n  leadwire leads trail ${EXAMPLE_ID}`);
  trail.action(async (leadId: string) => {
    const { showLeadTrail } = await import('./leadTrail.js');
    ended(await showLeadTrail(terminal, leadId, trail.optsWithGlobals<LeadTrailOptions>()));
  });
}

function addTail(leads: Command, terminal: Terminal, ended: Ended): void {
  const tail = leads
    .command('tail')
    .summary('Follow new leads as they arrive')
    .description(
      'New leads as they arrive, the newest at the bottom, until Ctrl-C. A lead is shown once: when it is decided, ' +
        'or half a minute after it arrived. leads watch and leads trail show its later status.\n\nPermission: ' +
        'leads:read; with campaigns:read, buyers:read and suppliers:read records are shown by name.',
    )
    .option('--campaign-id <ids>', 'only leads of these campaigns; a comma means or')
    .option('--supplier-id <ids>', 'only leads of these suppliers')
    .option('--buyer-id <ids>', 'only leads first sold to these buyers')
    .option('--status <words>', 'only these statuses, such as ACCEPTED,PENDING')
    .option('--test', 'test leads instead of live ones')
    .option('--since <when>', 'begin with leads since then: 15m, 2h, 1d, or an instant')
    .option(
      '--last <count>',
      'number of existing leads to begin with (default: 10)',
      wholeNumber(0, 500),
    )
    .option('--jsonl', 'JSON, one lead per line')
    .option('--json [fields]', 'the same; with a list, only these fields')
    .addHelpText(
      'after',
      '\nExample:\n  leadwire leads tail --status ACCEPTED,PENDING --since 15m',
    );
  tail.action(async () => {
    const { tailLeads } = await import('./leadsTail.js');
    ended(await tailLeads(terminal, tail.optsWithGlobals<LeadsTailOptions>()));
  });
}

function addWatch(leads: Command, terminal: Terminal, ended: Ended): void {
  const watch = leads
    .command('watch')
    .argument('<lead-id>', 'the lead')
    .summary('Wait until a lead is decided')
    .description(
      'Wait until a lead is decided, and show the decision. Exit code 8: it was not decided in time.\n\nPermission: ' +
        'leads:read; with buyers:read the buyer is shown by name.',
    )
    .option('--exit-status', 'exit code 0 only when it is ACCEPTED, 1 otherwise')
    .option('--timeout <seconds>', 'maximum wait', wholeNumber(0, 86_400))
    .option('--json [fields]', 'JSON, as from leads get; with a list, only these fields')
    .addHelpText('after', `\nExample:\n  leadwire leads watch ${EXAMPLE_ID} --exit-status`);
  watch.action(async (leadId: string) => {
    const { watchLead } = await import('./leadWatch.js');
    ended(await watchLead(terminal, leadId, watch.optsWithGlobals<LeadWatchOptions>()));
  });
}
