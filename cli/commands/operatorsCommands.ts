/**
 * `leadwire operator …`: commands on waiting leads, on events, on leads, on keys and on sign-ins, of every organization.
 * They work on the servers of a running installation, without a key.
 */
import { Option } from 'commander';
import { CALLS_MAX, DEFAULT_KEY_LIMITS } from '../../src/account/store/keyDocs.js';
import { LISTED_TYPES } from '../../src/api/operator/events.js';
import type { CliCommand } from '../terminal/command.js';
import type { CommandOptions } from './deliveries.js';
import { BY, JSON_DOCUMENT, JSON_FIELDS, wholeNumber } from './options.js';

const AFTER_HELP = `
It finds the servers of leadwire up by its home (LEADWIRE_HOME, default .leadwire). Those of another
installation it finds as every role does: by MONGODB_URI, MONGODB_DATABASE, TEMPORAL_ADDRESS,
TEMPORAL_NAMESPACE and TEMPORAL_TASK_QUEUE_PREFIX.`;

export const HOST_GROUP = "On the servers' host:";

const LIST_MAX = 1_000;
const REPLAYED_MAX = 10_000_000;
const WAIT_MAX_SECONDS = 3_600;
const ORG = ['--org <id>', 'the organization, by id or name; default: the only one'] as const;

export function addOperatorsCommands(program: CliCommand): void {
  const operator = program
    .command('operator')
    .helpGroup(HOST_GROUP)
    .summary('deliveries, events and leads of every organization')
    .description(
      'For operators of the installation: works directly on its servers, for every organization, without a key.',
    )
    .addHelpText('after', AFTER_HELP);
  const group = (name: string, summary: string, description: string): CliCommand =>
    operator
      .command(name)
      .summary(summary)
      .description(description)
      .addHelpText('after', AFTER_HELP);
  addDeliveries(
    group(
      'deliveries',
      'show and manage waiting deliveries',
      'Show and manage the deliveries that wait for a buyer.',
    ),
  );
  addEvents(
    group('events', 'show events of the installation', 'Show the events of the installation.'),
  );
  addLeads(group('leads', 'show how leads were decided', 'Show how leads were decided.'));
  addKeyLimits(
    group(
      'key-limits',
      'show and set the limits of a key',
      'Show and set the call limits of a key of the Actions API. A change applies from its next call on.',
    ),
  );
  addOrgKeys(
    group(
      'keys',
      'manage keys without a key',
      'Create, list and revoke the keys of an organization without a key: the first one, or when the last one is lost.',
    ),
  );
  addSignInLinks(
    group(
      'sign-in',
      'print links for people who cannot sign in',
      'Print links for people who cannot sign in: the first admin, and a person who has lost a password.',
    ),
  );
}

const ACTIONS = {
  retry: 'send at once; ends a hold and a cooldown',
  hold: 'send nothing until a retry; the time limit keeps running',
  drop: 'end without a sale to this buyer',
  resolve: 'resolve a delivery that the buyer never answered',
} as const;

function addDeliveries(deliveries: CliCommand): void {
  for (const action of Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]) {
    const command = deliveries
      .command(action)
      .summary(ACTIONS[action])
      .description(`For one lead, or for all that wait for a buyer: ${ACTIONS[action]}.`)
      .option('--lead <id>', 'one lead')
      .option(
        '--buyer <id>',
        'all deliveries that wait for this buyer; with --lead, the delivery of the lead to this buyer',
      )
      .option(...BY)
      .option('--note <text>', 'reason, for the record')
      .option('--id <id>', 'id of the command: a repeated command with the same id runs once')
      .option(
        '--wait <seconds>',
        'maximum wait for the answer',
        wholeNumber(1, WAIT_MAX_SECONDS),
        600,
      )
      .option(...JSON_DOCUMENT)
      .runs(async () => {
        const { runCommand } = await import('./deliveries.js');
        return (terminal, options: CommandOptions) => runCommand(terminal, action, options);
      });
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
  }
  deliveries
    .command('list')
    .summary('list waiting deliveries of a buyer')
    .description('Show the deliveries that wait for a buyer, newest first.')
    .requiredOption('--buyer <id>', 'the buyer')
    .addOption(new Option('--state <state>', 'only these').choices(['parked', 'unknown', 'held']))
    .option('--limit <rows>', 'maximum number', wholeNumber(1, LIST_MAX), 50)
    .option(...JSON_FIELDS)
    .runs(async () => (await import('./deliveries.js')).list);
}

