/** `leadwire profiles` and `leadwire logout`. */
import { findProfile } from '../client/connection.js';
import { maskKey, readProfiles, writeProfiles } from '../client/profiles.js';
import { EXIT, UsageError, type ExitCode } from '../terminal/errors.js';
import { readShown, rowSink, type ShowOptions } from '../output/show.js';
import type { Terminal } from '../terminal/terminal.js';

const SHOWN = {
  name: 'profiles',
  cli: ['profiles', 'list'] as const,
  fields: ['current', 'profile', 'organization', 'key_name', 'key', 'url'],
};

export async function listProfiles(terminal: Terminal, options: ShowOptions): Promise<ExitCode> {
  const sink = rowSink(terminal, SHOWN, readShown(SHOWN, options));
  const { current, profiles } = readProfiles(terminal.environment);
  const rows = Object.entries(profiles).map(
    ([profile, { url, api_key, organization, key_name }]) => ({
      current: profile === current,
      profile,
      organization,
      key_name,
      key: maskKey(api_key),
      url,
    }),
  );
  sink.take(rows);
  await sink.end();
  if (rows.length === 0) terminal.say('No profile is stored. leadwire login stores one.');
  return EXIT.done;
}

export function applyProfile(
  { environment, say }: Terminal,
  _options: unknown,
  name: string,
): ExitCode {
  const { url, organization } = findProfile(environment, name);
  writeProfiles(environment, { ...readProfiles(environment), current: name });
  say(`In use from now on: ${name} (${organization} at ${url}).`);
  return EXIT.done;
}

/** @param named default: `--profile`, or the one in use */
export function runLogout(
  { environment, say }: Terminal,
  { profile }: { profile?: string },
  named = profile,
): ExitCode {
  const { current, profiles } = readProfiles(environment);
  const { LEADWIRE_PROFILE } = environment;
  const name = named ?? (LEADWIRE_PROFILE ? LEADWIRE_PROFILE : current);
  if (name === null)
    throw new UsageError('There is no profile in use. leadwire profiles list shows those stored.');
  findProfile(environment, name);
  const { [name]: gone, ...rest } = profiles;
  // No other profile replaces it automatically: the next command might be meant for the account that is gone.
  const next = name === current ? null : current;
  writeProfiles(environment, { current: next, profiles: rest });
  const left = Object.keys(rest);
  const use = left.length === 0 ? '' : ` leadwire profiles use ${left.join('|')}`;
  const now = next === null ? `None is in use now.${use}` : `In use: ${next}.`;
  say(
    `The profile ${name} (${maskKey(gone?.api_key ?? '')}) is forgotten; its key stays valid until it is revoked. ` +
      now,
  );
  return EXIT.done;
}
