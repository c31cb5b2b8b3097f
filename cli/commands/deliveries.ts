/** `leadwire deliveries …`: an operator's commands on the leads that wait for a buyer. */
import { systemClock } from '../../src/lib/clock.js';
import { CommandRefused } from '../../src/distribution/commands/errors.js';
import {
  createQueueCommands,
  type CommandDone,
} from '../../src/distribution/commands/queueCommands.js';
import { recordedAsOperator } from '../../src/api/operator/record.js';
import { findQueue } from '../../src/distribution/commands/target.js';
import type { DeliveryDoc } from '../../src/deliveries/store/deliveryDoc.js';
import type { DestinationDoc } from '../../src/deliveries/store/destinationDoc.js';
import { createCommandStore } from '../../src/distribution/store/commands.js';
import { createQueueStore, type QueueKind } from '../../src/deliveries/store/queue.js';
import { CommandFailed, EXIT, UsageError, type ExitCode } from '../terminal/errors.js';
import { asOperator, withInstallation, withRecord } from '../stack/installation.js';
import { formatTable, right } from '../output/table.js';
import { fit } from '../output/width.js';
import { jsonFields, jsonList } from '../output/formats.js';
import type { Terminal } from '../terminal/terminal.js';

export interface CommandOptions {
  lead?: string;
  buyer?: string;
  by?: string;
  note?: string;
  id?: string;
  result?: 'accepted' | 'rejected';
  /** Seconds. */
  wait: number;
  json?: true;
}

export interface ListOptions {
  buyer: string;
  state?: QueueKind;
  limit: number;
  json?: string | true;
}

/** Exit code 1 when it is refused, or not carried out in time. */
export async function runCommand(
  terminal: Terminal,
  action: keyof typeof ACTION,
  options: CommandOptions,
): Promise<ExitCode> {
  const send = prepare(action, options);
  try {
    const done = await withInstallation(terminal.environment, (store, starter) =>
      asOperator(store, options.by, async (context) => {
        const { collections } = store;
        const { note, result, lead: lead_id, buyer: buyer_id } = options;
        const { org_id } = await findQueue({ lead_id, buyer_id }, undefined, collections);
        const commands = createQueueCommands({
          collections,
          starter,
          clock: systemClock,
          waitMs: options.wait * 1_000,
          commands: createCommandStore(collections.commands),
        });
        const input = { lead_id, buyer_id, note, result };
        const recorded = { name: ACTION[action], orgId: org_id, input };
        return recordedAsOperator(context, recorded, () => send(commands));
      }),
    );
    terminal.print(options.json ? JSON.stringify(done, null, 2) : describe(action, done));
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
    if (error.code === 'invalid') throw new UsageError(error.message, { cause: error });
    if (options.json)
      terminal.print(JSON.stringify({ refused: error.code, message: error.message }, null, 2));
    terminal.say(`${terminal.sayPaint.red('Refused:')} ${error.message}`);
    return EXIT.failed;
  }
}

/** The action with the same effect. */
const ACTION = {
  retry: 'retry_deliveries',
  hold: 'hold_deliveries',
  drop: 'drop_deliveries',
  resolve: 'resolve_delivery',
} as const;

type Commands = ReturnType<typeof createQueueCommands>;

/** @throws {UsageError} when something is missing, before anything is connected */
function prepare(
  action: keyof typeof ACTION,
  { by, note, id, lead: lead_id, buyer: buyer_id, result }: CommandOptions,
): (commands: Commands) => Promise<CommandDone> {
  const input = { by, note, id };
  if (action !== 'resolve') return (commands) => commands[action]({ ...input, lead_id, buyer_id });
  if (lead_id === undefined || buyer_id === undefined || result === undefined)
    throw new UsageError(
      'resolve needs --lead, --buyer and --result: each delivery is resolved separately.',
    );
  return (commands) => commands.resolve({ ...input, lead_id, buyer_id, result });
}

function describe(action: keyof typeof ACTION, { rows, busy, unknown, lead }: CommandDone): string {
  const what = `${rows} ${rows === 1 ? 'delivery' : 'deliveries'}`;
  const done = {
    retry: `${what} due now.`,
    hold: `${what} held. Their time limit keeps running; a retry sends them.`,
    drop: `${what} dropped.`,
    resolve: `${what} resolved.`,
  }[action];
  const left = [
    ...(busy > 0 ? [`${busy} skipped: a worker is processing them. Call again in a minute.`] : []),
    ...(unknown > 0
      ? [`${unknown} skipped: it is unknown whether the buyer has them. Resolve them one by one.`]
      : []),
    ...(lead
      ? [`Lead ${lead.id} is ${lead.status}${lead.buyer_id ? `, buyer ${lead.buyer_id}` : ''}.`]
      : []),
  ];
  return [done, ...left].join('\n');
}

const FIELDS = ['lead_id', 'state', 'tries', 'due_at', 'expires_at', 'reason'];

export async function list(terminal: Terminal, options: ListOptions): Promise<ExitCode> {
  const { buyer, state, limit, json } = options;
  const fields = jsonFields(json, FIELDS, 'leadwire operator deliveries list');
  const { destination, rows } = await withRecord(terminal.environment, async ({ collections }) => {
    const [known, destination] = await Promise.all([
      collections.buyers.findOne({ _id: buyer }, { projection: { _id: 1 } }),
      collections.destinations.findOne({ _id: buyer }),
    ]);
    if (!known) throw new CommandFailed(`There is no buyer ${buyer}.`);
    // With its queue, every parked row is held.
    const isAllHeld = destination?.held === true;
    const kind = state === 'held' && isAllHeld ? 'parked' : state;
    const found = await createQueueStore(collections.deliveries).list(buyer, kind, limit);
    return { destination, rows: found.map((row) => asShown(row, isAllHeld)) };
  });
  if (json !== undefined) {
    const last_command = destination?.last_command;
    const held = destination?.held === true;
    const whole = { buyer_id: buyer, held, last_command, deliveries: rows };
    terminal.print(jsonList(whole, rows, fields));
    return EXIT.done;
  }
  terminal.say(heading(rows.length, limit, destination));
  if (rows.length > 0) terminal.print(asTable(rows, terminal));
  return EXIT.done;
}

type Shown = ReturnType<typeof asShown>;

function asShown(row: DeliveryDoc, isAllHeld: boolean) {
  const isHeld = row.state === 'parked' && (isAllHeld || row.held === true);
  return {
    lead_id: row.lead_id,
    state: isHeld ? 'held' : row.state,
    tries: row.tries,
    /** Null: not before an operator retries or resolves it. */
    due_at: isHeld || row.state === 'unknown' ? null : (row.due_at ?? null),
    expires_at: row.expires_at,
    reason: row.reason ?? null,
  };
}

function heading(shown: number, limit: number, destination: DestinationDoc | null): string {
  const count = shown === limit ? `The newest ${shown}` : String(shown);
  const held = destination?.held === true ? ' The queue is held by an operator.' : '';
  return `${count} waiting.${held}`;
}

function asTable(rows: readonly Shown[], terminal: Terminal): string {
  const columns = ['Lead', 'State', right('Tries'), 'Due', 'Expires', 'Reason'];
  const cells = rows.map(({ lead_id, state, tries, due_at, expires_at, reason }) => [
    lead_id,
    state,
    String(tries),
    due_at?.toISOString() ?? '-',
    expires_at.toISOString(),
    fit(reason ?? '', 40),
  ]);
  return formatTable(columns, cells, terminal.paint);
}
