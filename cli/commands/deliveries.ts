/** `leadwire deliveries …`: an operator's commands on the leads that wait for a buyer. */
import {
  commandQueueAsOperator,
  listQueue,
  type OperatorAnswer,
  type OperatorCommand,
  type QueuedDelivery,
  type QueueOrder,
  type QueueQuery,
} from '../../src/api/operator/queues.js';
import { EXIT, UsageError, type ExitCode } from '../terminal/errors.js';
import { asOperator, withRecord, withTemporal } from '../stack/installation.js';
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

export interface ListOptions extends QueueQuery {
  json?: string | true;
}

/** Exit code 1 when it is refused, or not carried out in time. */
export async function runCommand(
  terminal: Terminal,
  action: OperatorCommand,
  options: CommandOptions,
): Promise<ExitCode> {
  const order = orderOf(action, options);
  const waitMs = options.wait * 1_000;
  const answer = await withTemporal(terminal.environment, (temporal) =>
    asOperator(terminal.environment, options.by, (context) =>
      commandQueueAsOperator(context, { ...temporal, waitMs }, order),
    ),
  );
  if (!('refused' in answer)) {
    terminal.print(options.json ? JSON.stringify(answer, null, 2) : describe(action, answer));
    return EXIT.done;
  }
  if (answer.refused === 'invalid') throw new UsageError(answer.message);
  if (options.json) terminal.print(JSON.stringify(answer, null, 2));
  terminal.say(`${terminal.sayPaint.red('Refused:')} ${answer.message}`);
  return EXIT.failed;
}

/** @throws {UsageError} when something is missing, before anything is connected */
function orderOf(
  action: OperatorCommand,
  { by, note, id, lead: lead_id, buyer: buyer_id, result }: CommandOptions,
): QueueOrder {
  if (action !== 'resolve') return { action, by, note, id, lead_id, buyer_id };
  if (lead_id !== undefined && buyer_id !== undefined && result !== undefined)
    return { action, by, note, id, lead_id, buyer_id, result };
  throw new UsageError(
    'resolve needs --lead, --buyer and --result: each delivery is resolved separately.',
  );
}

type CommandDone = Exclude<OperatorAnswer, { refused: unknown }>;

function describe(action: OperatorCommand, { rows, busy, unknown, lead }: CommandDone): string {
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

export async function list(terminal: Terminal, { json, ...query }: ListOptions): Promise<ExitCode> {
  const fields = jsonFields(json, FIELDS, 'leadwire operator deliveries list');
  const { held, last_command, rows } = await withRecord(terminal.environment, ({ collections }) =>
    listQueue(collections, query),
  );
  if (json !== undefined) {
    const whole = { buyer_id: query.buyer, held, last_command, deliveries: rows };
    terminal.print(jsonList(whole, rows, fields));
    return EXIT.done;
  }
  const count = rows.length === query.limit ? `The newest ${rows.length}` : String(rows.length);
  terminal.say(`${count} waiting.${held ? ' The queue is held by an operator.' : ''}`);
  if (rows.length > 0) terminal.print(asTable(rows, terminal));
  return EXIT.done;
}

function asTable(rows: readonly QueuedDelivery[], terminal: Terminal): string {
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
