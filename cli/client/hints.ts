/** Messages when the server refuses, or does not answer: each code has one command that helps. */
import type { ErrorCode } from '../../src/lib/errors.js';
import { flagName, type CommandEntry } from '../actions/manifest.js';
import { sampleText } from '../actions/options.js';
import { CommandFailed, EXIT, type ExitCode } from '../terminal/errors.js';
import { Refused, unreachable, Unreachable, type Refusal } from './client.js';
import type { Connection } from './connection.js';

type Called = Pick<CommandEntry, 'flags'> & {
  cli: readonly [string, ...string[]];
};
type Hint = (body: Refusal, called: Called | null, connection: Connection) => string;

const help: Hint = (_body, called) =>
  `Usage: leadwire ${called ? `${called.cli.join(' ')} ` : ''}--help`;
const look: Hint = (_body, called) =>
  called ? `Commands: leadwire ${called.cli[0]} --help` : 'leadwire --help';
const doctor: Hint = ({ request_id }) =>
  `Check it: leadwire doctor${request_id === undefined ? '' : `; in the server's log it is ${request_id}`}`;
const again: Hint = () => 'Nothing was done. Call it again in a moment, or check: leadwire doctor';
const login: Hint = (_body, _called, { keySource, url }) =>
  keySource === 'LEADWIRE_API_KEY'
    ? `The key is from LEADWIRE_API_KEY, which overrides stored keys. Set another, or unset it and: leadwire login --url ${url}`
    : `The key is from ${keySource}. Log in again: leadwire login --url ${url}`;

const HINTS: Record<ErrorCode, Hint> = {
  unauthorized: login,
  forbidden: ({ required }) =>
    `A user with settings:write can create a key that may: leadwire keys create --name NAME --permissions ${required ?? 'AREA:write'}`,
  record_not_found: (body, called) =>
    called && /^There is no (campaign|buyer|supplier|key)\b/.test(body.message)
      ? `List them: leadwire ${nounOf(body.message)} list`
      : look(body, called, { url: '', urlSource: '', key: '', keySource: '' }),
  invalid_input: help,
  validation_failed: help,
  version_conflict: (_body, called) =>
    `It has since been changed. Read it, and repeat the change: leadwire ${called?.cli[0] ?? 'campaigns'} get`,
  action_refused: look,
  action_not_found: () =>
    'The server does not know this action; its version may differ: leadwire doctor',
  rate_limited: () => 'Too many calls with this key. Wait a minute, or use a separate key.',
  outcome_unknown: (_body, called) =>
    `Check the current state before you call it again: leadwire ${called?.cli[0] ?? ''} --help`,
  unavailable: again,
  request_timeout: again,
  internal: doctor,
  body_too_large: () => 'The server accepts at most 256 KiB at once: send it in several parts.',
  malformed_body: help,
  malformed_request: doctor,
  invalid_idempotency_key: help,
  unsupported_media_type: doctor,
  headers_too_large: doctor,
  method_not_allowed: doctor,
  not_found: () => 'Is that the address of Leadwire? leadwire doctor',
  source_paused: look,
  campaign_paused: look,
  supplier_capped: look,
  campaign_not_found: () => 'List them: leadwire campaigns list',
  filtered: look,
  conflict: look,
  ambiguous: look,
  idempotency_key_reused: help,
};

const nounOf = (message: string): string =>
  `${/^There is no (\w+)/.exec(message)?.[1] ?? 'campaign'}s`;

const CODES: Partial<Record<ErrorCode, ExitCode>> = {
  unauthorized: EXIT.needsLogin,
  outcome_unknown: EXIT.pending,
};

/** The error as a person needs it: the fact, the flags, what to do. Any other error is returned unchanged. */
export function explain(error: unknown, called: Called | null, connection: Connection): unknown {
  if (error instanceof Unreachable)
    return new CommandFailed(error.message, EXIT.failed, reachHint(error, connection));
  if (!(error instanceof Refused)) return error;
  const { body } = error;
  const hint = Object.hasOwn(HINTS, body.error)
    ? HINTS[body.error](body, called, connection)
    : doctor(body, called, connection);
  const message = [messageOf(body, called), ...detailsOf(body, called)].join('\n');
  return new CommandFailed(message, CODES[body.error] ?? EXIT.failed, hint);
}

/** The same for a request that is not an action. */
export function explainUnreachable(url: string, error: unknown): unknown {
  const { origin } = new URL(url);
  const source = 'what was said';
  const connection = { url: origin, urlSource: source, key: '', keySource: source };
  return explain(unreachable(url, error), null, connection);
}

/** Where each fault has its own line, their summary is left out. */
function messageOf({ message, details, required }: Refusal, called: Called | null): string {
  if (details && details.length > 0 && called)
    return `leadwire ${called.cli.join(' ')} was refused:`;
  return required === undefined || message.includes(required)
    ? message
    : `${message} (${required})`;
}

/** Each fault on its line, and after those of one flag of JSON how its value may be written. */
function detailsOf({ details = [] }: Refusal, called: Called | null): string[] {
  const flagOf = (path: string) => called?.flags.find(({ key }) => key === path.split('.')[0]);
  const lines = details.map(({ path, message }) => {
    const flag = flagOf(path);
    return `  ${flag ? `${flagName(flag.key)}  ` : ''}${message}`;
  });
  const flags = new Set(details.map(({ path }) => flagOf(path)));
  const samples = [...flags].flatMap((flag) => (flag ? (sampleText(flag) ?? []) : []));
  return [...lines, ...samples.map((sample) => `  Such as ${sample}`)];
}

function reachHint({ reason }: Unreachable, { urlSource }: Connection): string {
  const from =
    urlSource === 'nothing' ? 'The address is the default.' : `The address is from ${urlSource}.`;
  switch (reason) {
    case 'ECONNREFUSED':
      return `${from} Is the server up? leadwire up starts one here; leadwire doctor checks it.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${from} There is no such host: leadwire profiles list shows the stored addresses.`;
    case 'foreign':
    case 'redirect':
      return `${from} Store the right one: leadwire login --url URL`;
    case 'timeout':
      return `If it was a change, it may have been done: check before you call it again. leadwire doctor`;
    default:
      return `${from} Check it: leadwire doctor`;
  }
}
