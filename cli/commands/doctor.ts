/** `leadwire doctor`: the checks a person would make one after the other when something does not work. */
import { createClient, Refused, type Client } from '../client/client.js';
import { exchange, type Reply } from '../client/exchange.js';
import { findConnection, isInTheClear, type Found } from '../client/connection.js';
import { explain } from '../client/hints.js';
import { maskKey, profilesPath } from '../client/profiles.js';
import { describeError, EXIT, exitCodeOf, type ExitCode } from '../terminal/errors.js';
import { jsonFields, jsonList } from '../output/formats.js';
import { isRow, parseRow, rowsOf } from '../output/rows.js';
import type { Terminal } from '../terminal/terminal.js';
import { TLS_TROUBLES, tlsTroubleText } from '../../src/platform/outbound/tlsTrouble.js';
import { readVersion } from '../../src/lib/version.js';
import { statSync } from 'node:fs';

export interface Check {
  name: string;
  state: 'ok' | 'warning' | 'error';
  message: string;
}

interface Seen {
  checks: Check[];
  exit: ExitCode;
}

/** Timeout of each answer, in milliseconds. */
const TIMEOUT_MS = 5_000;
/** Milliseconds of clock skew above which times of the two machines cannot be compared. */
const SKEW_MS = 5_000;

export async function runDoctor(
  terminal: Terminal,
  { json, profile }: { json?: string | true; profile?: string },
): Promise<ExitCode> {
  const fields = jsonFields(json, ['name', 'state', 'message'], 'leadwire doctor');
  const { checks, exit } = await examine(terminal, profile);
  if (json !== undefined) {
    terminal.print(jsonList({ ok: exit === EXIT.done, checks }, checks, fields));
    return exit;
  }
  const { paint } = terminal;
  const marks = {
    ok: paint.green('ok     '),
    warning: paint.yellow('warning'),
    error: paint.red('error  '),
  };
  for (const { name, state, message } of checks)
    terminal.print(`${marks[state]}  ${paint.bold(name.padEnd(8))}  ${message}`);
  return exit;
}

async function examine(terminal: Terminal, named: string | undefined): Promise<Seen> {
  const { environment } = terminal;
  const checks: Check[] = [program(), ...profileFile(environment)];
  const found = findConnection(environment, named);
  checks.push(addressOf(found));
  const health = await healthOf(found.url);
  checks.push(...health.checks);
  if (!health.isUp) return { checks, exit: EXIT.failed };
  const key = await keyOf(found);
  checks.push(key.check);
  if (key.client) checks.push(...(await buyersOf(key.client)));
  const isWell = checks.every(({ state }) => state !== 'error');
  return { checks, exit: isWell ? EXIT.done : key.exit };
}

const program = (): Check => ({
  name: 'program',
  state: 'ok',
  message: `leadwire ${readVersion()} on Node ${process.versions.node}, ${process.platform} ${process.arch}`,
});

function profileFile(environment: Terminal['environment']): Check[] {
  const path = profilesPath(environment);
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || process.platform === 'win32') return [];
  const isOpen = (mode & 0o077) !== 0;
  const message = isOpen ? `${path} is readable by others: chmod 600 ${path}` : path;
  return [{ name: 'profiles', state: isOpen ? 'error' : 'ok', message }];
}

function addressOf({ url, urlSource }: Found): Check {
  const from = urlSource === 'nothing' ? 'the default' : `from ${urlSource}`;
  const message = `${url} (${from})`;
  if (!isInTheClear(url)) return { name: 'address', state: 'ok', message };
  const why = 'not encrypted, others can read the key in transit';
  return { name: 'address', state: 'warning', message: `${message}: ${why}` };
}

interface Health {
  checks: Check[];
  /** A server answers. */
  isUp: boolean;
}

/** The health endpoints are internal: most proxies do not pass them on, and then the API itself is checked. */
async function healthOf(url: string): Promise<Health> {
  const sentAt = Date.now();
  let reply: Reply;
  try {
    reply = await exchange(`${url}/readyz`, { method: 'GET', headers: {}, timeoutMs: TIMEOUT_MS });
  } catch (error) {
    const message = `${describeError(error, false)}. Is it up? leadwire up starts one here.`;
    return { isUp: false, checks: [{ name: 'server', state: 'error', message }] };
  }
  const tookMs = Date.now() - sentAt;
  const clock = clockOf(reply.header('date'), sentAt, tookMs);
  const checks = [
    readinessOf(reply, tookMs),
    ...warningsOf(reply),
    ...attentionOf(reply),
    ...clock,
  ];
  return { isUp: true, checks };
}

function readinessOf({ status, text }: Reply, tookMs: number): Check {
  const { dependencies } = parseRow(text) ?? {};
  const took = `answered in ${tookMs} ms`;
  const parts = isRow(dependencies) ? Object.entries(dependencies) : null;
  if (!parts) {
    const message = `${took}; /readyz is not reachable from here (${status})`;
    return { name: 'server', state: 'warning', message };
  }
  const bad = parts.flatMap(([name, one]) =>
    isRow(one) && one.state !== 'ok' ? [`${name}: ${textOf(one.message)}`] : [],
  );
  if (bad.length > 0 || status !== 200)
    return { name: 'server', state: 'error', message: `not ready: ${bad.join('; ') || status}` };
  const message = `ready, ${took} (${parts.map(([name]) => name).join(', ')})`;
  return { name: 'server', state: 'ok', message };
}

