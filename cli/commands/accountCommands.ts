/** Commands on campaigns, leads, funnels and events, in addition to the actions of the registry. */
import type { CliCommand } from '../terminal/command.js';
import { addBulkCommands } from './bulkCommands.js';
import { JSON_FIELDS, wholeNumber } from './options.js';

const CAMPAIGN_ID = '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11';
const LEAD_ID = '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10';
const SINCE = [
  '--since <when>',
  'begin with events since then: 15m, 2h, 1d, or an instant',
] as const;
const withFilters = (command: CliCommand): CliCommand =>
  command
    .option('--type <events>', 'only these event types, such as lead.accepted; a comma means or')
    .option('--lead-id <ids>', 'only events of these leads')
    .option('--campaign-id <ids>', 'only events of these campaigns')
    .option('--buyer-id <ids>', 'only events of these buyers')
    .option('--supplier-id <ids>', 'only events of these suppliers')
    .option(...SINCE);

export function addAccountCommands(program: CliCommand): void {
  addCampaignCommands(program.extend('campaigns', 'check, guide'));
  const leads = program.extend('leads', 'trail, tail, watch, export, import');
  addLeadCommands(leads);
  addBulkCommands(leads, program.extend('suppressions', 'import'));
  addEventCommands(program.extend('events', 'tail'), program);
  addFunnelCommands(program.extend('funnels', 'open'));
  addOpen(program);
}

function addCampaignCommands(campaigns: CliCommand): void {
  campaigns
    .command('check')
    .argument('<campaign-id>', 'the campaign')
    .summary('Check whether a campaign accepts live leads, and what is missing')
    .description(
      'Each setup step of a campaign: ✓ done, ✗ missing, ! advice, with the command that does it. Names, prices and ' +
        'addresses in a command are examples. Exit code 1 when something is missing.\n\nPermission: campaigns:read.',
    )
    .option(...JSON_FIELDS)
    .example(`leadwire campaigns check ${CAMPAIGN_ID}`)
    .runs(async () => (await import('./campaignCheck.js')).checkCampaign);
  campaigns
    .command('guide')
    .argument('<campaign-id>', 'the campaign')
    .summary("Show a supplier's posting guide, as Markdown")
    .description(
      'Everything a supplier needs to post leads to a campaign, as a Markdown page: address, fields and rules, ' +
        'working command lines, answers, limits. campaigns api-spec returns the same as data.\n\nPermission: ' +
        'campaigns:read.',
    )
    .option('--supplier-id <id>', 'for this supplier; otherwise with placeholders')
    .option('--reveal-key', "include the supplier's key; needs suppliers:write, and is recorded")
    .option('--json [fields]', 'as data; with a list, only these fields')
    .example(`leadwire campaigns guide ${CAMPAIGN_ID} > guide.md`)
    .runs(async () => (await import('./campaignGuide.js')).showGuide);
}

function addLeadCommands(leads: CliCommand): void {
  leads
    .command('trail')
    .argument('<lead-id>', 'the lead')
    .summary('Show the steps of a lead, as a tree with times')
    .description(
      'The steps of a lead as a tree: when each happened, which buyers it was sent to or passed over, and ' +
        'why.\n\nPermission: leads:read; with buyers:read buyers are shown by name.',
    )
    .option('--values', 'also show the values that decided each step')
    .option(...JSON_FIELDS)
    .example(`leadwire leads trail ${LEAD_ID}`)
    .runs(async () => (await import('./leadTrail.js')).showLeadTrail);
  leads
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
    .example('leadwire leads tail --status ACCEPTED,PENDING --since 15m')
    .runs(async () => (await import('./leadsTail.js')).tailLeads);
  leads
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
    .example(`leadwire leads watch ${LEAD_ID} --exit-status`)
    .runs(async () => (await import('./leadWatch.js')).watchLead);
}

function addEventCommands(events: CliCommand, program: CliCommand): void {
  withFilters(events.command('tail'))
    .summary('Follow events')
    .description(
      'Events as they are recorded, the newest at the bottom, until Ctrl-C. While it runs, all events are recorded, ' +
        'whether or not an automation has their trigger.\n\nPermission: leads:read.',
    )
    .option('--jsonl', 'JSON, one event per line')
    .option('--json [fields]', 'the same; with a list, only these fields')
    .example(
      'leadwire events tail --type lead.outcome,lead.returned --since 1h',
      'leadwire events tail --json id,type,lead_id',
    )
    .runs(async () => (await import('./listen.js')).tailEvents);
  withFilters(program.command('listen'))
    .helpGroup('The account (over HTTP):')
    .summary('post events to a program on this machine')
    .description(
      'Fetches events of the server as they happen and posts each to a program on this machine, as an automation ' +
        'would, until Ctrl-C: for developing a receiver that the server cannot reach. A refused event is shown, and ' +
        'not posted again.\n\nPermission: leads:read.',
    )
    .requiredOption('--forward-to <url>', 'where each event is posted')
    .option(
      '--secret <text>',
      'secret that signs them, as for an automation; better LEADWIRE_SIGNING_SECRET',
    )
    .option('--jsonl', 'JSON, one event per line')
    .example('leadwire listen --forward-to http://127.0.0.1:3000/events')
    .runs(async () => (await import('./listen.js')).listen);
}

function addFunnelCommands(funnels: CliCommand): void {
  funnels
    .command('open')
    .argument('<funnel-id>', 'the funnel')
    .summary('Open a funnel in the browser')
    .description(
      'Prints where visitors open a funnel, or the preview of its draft where it is not published, and opens it where ' +
        'there is a browser.\n\nPermission: funnels:read; a preview also needs funnels:write.',
    )
    .option('--preview', 'the draft, even where the funnel is published')
    .option('--print', 'print the address, and open nothing')
    .option('--json', 'JSON: the address, and whether it is a preview')
    .example('leadwire funnels open fun_3f9a60c17a3d4a539a510f2b')
    .runs(async () => (await import('./funnelOpen.js')).openFunnel);
}

function addOpen(program: CliCommand): void {
  program
    .command('open')
    .argument('[what]', 'console, changes, members, buyer, supplier, lead or docs', 'console')
    .argument('[id]', 'of the buyer, supplier or lead')
    .helpGroup('The account (over HTTP):')
    .summary('open a page of the console in the browser')
    .description(
      'Prints the address of a page, and opens it where there is a browser: the console, the change requests and the ' +
        'members of the organization, a lead, the portal of a buyer or supplier, the reference of the API. With ' +
        '--workflows the Temporal UI shows those of a lead: that of the stack in LEADWIRE_HOME, or at TEMPORAL_UI_URL. A funnel: leadwire funnels open.',
    )
    .option('--print', 'print the address, and open nothing')
    .option('--workflows', 'of a lead: its workflows in the Temporal UI')
    .option('--json', 'JSON: the address')
    .example('leadwire open', 'leadwire open buyer 8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7 --print')
    .runs(async () => (await import('./open.js')).open);
}
