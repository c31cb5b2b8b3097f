/** What people know instead of ids and universal times: names of records, the zone and the currency of the account. */
import { getOwn } from '../../src/lib/getOwn.js';
import { plainLook, type Look } from '../output/look.js';
import { isRow, rowsOf } from '../output/rows.js';
import type { Client } from './client.js';

const LISTS = {
  campaigns: 'list_campaigns',
  buyers: 'list_buyers',
  suppliers: 'list_suppliers',
  automations: 'list_automations',
  funnels: 'list_funnels',
} as const;
export type Named = keyof typeof LISTS;

/** The kinds of records whose ids are in rows, by the key of the id. */
const KINDS: Readonly<Record<string, Named>> = {
  campaign_id: 'campaigns',
  buyer_id: 'buyers',
  supplier_id: 'suppliers',
  automation_id: 'automations',
  funnel_id: 'funnels',
};

/** Maximum of one page. */
const NAMES_MAX = 500;

type Names = ReadonlyMap<string, string>;

/** Each list is read once by a process, however often its names are needed. */
const read = new WeakMap<Client, Map<Named, Promise<Names>>>();

/** Names are a help: where the key may not read them, and beyond the first 500, ids are shown. */
export async function readNames(client: Client, kinds: readonly Named[]): Promise<Names> {
  const known = read.get(client) ?? new Map<Named, Promise<Names>>();
  read.set(client, known);
  const lists = await Promise.all(
    kinds.map((kind) => {
      const names = known.get(kind) ?? readList(client, kind);
      known.set(kind, names);
      return names;
    }),
  );
  return new Map(lists.flatMap((names) => [...names]));
}

async function readList(client: Client, kind: Named): Promise<Names> {
  const { data } = await client
    .run(LISTS[kind], { limit: NAMES_MAX })
    .catch(() => ({ data: undefined }));
  return new Map(rowsOf(data).map(({ id, name }) => [String(id), String(name)]));
}

/** The names of the records that an answer has by their ids alone; those that it names itself are not read. */
export function readNamesFor(client: Client, answer: unknown): Promise<Names> {
  const kinds = new Set<Named>();
  collect(answer, kinds, 4);
  return readNames(client, [...kinds]);
}

/** @param depth of lists and records in each other */
function collect(value: unknown, kinds: Set<Named>, depth: number): void {
  if (depth === 0) return;
  if (Array.isArray(value)) for (const item of value) collect(item, kinds, depth - 1);
  if (!isRow(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    const kind = getOwn(KINDS, key);
    const isNamed = getOwn(value, key.replace(/_id$/, '_name')) !== undefined;
    if (kind && typeof inner === 'string' && !isNamed) kinds.add(kind);
    else collect(inner, kinds, depth - 1);
  }
}

const looks = new WeakMap<Client, Promise<Look>>();

/** The zone and the currency of the account, asked for once by a process; UTC, and none, where the server does not say. */
export function readLook(client: Client): Promise<Look> {
  const known = looks.get(client);
  if (known) return known;
  const look = askLook(client).catch(() => plainLook());
  looks.set(client, look);
  return look;
}

async function askLook(client: Client): Promise<Look> {
  const { data } = await client.whoami();
  const { time_zone, currency } =
    isRow(data) && isRow(data.organization) ? data.organization : ({} as Record<string, unknown>);
  return {
    ...plainLook(),
    ...(typeof time_zone === 'string' ? { zone: checkZone(time_zone) } : {}),
    ...(typeof currency === 'string' ? { currency } : {}),
  };
}

/** @throws {RangeError} for a zone that this program does not know */
function checkZone(zone: string): string {
  new Intl.DateTimeFormat('en-US', { timeZone: zone });
  return zone;
}
