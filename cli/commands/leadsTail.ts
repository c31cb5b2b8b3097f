/** `leadwire leads tail`: new leads as they arrive, the newest at the bottom. */
import { setTimeout as delay } from 'node:timers/promises';
import { readManifest } from '../actions/manifest.js';
import { followServer } from '../client/call.js';
import type { Client } from '../client/client.js';
import { readLook } from '../client/names.js';
import { EXIT, UsageError, type ExitCode } from '../terminal/errors.js';
import { follow } from '../feeds/follow.js';
import { createLeadFeed, type Batch } from '../feeds/leadFeed.js';
import { liveTable } from '../feeds/liveTable.js';
import { readSince, readWanted, type Typed } from '../feeds/wanted.js';
import { jsonFields, pick, tabLine } from '../output/formats.js';
import type { Row } from '../output/rows.js';
import { plainView } from '../output/show.js';
import { resolveReferences, type Lookup } from '../references/references.js';
import type { Terminal } from '../terminal/terminal.js';

export interface LeadsTailOptions extends Typed {
  since?: string;
  last?: number;
  jsonl?: true;
  /** JSON lines, too; with a list only these fields. */
  json?: string | true;
  profile?: string;
}

const USUAL_LAST = 10;
/** Pause between the pages of one poll: together with the polls at most 60 calls a minute. */
const PAUSE_MS = 1_000;
/** The columns for a program that does not ask for JSON. */
const COLUMNS = ['created_at', 'status', 'id', 'buyer_id', 'revenue', 'state', 'supplier_id'];

/** Ctrl-C, SIGTERM and a reader that closes the output end it in order, with the exit code 0. */
export async function tailLeads(terminal: Terminal, options: LeadsTailOptions): Promise<ExitCode> {
  const entry = readManifest().find(({ name }) => name === 'get_leads');
  if (!entry) throw new UsageError('This program has no action get_leads; build it again.');
  const { json, since, last = USUAL_LAST, profile } = options;
  const fields = jsonFields(json, entry.fields, 'leadwire leads tail');
  const choices = entry.flags.find(({ key }) => key === 'status')?.choices ?? [];
  // The outcome of a sold lead is not known when the lead arrives.
  const statuses = choices.filter((one) => one === one.toUpperCase() && one !== 'RETURNED');
  // Wrong words are refused before anything is requested.
  readWanted(options, statuses);
  if (since !== undefined && options.last !== undefined)
    throw new UsageError('--since and --last exclude each other.');
  const from = since === undefined ? null : readSince(since, Date.now());
  const caller = { profile, cli: ['leads', 'tail'] as const, flags: entry.flags };
  await followServer(terminal, caller, async (client, { signal, connection }) => {
    const lookup = { client, connection, environment: terminal.environment };
    const wanted = readWanted(await withWholeIds(lookup, options), statuses);
    const isForProgram = options.jsonl ?? json !== undefined;
    const lineOf = isForProgram
      ? (row: Row) => JSON.stringify(pick(row, fields))
      : await forPeople(terminal, client);
    const feed = createLeadFeed(client, {
      wanted,
      since: from,
      last,
      now: Date.now,
      pause: () => delay(PAUSE_MS, undefined, { signal }),
    });
    if (terminal.isWatched) terminal.say('Following new leads. Ctrl-C ends it.');
    await follow(feed, {
      signal,
      say: terminal.say,
      show: (batch) => show(batch, lineOf, terminal),
    });
  });
  return EXIT.done;
}

/** Each flag may have several references, separated by commas. */
async function withWholeIds(lookup: Lookup, typed: LeadsTailOptions): Promise<LeadsTailOptions> {
  const { campaignId, supplierId, buyerId } = typed;
  return {
    ...typed,
    campaignId: await resolveReferences(lookup, 'campaign_id', campaignId),
    supplierId: await resolveReferences(lookup, 'supplier_id', supplierId),
    buyerId: await resolveReferences(lookup, 'buyer_id', buyerId),
  };
}

function show({ leads, left }: Batch, lineOf: (row: Row) => string, terminal: Terminal): void {
  if (left !== null)
    terminal.say(
      'More leads arrived than can be followed: those before the next line are omitted. leadwire leads list --cursor ' +
        left,
    );
  if (leads.length > 0) terminal.print(leads.map(lineOf).join('\n'));
}

async function forPeople(terminal: Terminal, client: Client): Promise<(row: Row) => string> {
  if (!terminal.screen) return (row) => tabLine(row, COLUMNS);
  const table = liveTable({ ...plainView(terminal), look: await readLook(client) });
  terminal.print(table.head);
  return table.lineOf;
}
