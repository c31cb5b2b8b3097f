/**
 * `leadwire operator …`: commands on waiting leads, on events, and on leads, of every organization. They work on the
 * servers of a running installation, without a key.
 */
import { Option, type Command } from 'commander';
import { CALLS_MAX, DEFAULT_KEY_LIMITS } from '../../src/account/store/keyLimits.js';
import { EVENT_TYPES } from '../../src/events/rules/events.js';
import type { CommandOptions, ListOptions } from './deliveries.js';
import type { EventOptions } from './events.js';
import type { KeyLimitsOptions } from './keyLimits.js';
import type { ReplayOptions } from './replay.js';
import type { TrailOptions } from './trail.js';
import type { ExitCode } from '../terminal/errors.js';
import { addOrgKeys } from './orgKeyCommands.js';
import { addSignInLinks } from './signInCommands.js';
import type { Terminal } from '../terminal/terminal.js';
import { wholeNumber } from './wholeNumber.js';

const AFTER_HELP = `
It finds the installation by MONGODB_URI, MONGODB_DATABASE, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and
TEMPORAL_TASK_QUEUE_PREFIX, as every role does; leadwire up prints the two addresses.`;

export const HOST_GROUP = "On the servers' own host:";

const LIST_MAX = 1_000;
const REPLAYED_MAX = 10_000_000;
const WAIT_MAX_SECONDS = 3_600;

type Ended = (code: ExitCode) => void;

/** @param ended receives the exit code */
export function addOperatorsCommands(program: Command, terminal: Terminal, ended: Ended): void {
  const operator = program
    .command('operator')
    .helpGroup(HOST_GROUP)
    .summary('deliveries, events and leads of every organization')
    .description(
      'For operators of the installation: works directly on its servers, for every organization, without a key.',
    )
    .addHelpText('after', AFTER_HELP);
  const group = (name: string, summary: string, description: string): Command =>
    operator
      .command(name)
      .summary(summary)
      .description(description)
      .addHelpText('after', AFTER_HELP);
  const deliveries = group(
    'deliveries',
    'show and manage waiting deliveries',
    'Show and manage the deliveries that wait for a buyer.',
  );
  addCommands(deliveries, terminal, ended);
  addList(deliveries, terminal, ended);
  const events = group(
    'events',
    'show events of the installation',
    'Show the events of the installation.',
  );
  addEvents(events, terminal, ended);
  const leads = group('leads', 'show how leads were decided', 'Show how leads were decided.');
  addLeads(leads, terminal, ended);
  const limits = group(
    'key-limits',
    'show and set the limits of a key',
    'Show and set the call limits of a key of the Actions API. A change applies from its next call on.',
  );
  addKeyLimits(limits, terminal, ended);
  const keys = group(
    'keys',
    'manage keys without a key',
    'Create, list and revoke the keys of an organization without a key: the first one, or when the last one is lost.',
  );
  addOrgKeys(keys, terminal, ended);
  const signIn = group(
    'sign-in',
    'print links for people who cannot sign in',
    'Print links for people who cannot sign in: the first admin, and a person who has lost a password.',
  );
  addSignInLinks(signIn, terminal, ended);
}

function addKeyLimits(command: Command, terminal: Terminal, ended: Ended): void {
  const { calls_per_minute: calls, writes_per_minute: writes } = DEFAULT_KEY_LIMITS;
  command
    .requiredOption('--org <id>', 'the id of the organization; GET /api/v1/whoami shows it')
    .requiredOption('--key <id>', 'the id of the key; list_api_keys shows it')
    .option('--calls <number>', 'calls per minute', wholeNumber(1, CALLS_MAX))
    .option(
      '--writes <number>',
      'calls per minute that change something',
      wholeNumber(1, CALLS_MAX),
    )
    .option('--default', `${calls} calls a minute, and ${writes} writes among them`)
    .addOption(byOption())
    .option('--json', 'print one JSON document')
    .action(async (options: KeyLimitsOptions) => {
      const { keyLimits } = await import('./keyLimits.js');
      ended(await keyLimits(terminal, options));
    });
}

