/** The plans that MongoDB chooses for the commands that the code really sends. */
import type { CommandStartedEvent, Document, MongoClient } from 'mongodb';

const QUERIES = ['find', 'aggregate', 'update', 'delete', 'findAndModify', 'distinct', 'count'];
/** Fields of the session and the transport, not of the query; `explain` refuses some of them. */
const TRANSPORT = [
  'lsid',
  '$db',
  'txnNumber',
  '$clusterTime',
  'writeConcern',
  'ordered',
  'cursor',
  'startTransaction',
  'autocommit',
  'readConcern',
];

export interface Sent {
  /** The store's call that sent it. */
  by: string;
  kind: string;
  collection: string;
  command: Document;
}

export interface Recorder {
  sent: Sent[];
  /** Runs a call and names it as the sender of its commands. */
  during: (by: string, call: () => Promise<unknown>) => Promise<void>;
}

/** Maximum number of similar commands per call that are explained: one may be planned differently than the next. */
const ALIKE_MAX = 3;

/** Records the queries of a client made with `monitorCommands`. */
export function record(client: MongoClient): Recorder {
  const sent: Sent[] = [];
  const alike = new Map<string, number>();
  let caller: string | null = null;
  client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
    if (caller === null || !QUERIES.includes(commandName)) return;
    for (const single of split(commandName, command)) {
      const collection = String(single[commandName]);
      const key = [caller, commandName, collection, ...askedBy(single).map(shapeOf)].join('|');
      const before = alike.get(key) ?? 0;
      alike.set(key, before + 1);
      if (before >= ALIKE_MAX) continue;
      sent.push({ by: caller, kind: commandName, collection, command: single });
    }
  });
  return {
    sent,
    async during(by, call) {
      caller = by;
      await call();
      caller = null;
    },
  };
}

/** One command per operation: `explain` takes no more. An aggregate needs a cursor document again. */
function split(kind: string, command: Document): Document[] {
  const bare = Object.fromEntries(
    Object.entries(command).filter(([key]) => !TRANSPORT.includes(key)),
  );
  const list = kind === 'update' ? 'updates' : kind === 'delete' ? 'deletes' : null;
  if (list !== null) return (bare[list] as Document[]).map((one) => ({ ...bare, [list]: [one] }));
  return [kind === 'aggregate' ? { ...bare, cursor: {} } : bare];
}

/** The shape of a query, without its values. */
function shapeOf(asked: unknown): string {
  if (Array.isArray(asked)) return `[${[...new Set(asked.map(shapeOf))].join()}]`;
  if (typeof asked !== 'object' || asked === null || asked instanceof Date)
    return asked === null ? 'null' : '?';
  const keys = Object.entries(asked).map(([key, value]) => `${key}:${shapeOf(value)}`);
  return `{${keys.join()}}`;
}

/** The search part of a command, without what it then does. */
function askedBy({ updates, deletes, filter, query, pipeline, sort }: Document): unknown[] {
  const [operation] = [updates, deletes].flatMap((list) => (list ?? []) as Document[]);
  return [operation?.q ?? filter ?? query ?? pipeline, sort];
}

export interface Explained extends Sent {
  stages: string[];
  indexes: string[];
  /** Documents read, and those of them that the query wanted. */
  examined: number;
  /** Index entries examined. */
  keys: number;
  useful: number;
  /** Ids that the filter names: reading each one once is no waste. */
  named: number;
}

export async function explain(client: MongoClient, name: string, sent: Sent): Promise<Explained> {
  const db = client.db(name);
  const explained = { explain: sent.command, verbosity: 'executionStats' };
  // As the code's own client sends it.
  const whole = await db.command(explained, { ignoreUndefined: true });
  const plans = nodes(whole, 'winningPlan').flatMap((plan) => nodes(plan, 'stage', true));
  const [stats] = nodes(whole, 'executionStats');
  const written = ['nMatched', 'nWouldDelete'].flatMap((kind) =>
    nodes(stats?.executionStages ?? {}, kind).map(Number),
  );
  return {
    ...sent,
    stages: plans.map((node) => String(node.stage)),
    indexes: plans.flatMap(({ stage, indexName }) =>
      stage === 'IDHACK' ? ['_id_'] : indexName === undefined ? [] : [String(indexName)],
    ),
    examined: Number(stats?.totalDocsExamined ?? 0),
    keys: Number(stats?.totalKeysExamined ?? 0),
    useful: Math.max(Number(stats?.nReturned ?? 0), ...written, ...summed(stats)),
    named: namedIds(sent.command),
  };
}

/** The number of documents in each group: a sum needs all of them, although it returns few rows. */
const summed = (stats: Document | undefined): number[] =>
  nodes(stats?.executionStages ?? {}, 'stage', true)
    .filter(({ stage }) => String(stage).toLowerCase() === 'group')
    .map(({ inputStage }) => Number((inputStage as Document | undefined)?.nReturned ?? 0));

/** Every value under `key`, or with `owner` every object that has it, at any depth. */
function nodes(value: unknown, key: string, owner = false): Document[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap((child) => nodes(child, key, owner));
  if (!(key in value)) return below;
  const found = owner ? (value as Document) : ((value as Document)[key] as Document);
  return [found, ...below];
}

function namedIds(command: Document): number {
  const [operation] = [command.updates, command.deletes].flatMap(
    (list) => (list ?? []) as Document[],
  );
  const filter = (command.filter ?? command.query ?? operation?.q ?? {}) as Document;
  const id = filter._id as Document | string | undefined;
  if (id === undefined) return Array.isArray(filter.$or) ? filter.$or.length : 0;
  return typeof id === 'object' && Array.isArray(id.$in) ? id.$in.length : 1;
}

/** An index as MongoDB names it. */
export const nameOf = (key: Document) =>
  Object.entries(key)
    .map(([field, order]) => `${field}_${String(order)}`)
    .join('_');
