/** What is made of actions on leads, beside those of the registry. */
import { InvalidArgumentError, type Command } from 'commander';
import type { LeadsTailOptions } from './leadsTail.js';
import type { LeadTrailOptions } from './leadTrail.js';
import type { LeadWatchOptions } from './leadWatch.js';
import type { ExitCode } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';

const EXAMPLE_ID = '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10';

type Ended = (code: ExitCode) => void;

/** @param ended is told the exit code */
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
    .summary('The way of a lead, as a tree with times')
    .description(
      'The way of a lead as a tree: when each step was, which buyers were asked or passed by and why.\n\n' +
        'Permission: leads:read; with buyers:read buyers have their names.',
    )
    .option('--values', 'the values that each step was decided on, too')
    .option('--json [fields]', 'JSON; with a list only these fields')
    .addHelpText('after', `\nExample:\n  leadwire leads trail ${EXAMPLE_ID}`);
  trail.action(async (leadId: string) => {
    const { showLeadTrail } = await import('./leadTrail.js');
    ended(await showLeadTrail(terminal, leadId, trail.optsWithGlobals<LeadTrailOptions>()));
  });
}

function addTail(leads: Command, terminal: Terminal, ended: Ended): void {
  const tail = leads
    .command('tail')
    .summary('Follow new leads as they come')
    .description(
      'New leads as they come, the newest at the bottom, until Ctrl-C. A lead is shown once: when it is decided, or ' +
        'half a minute after it came. What becomes of it later is shown by leads watch and leads trail.\n\n' +
        'Permission: leads:read; with campaigns:read, buyers:read and suppliers:read they have their names.',
    )
    .option('--campaign-id <ids>', 'of these campaigns; a comma means or')
    .option('--supplier-id <ids>', 'of these suppliers')
    .option('--buyer-id <ids>', 'first sold to these buyers')
    .option('--status <words>', 'only these, such as ACCEPTED,PENDING')
    .option('--test', 'test leads instead of live ones')
    .option('--since <when>', 'begin with those since then: 15m, 2h, 1d, or an instant')
    .option('--last <count>', 'begin with so many that are there (default: 10)', countUpTo(0, 500))
    .option('--jsonl', 'JSON, a lead a line')
    .option('--json [fields]', 'the same; with a list only these fields')
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
      'Wait until a lead is decided, and say how. Exit code 8: it was not decided in time.\n\n' +
        'Permission: leads:read; with buyers:read the buyer has its name.',
    )
    .option('--exit-status', 'exit code 0 only when it is ACCEPTED, 1 otherwise')
    .option('--timeout <seconds>', 'wait no longer than this', countUpTo(0, 86_400))
    .option('--json [fields]', 'JSON, as leads get; with a list only these fields')
    .addHelpText('after', `\nExample:\n  leadwire leads watch ${EXAMPLE_ID} --exit-status`);
  watch.action(async (leadId: string) => {
    const { watchLead } = await import('./leadWatch.js');
    ended(await watchLead(terminal, leadId, watch.optsWithGlobals<LeadWatchOptions>()));
  });
}

const countUpTo =
  (least: number, most: number) =>
  (text: string): number => {
    const value = text.trim() === '' ? NaN : Number(text);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
