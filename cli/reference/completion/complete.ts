/** Completions of a command line: commands, flags, their values, ids of the account. */
import type { Command, Option } from 'commander';
import { readManifest, type CommandEntry } from '../../actions/manifest.js';
import { createClient } from '../../client/client.js';
import { findConnection } from '../../client/connection.js';
import { readProfiles } from '../../client/profiles.js';
import { visibleCommands } from '../../terminal/command.js';
import { EXIT, type ExitCode } from '../../terminal/errors.js';
import { pageOf, isRow } from '../../output/rows.js';
import { visible } from '../../output/cells.js';
import type { Terminal } from '../../terminal/terminal.js';
import { getOwn } from '../../../src/lib/getOwn.js';

interface Candidate {
  value: string;
  about: string;
}

/** Timeout in milliseconds: a person waits while typing. */
const TIMEOUT_MS = 1_000;
/** The list that has the ids of a kind. */
const LISTS: Readonly<Record<string, string>> = {
  campaign_id: 'list_campaigns',
  buyer_id: 'list_buyers',
  supplier_id: 'list_suppliers',
  key_id: 'list_api_keys',
};

/**
 * Prints one value and its description per line, for the word at the cursor, which is the last of `words`.
 * Errors are not shown, because a person is typing.
 */
export async function complete(
  terminal: Terminal,
  program: Command,
  words: readonly string[],
): Promise<ExitCode> {
  const found = await candidates(terminal, program, words).catch(() => []);
  if (found.length > 0)
    terminal.print(found.map(({ value, about }) => `${value}\t${visible(about)}`).join('\n'));
  return EXIT.done;
}

async function candidates(
  terminal: Terminal,
  program: Command,
  words: readonly string[],
): Promise<Candidate[]> {
  const word = words.at(-1) ?? '';
  const { command, rest, pending } = walk(program, words.slice(0, -1));
  const at = { terminal, command, profile: profileOf(words) };
  const all = pending
    ? await valuesOf(pending, at)
    : word.startsWith('-')
      ? flagsOf(command, program)
      : await wordsOf(at, rest);
  const wanted = word.toLowerCase();
  // An id is found by its name too; the shell then shows the name with it.
  return all.filter(({ value }) => value.toLowerCase().startsWith(wanted));
}

interface Walked {
  command: Command;
  /** Words of the command that are not flags. */
  rest: number;
  /** The flag whose value is at the cursor. */
  pending: Option | null;
}

/** Walks down the tree by the words before the cursor. */
function walk(program: Command, words: readonly string[]): Walked {
  let command = program;
  let rest = 0;
  let pending: Option | null = null;
  for (const word of words) {
    if (pending) {
      pending = null;
      continue;
    }
    if (word.startsWith('-')) {
      const option = [...command.options, ...program.options].find(({ long }) => long === word);
      pending = option?.required ? option : null;
      continue;
    }
    const next = command.commands.find((one) => one.name() === word);
    // What follows `help` are the words of a command.
    if (next?.name() === 'help') continue;
    if (next) command = next;
    else rest += 1;
  }
  return { command, rest, pending };
}

interface At {
  terminal: Terminal;
  command: Command;
  profile: string | undefined;
}

function wordsOf(at: At, rest: number): Promise<Candidate[]> {
  const { command } = at;
  const commands = visibleCommands(command).map((one) => ({
    value: one.name(),
    about: one.summary(),
  }));
  if (commands.length > 0 || rest > 0) return Promise.resolve(commands);
  const [argument] = command.registeredArguments;
  if (command.name() === 'completion') return Promise.resolve(plain(['bash', 'zsh', 'fish']));
  if (command.parent?.name() === 'profiles') return Promise.resolve(profiles(at));
  return idsOf(argument?.name().replaceAll('-', '_') ?? '', at);
}

function flagsOf(command: Command, program: Command): Candidate[] {
  const options = command === program ? program.options : [...command.options, ...program.options];
  return options
    .filter(({ hidden }) => !hidden)
    .map(({ long, description }) => ({ value: long ?? '', about: description }));
}

async function valuesOf(option: Option, at: At): Promise<Candidate[]> {
  const name = option.name().replaceAll('-', '_');
  if (name === 'profile') return profiles(at);
  if (option.argChoices) return plain(option.argChoices);
  const flag = entryOf(at.command)?.flags.find(({ key }) => key === name);
  if (flag?.choices) return plain(flag.choices);
  return idsOf(name, at);
}

function entryOf(command: Command): CommandEntry | undefined {
  const path = `${command.parent?.name() ?? ''} ${command.name()}`;
  return readManifest().find(({ cli }) => cli.join(' ') === path);
}

const plain = (values: readonly string[]): Candidate[] =>
  values.map((value) => ({ value, about: '' }));

function profiles({ terminal }: At): Candidate[] {
  const stored = readProfiles(terminal.environment).profiles;
  return Object.entries(stored).map(([value, { organization, url }]) => ({
    value,
    about: `${organization} at ${url}`,
  }));
}

/** Asks the server; without a key, or an answer in time, there are none. */
async function idsOf(name: string, { terminal, profile }: At): Promise<Candidate[]> {
  const entry = readManifest().find((one) => one.name === getOwn(LISTS, name));
  const { url, key } = findConnection(terminal.environment, profile);
  if (!entry || key === null) return [];
  const client = createClient({ url, key }, { timeoutMs: TIMEOUT_MS });
  const { rows } = pageOf(entry, await client.run(entry.name, {}));
  return rows.flatMap((row) =>
    isRow(row) && typeof row.id === 'string' ? [{ value: row.id, about: String(row.name) }] : [],
  );
}

function profileOf(words: readonly string[]): string | undefined {
  const at = words.indexOf('--profile');
  return at === -1 ? undefined : words[at + 1];
}