/** What the server itself warns of. */
function warningsOf({ text }: Reply): Check[] {
  const { warnings } = parseRow(text) ?? {};
  if (!Array.isArray(warnings)) return [];
  return warnings.map((one) => ({ name: 'server', state: 'warning', message: textOf(one) }));
}

/** What waits for a person, with where to look. A port that is not for operators alone tells nothing of it. */
const ATTENTION = [
  {
    key: 'unknown_deliveries',
    one: 'delivery whose buyer never answered',
    many: 'deliveries whose buyer never answered',
    remedy: 'ask the buyer, then leadwire deliveries resolve',
  },
  {
    key: 'open_breakers',
    one: 'buyer fails, and nothing is sent to it',
    many: 'buyers fail, and nothing is sent to them',
    remedy: 'leadwire events list --type buyer.paused',
  },
  {
    key: 'dead_lettered_events',
    one: 'event that its automation did not accept',
    many: 'events that their automation did not accept',
    remedy: 'leadwire events deliveries --state parked',
  },
] as const;

const NOT_TOLD: Check = {
  name: 'waiting',
  state: 'ok',
  message:
    'what waits for a person is not told here: leadwire reports today tells it of your account, HEALTH_PORT of all',
};

function attentionOf({ text }: Reply): Check[] {
  const { dependencies, attention } = parseRow(text) ?? {};
  if (!isRow(dependencies)) return [];
  if (!isRow(attention)) return [NOT_TOLD];
  const most = Number(attention.counted_to);
  const waiting = ATTENTION.flatMap(({ key, one, many, remedy }): Check[] => {
    const count = Number(attention[key]);
    if (!(count > 0)) return [];
    const number = count >= most ? `${most} or more` : String(count);
    const message = `${number} ${count === 1 ? one : many}: ${remedy}`;
    return [{ name: 'waiting', state: 'warning', message }];
  });
  if (waiting.length > 0) return waiting;
  return [{ name: 'waiting', state: 'ok', message: 'nothing waits for a person' }];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : 'error');

function clockOf(date: string | undefined, sentAt: number, tookMs: number): Check[] {
  if (date === undefined) return [];
  // The header has whole seconds: half of one is the best guess.
  const skew = Math.round(Date.parse(date) + 500 - (sentAt + tookMs / 2));
  if (Number.isNaN(skew)) return [];
  if (Math.abs(skew) <= SKEW_MS)
    return [{ name: 'clock', state: 'ok', message: 'the clocks agree to a few seconds' }];
  const seconds = Math.round(Math.abs(skew) / 1_000);
  const message = `the server's clock is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} this one; signatures may be refused`;
  return [{ name: 'clock', state: 'warning', message }];
}

interface KeySeen {
  check: Check;
  exit: ExitCode;
  /** Set where the key is valid. */
  client?: Client;
}

async function keyOf({ key, ...found }: Found): Promise<KeySeen> {
  if (key === null) {
    const message = 'no key: leadwire login';
    return { check: { name: 'key', state: 'error', message }, exit: EXIT.needsLogin };
  }
  const connection = { ...found, key };
  try {
    const client = createClient(connection, { timeoutMs: TIMEOUT_MS });
    const { data } = await client.whoami();
    const org = isRow(data) && isRow(data.organization) ? String(data.organization.name) : '';
    const count = isRow(data) && Array.isArray(data.permissions) ? data.permissions.length : 0;
    const message = `${maskKey(key)} of ${org}, ${count} permissions`;
    return { check: { name: 'key', state: 'ok', message }, exit: EXIT.failed, client };
  } catch (error) {
    const explained = explain(error, null, connection);
    const message = describeError(explained, false).replaceAll('\n', ' ');
    const state = error instanceof Refused && error.status === 429 ? 'warning' : 'error';
    return { check: { name: 'key', state, message }, exit: exitCodeOf(explained) };
  }
}

/** Maximum pages of 500 buyers that are read. */
const PAGES_MAX = 20;

/** A warning for each buyer whose latest failure was a TLS that is too weak or too old. */
async function buyersOf(client: Client): Promise<Check[]> {
  const checks: Check[] = [];
  let cursor: string | undefined;
  try {
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const { data, next_cursor } = await client.run('list_buyers', { limit: 500, cursor });
      checks.push(...rowsOf(data).flatMap(tlsCheck));
      if (!next_cursor) break;
      cursor = next_cursor;
    }
  } catch (error) {
    // A key may lack the permission to read buyers.
    if (error instanceof Refused && error.status === 403) return [];
    const message = `not checked: ${describeError(error, false).replaceAll('\n', ' ')}`;
    return [...checks, { name: 'buyers', state: 'warning', message }];
  }
  return checks;
}

function tlsCheck({ id, name, tls_problem: problem }: Record<string, unknown>): Check[] {
  const known = TLS_TROUBLES.find((one) => one === problem);
  if (known === undefined) return [];
  const message = `${String(name)} (${String(id)}) cannot be reached: ${tlsTroubleText(known)}`;
  return [{ name: 'buyers', state: 'warning', message }];
}