function addEvents(events: CliCommand): void {
  events
    .command('list')
    .summary('the latest events')
    .description('Show the latest events, newest first; they are kept for 30 days.')
    .addOption(new Option('--type <type>', 'only these').choices(LISTED_TYPES))
    .option('--org <id>', 'only events of this organization')
    .option('--limit <events>', 'maximum number', wholeNumber(1, LIST_MAX), 50)
    .option(...JSON_FIELDS)
    .runs(async () => (await import('./events.js')).listEventsCommand);
}

function addLeads(leads: CliCommand): void {
  leads
    .command('trail')
    .argument('<lead>', 'id of the lead')
    .summary('the steps of one lead')
    .description('Show each step of a lead, with the values that decided it.')
    .option(...BY)
    .option(...JSON_FIELDS)
    .runs(async () => (await import('./trail.js')).showTrail);
  leads
    .command('replay')
    .summary('decide stored leads again and compare')
    .description(
      'Decide stored leads again, by the plans and the facts that their trails name, and compare the results byte ' +
        'for byte. Nothing is written.',
    )
    .option(...BY)
    .option('--lead <id>', 'only this lead')
    .option('--campaign <id>', 'only leads of this campaign')
    .option('--limit <leads>', 'maximum number', wholeNumber(1, REPLAYED_MAX), 1_000)
    .option(...JSON_FIELDS)
    .runs(async () => (await import('./replay.js')).replayCommand);
}

function addKeyLimits(command: CliCommand): void {
  const count = wholeNumber(1, CALLS_MAX);
  const { calls_per_minute: calls, writes_per_minute: writes } = DEFAULT_KEY_LIMITS;
  command
    .requiredOption('--org <id>', 'the id of the organization; GET /api/v1/whoami shows it')
    .requiredOption('--key <id>', 'the id of the key; list_api_keys shows it')
    .option('--calls <number>', 'calls per minute', count)
    .option('--writes <number>', 'calls per minute that change something', count)
    .option('--default', `${calls} calls a minute, and ${writes} writes among them`)
    .option(...BY)
    .option(...JSON_DOCUMENT)
    .runs(async () => (await import('./keyLimits.js')).keyLimits);
}

function addOrgKeys(keys: CliCommand): void {
  const command = (name: string, summary: string): CliCommand =>
    keys
      .command(name)
      .summary(summary)
      .option(...ORG);
  command('create', 'create a key, which is shown only once')
    .description(
      'Create a key of the Actions API and print it only once. The audit log records that an operator created it.',
    )
    .requiredOption('--name <text>', 'name of the key')
    .requiredOption(
      '--permissions <list>',
      'all, read (read everything, change nothing), or names separated by commas such as leads:read,reports:read',
    )
    .option('--expires-at <instant>', 'when it expires, such as 2027-01-31T00:00:00Z')
    .option(...BY)
    .option(...JSON_DOCUMENT)
    .example(
      'leadwire operator keys create --name Owner --permissions all',
      'leadwire operator keys create --name "CI" --permissions read --expires-at 2027-01-31T00:00:00Z --json',
    )
    .runs(async () => (await import('./orgKeys.js')).createKeyCommand);
  command('list', 'list the keys of an organization')
    .description('Show the keys of an organization, oldest first; only the beginning of each key.')
    .option(...JSON_FIELDS)
    .runs(async () => (await import('./orgKeys.js')).listKeysCommand);
  command('revoke', 'revoke a key')
    .description(
      'Refuse a key from now on, in every process. The last key with settings:write cannot be revoked: create ' +
        'another one first.',
    )
    .argument('<key>', 'id of the key')
    .option(...BY)
    .option(...JSON_DOCUMENT)
    .runs(async () => (await import('./orgKeys.js')).revokeKeyCommand);
}

function addSignInLinks(group: CliCommand): void {
  const command = (name: string, summary: string): CliCommand =>
    group
      .command(name)
      .summary(summary)
      .option(...BY)
      .option(...JSON_DOCUMENT);
  command('admin-link', 'print the link that makes the first admin')
    .description(
      'Print a link that makes the first admin of an organization: valid once, for 24 hours. Links printed before ' +
        'become invalid. Refused when the organization has an admin.',
    )
    .option(...ORG)
    .runs(async () => (await import('./signInLinks.js')).adminLink);
  command('recovery-link', 'print a link that sets a new password')
    .description(
      'Print a link by which a person sets a new password: valid once, for 30 minutes. For installations without a ' +
        'mail server, and for people who have lost their second factor.',
    )
    .requiredOption('--email <address>', 'the address that the person signs in with')
    .option('--without-second-factor', 'remove the second factor when the link is used')
    .option(
      '--to-owner',
      'give the address back to its owner: what the account has of another person is removed, its memberships too',
    )
    .runs(async () => (await import('./signInLinks.js')).recoveryLink);
}
