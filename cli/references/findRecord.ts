/** A record as people name it: by its id, its name, or the beginning of its id. */
import { readManifest, type CommandEntry } from '../actions/manifest.js';
import { Refused, type Client } from '../client/client.js';
import { visible } from '../output/cells.js';
import { isRow, pageOf, rowsOf, type Row } from '../output/rows.js';
import { shortIds } from '../output/shortIds.js';
import { CommandFailed, EXIT } from '../terminal/errors.js';
import { findNearest } from '../../src/lib/nearest.js';
import { getOwn } from '../../src/lib/getOwn.js';
import { KINDS, type Kind, type KindKey } from './kinds.js';

/** A record of a list. */
interface Candidate {
  id: string;
  /** By which it may be named. */
  names: string[];
  /** By which people recognize it. */
  label: string;
  /** Its status, where it has one. */
  status: string;
}

interface Candidates {
  candidates: Candidate[];
  /** There are more of them. */
  isCut: boolean;
}

/** The least of an id that is taken for its beginning. */
const PREFIX_MIN = 4;
const PAGE_ROWS = 500;
/** Maximum pages that are looked through. */
const PAGES_MAX = 10;
/** Maximum that an error lists. */
const NAMED_MAX = 10;

/**
 * The id of the record that a text means: an id before a name, a name before the beginning of an id. The text itself
 * where the key may not list such records: the server then judges it.
 * @throws {CommandFailed} where none, or more than one, is meant, with those that are near
 */
export async function findRecord(client: Client, key: KindKey, text: string): Promise<string> {
  const kind: Kind = KINDS[key];
  const found = await readCandidates(client, kind, text);
  if (found === null) return text;
  const { candidates, isCut } = found;
  const wanted = text.toLowerCase();
  // Of a list that is longer, nobody knows whether another id begins so.
  const begins = isCut ? Infinity : PREFIX_MIN;
  const byId = candidates.find(({ id }) => id.toLowerCase() === wanted);
  if (byId) return byId.id;
  const ways = [
    ({ names }: Candidate) => names.includes(text),
    ({ names }: Candidate) => names.some((name) => name.toLowerCase() === wanted),
    ({ id }: Candidate) => text.length >= begins && id.toLowerCase().startsWith(wanted),
  ];
  for (const fits of ways) {
    const fitting = candidates.filter(fits);
    const [only] = fitting;
    if (only && fitting.length === 1) return only.id;
    if (only) throw ambiguous(text, kind, fitting);
  }
  throw unknown(text, kind, candidates, isCut);
}

/** The records that a text may mean; null: the key may not see them. */
async function readCandidates(
  client: Client,
  kind: Kind,
  text: string,
): Promise<Candidates | null> {
  const entry = readManifest().find(({ name }) => name === kind.list);
  if (!entry) return null;
  try {
    if (kind.list === 'search') return await searched(client, kind, text);
    return await readList(client, kind, entry);
  } catch (error) {
    // An older server does not know the list.
    if (error instanceof Refused && [400, 403, 404].includes(error.status)) return null;
    throw error;
  }
}

async function readList(client: Client, kind: Kind, entry: CommandEntry): Promise<Candidates> {
  const candidates: Candidate[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const input = entry.paged ? { limit: PAGE_ROWS, cursor: cursor ?? undefined } : {};
    const { rows, next } = pageOf(entry, await client.run(entry.name, input));
    candidates.push(...rows.filter(isRow).map((row) => candidateOf(row, kind)));
    cursor = next;
    if (cursor === null) break;
  }
  return { candidates, isCut: cursor !== null };
}

/** Leads are too many to be looked through: the server finds those whose ids begin so. */
async function searched(client: Client, kind: Kind, text: string): Promise<Candidates> {
  const { data } = await client.run(kind.list, { query: text, types: [kind.noun] });
  const rows = rowsOf(isRow(data) ? data.results : data);
  return { candidates: rows.map((row) => candidateOf(row, kind)), isCut: false };
}

function candidateOf(row: Row, { idKey = 'id', names }: Kind): Candidate {
  const given = names.map((key) => getOwn(row, key)).filter((name) => typeof name === 'string');
  const status = row.status ?? row.state;
  return {
    id: String(getOwn(row, idKey)),
    names: given,
    label: given[0] ?? (typeof row.name === 'string' ? row.name : ''),
    status: typeof status === 'string' ? status : '',
  };
}

function ambiguous(text: string, kind: Kind, fitting: readonly Candidate[]): CommandFailed {
  const lines = listed(fitting);
  return new CommandFailed(
    `"${visible(text)}" could be any of ${fitting.length} ${kind.noun}s:\n${lines.join('\n')}`,
    EXIT.failed,
    `Give the whole name, or more of the id, as it is shown here.`,
  );
}

function unknown(
  text: string,
  kind: Kind,
  candidates: readonly Candidate[],
  isCut: boolean,
): CommandFailed {
  // What a search found is near, if by a name or a phone.
  const near = kind.list === 'search' ? candidates : nearest(text, candidates);
  const hint = near.length === 0 ? '' : `\nNear it:\n${listed(near).join('\n')}`;
  const cut = isCut
    ? ` Only the first ${candidates.length} were looked through: name it by its whole id.`
    : '';
  return new CommandFailed(
    `There is no ${kind.noun} ${visible(text)}.${cut}${hint}`,
    EXIT.failed,
    `List them: leadwire ${kind.command}`,
  );
}

function listed(candidates: readonly Candidate[]): string[] {
  const short = shortIds(candidates.map(({ id }) => id));
  const shown = candidates.slice(0, NAMED_MAX);
  const lines = shown.map(({ id, label, status }) =>
    `  ${short(id)}  ${[label, status].filter(Boolean).map(visible).join('  ')}`.trimEnd(),
  );
  const more = candidates.length - shown.length;
  return more > 0 ? [...lines, `  and ${more} more`] : lines;
}

/** Those whose names contain the text, and those of which the name, or a word of it, is spelled much like it. */
function nearest(text: string, candidates: readonly Candidate[]): Candidate[] {
  const wanted = text.toLowerCase();
  const isNear = (name: string) =>
    name.toLowerCase().includes(wanted) ||
    findNearest(text, [name, ...name.split(' ')]) !== undefined;
  return candidates.filter(({ names }) => names.some(isNear));
}
