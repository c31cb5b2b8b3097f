/** `leadwire login`: stores a server and a key, after the server has accepted the key. */
import { clientFor } from '../client/client.js';
import { checkUrl, DEFAULT_URL, demoPath, isInTheClear } from '../client/connection.js';
import { explain } from '../client/hints.js';
import { withInterrupt } from '../client/interrupt.js';
import { maskKey, profilesPath, readProfiles, writeProfiles } from '../client/profiles.js';
import { isWellFormedKey } from '../../src/platform/security/keys.js';
import { canceled, CommandFailed, EXIT, UsageError, type ExitCode } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';
import { readWhoami } from './whoami.js';

export interface LoginOptions {
  url?: string;
  demo?: true;
  profile?: string;
}

export async function runLogin(terminal: Terminal, options: LoginOptions): Promise<ExitCode> {
  const { environment, say } = terminal;
  const stored = readProfiles(environment);
  const { LEADWIRE_PROFILE } = environment;
  const named = options.profile ?? (LEADWIRE_PROFILE ? LEADWIRE_PROFILE : stored.current);
  const profile = named ?? 'default';
  if (!/^[\w.-]{1,60}$/.test(profile))
    throw new UsageError('The name of a profile may have letters, digits, dots, _ and -.');
  const { url, key } = options.demo ? await demoLogin(terminal) : await ask(terminal, options);
  if (isInTheClear(url))
    say(
      `${terminal.sayPaint.yellow('Warning:')} ${url} is not encrypted: others can read the key in transit.`,
    );
  if (!isWellFormedKey(key))
    throw new CommandFailed(
      'This is not a complete key of Leadwire: a key begins with lw_live_ or lw_test_ and ends with a checksum.',
      EXIT.needsLogin,
      'A user with settings:write can create one: leadwire keys create --name NAME',
    );
  const source = 'what was typed';
  const connection = { url, urlSource: source, key, keySource: source };
  const { organization, keyName } = await withInterrupt(terminal, { isChange: false }, (signal) =>
    readWhoami(clientFor(terminal, connection, signal)),
  ).catch((error: unknown) => {
    throw explain(error, null, connection);
  });
  const entry = { url, api_key: key, organization, key_name: keyName };
  // Only now: a stored key has worked.
  writeProfiles(environment, {
    current: profile,
    profiles: { ...stored.profiles, [profile]: entry },
  });
  say(
    `Logged in to ${organization} at ${url} with the key ${keyName} (${maskKey(key)}), as profile ${profile}.\n` +
      `It is in ${profilesPath(environment)}.${switched(stored.current, profile)}`,
  );
  if (environment.LEADWIRE_API_KEY) say('LEADWIRE_API_KEY is set, and overrides it.');
  if (LEADWIRE_PROFILE && LEADWIRE_PROFILE !== profile)
    say(`LEADWIRE_PROFILE is set to ${LEADWIRE_PROFILE}, and overrides it.`);
  return EXIT.done;
}

/** Where another profile was in use: that it no longer is, and how to return to it. */
const switched = (before: string | null, now: string): string =>
  before === null || before === now
    ? ''
    : `\nThe profile in use is now ${now}; before it was ${before}: leadwire profiles use ${before}`;

interface Login {
  url: string;
  key: string;
}

async function ask({ environment, keyboard }: Terminal, options: LoginOptions): Promise<Login> {
  const { LEADWIRE_URL } = environment;
  const known = options.url ?? (LEADWIRE_URL ? LEADWIRE_URL : undefined);
  if (!keyboard.isTerminal) {
    const [key = ''] = (await keyboard.readAll()).split('\n');
    if (key.trim() !== '') return { url: checkUrl(known ?? DEFAULT_URL), key: key.trim() };
    throw new UsageError(
      'There is no terminal to ask for the key: send it on standard input, as in leadwire login --url URL < key.txt',
    );
  }
  const typed = known ?? (await keyboard.ask(`Address of the server [${DEFAULT_URL}]: `));
  if (typed === null) throw canceled();
  const url = checkUrl(typed.trim() === '' ? DEFAULT_URL : typed.trim());
  const key = await keyboard.ask('Key (it is not shown): ', true);
  if (key === null || key.trim() === '') throw canceled('Canceled. Nothing was stored.');
  return { url, key: key.trim() };
}

async function demoLogin({ environment }: Terminal): Promise<Login> {
  const { readDemoFile } = await import('../../src/demo/file.js');
  const path = demoPath(environment);
  const demo = await readDemoFile(path.slice(0, -'/demo.json'.length));
  if (demo) return { url: checkUrl(demo.base_url), key: demo.org_api_key };
  throw new UsageError(
    `There is no demo in ${path}: start one with leadwire up --demo, or set LEADWIRE_HOME to its folder.`,
  );
}