function addCommands(deliveries: Command, terminal: Terminal, ended: Ended): void {
  const actions = {
    retry: 'send at once; ends a hold and a cooldown',
    hold: 'send nothing until a retry; the time limit keeps running',
    drop: 'end without a sale to this buyer',
    resolve: 'resolve a delivery that the buyer never answered',
  } as const;
  for (const action of Object.keys(actions) as (keyof typeof actions)[]) {
    const command = deliveries
      .command(action)
      .summary(actions[action])
      .description(`For one lead, or for all that wait for a buyer: ${actions[action]}.`)
      .option('--lead <id>', 'one lead')
      .option(
        '--buyer <id>',
        'all deliveries that wait for this buyer; with --lead, the delivery of the lead to this buyer',
      )
      .addOption(byOption())
      .option('--note <text>', 'reason, for the record')
      .option('--id <id>', 'id of the command: a repeated command with the same id runs once')
      .option(
        '--wait <seconds>',
        'maximum wait for the answer',
        wholeNumber(1, WAIT_MAX_SECONDS),
        600,
      )
      .option('--json', 'print one JSON document');
    if (action === 'resolve') {
      command
        .description(
          "Resolve a delivery that the buyer never answered, once the buyer's decision is known.",
        )
        .addOption(
          new Option('--result <result>', 'the decision of the buyer')
            .choices(['accepted', 'rejected'])
            .makeOptionMandatory(),
        );
    }
    command.action(async (options: CommandOptions) => {
      const { runCommand } = await import('./deliveries.js');
      ended(await runCommand(terminal, action, options));
    });
  }
}

function addList(deliveries: Command, terminal: Terminal, ended: Ended): void {
  deliveries
    .command('list')
    .summary('list waiting deliveries of a buyer')
    .description('Show the deliveries that wait for a buyer, newest first.')
    .requiredOption('--buyer <id>', 'the buyer')
    .addOption(new Option('--state <state>', 'only these').choices(['parked', 'unknown', 'held']))
    .option('--limit <rows>', 'maximum number', wholeNumber(1, LIST_MAX), 50)
    .option('--json [fields]', 'JSON; with a list, only these fields')
    .action(async (options: ListOptions) => {
      const { list } = await import('./deliveries.js');
      ended(await list(terminal, options));
    });
}

function addEvents(events: Command, terminal: Terminal, ended: Ended): void {
  events
    .command('list')
    .summary('the latest events')
    .description('Show the latest events, newest first; they are kept for 30 days.')
    .addOption(new Option('--type <type>', 'only these').choices(EVENT_TYPES))
    .option('--org <id>', 'only events of this organization')
    .option('--limit <events>', 'maximum number', wholeNumber(1, LIST_MAX), 50)
    .option('--json [fields]', 'JSON; with a list, only these fields')
    .action(async (options: EventOptions) => {
      const { listEvents } = await import('./events.js');
      ended(await listEvents(terminal, options));
    });
}

function addLeads(leads: Command, terminal: Terminal, ended: Ended): void {
  leads
    .command('trail')
    .argument('<lead>', 'id of the lead')
    .summary('the steps of one lead')
    .description('Show each step of a lead, with the values that decided it.')
    .addOption(byOption())
    .option('--json [fields]', 'JSON; with a list, only these fields')
    .action(async (leadId: string, options: TrailOptions) => {
      const { showTrail } = await import('./trail.js');
      ended(await showTrail(terminal, leadId, options));
    });
  leads
    .command('replay')
    .summary('decide stored leads again and compare')
    .description(
      'Decide stored leads again, by the plans and the facts that their trails name, and compare the results byte ' +
        'for byte. Nothing is written.',
    )
    .addOption(byOption())
    .option('--lead <id>', 'only this lead')
    .option('--campaign <id>', 'only leads of this campaign')
    .option('--limit <leads>', 'maximum number', wholeNumber(1, REPLAYED_MAX), 1_000)
    .option('--json [fields]', 'JSON; with a list, only these fields')
    .action(async (options: ReplayOptions) => {
      const { replayCommand } = await import('./replay.js');
      ended(await replayCommand(terminal, options));
    });
}

const byOption = (): Option => new Option('--by <text>', 'name of the operator, for the record');
