/** Runs an action for the command line: reads the input, asks for confirmation, calls, shows the answer. */
import { callServer } from '../client/call.js';
import type { Client } from '../client/client.js';
import { findConnection, type Connection } from '../client/connection.js';
import { readLook } from '../client/names.js';
import { viewFor } from '../client/view.js';
import { isForPeople, readShown, rowSink, showRecord, type ShowOptions } from '../output/show.js';
import type { Row } from '../output/rows.js';
import { withIds } from '../references/references.js';
import { rememberAnswer } from '../references/remember.js';
import { typedKeys, withLast } from '../references/typed.js';
import { EXIT, type ExitCode } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';
import { checkInput } from './checkInput.js';
import { confirm, type Consent } from './confirm.js';
import { withExtras } from './extras.js';
import { asksServer, fileKey, flagName, type CommandEntry } from './manifest.js';
import { limitsOf, report, takePages, type Paging } from './pages.js';
import { exposedSecrets, readInput, type Typed } from './readFlags.js';
import { callerOf, type TypedAction } from './typedAction.js';

export interface ActionOptions extends ShowOptions, Consent, Paging {
  profile?: string;
  dryRun?: true;
  /** Seconds between two looks at a list. */
  watch?: number;
}

export async function runAction(
  terminal: Terminal,
  entry: CommandEntry,
  typed: Typed,
  options: ActionOptions,
): Promise<ExitCode> {
  const shown = readShown(entry, options);
  const input = await readInput(entry, withLast(entry, typed), () => terminal.keyboard.readAll());
  warnOfSecrets(terminal, entry, typed);
  const action = { entry, input, references: typedKeys(entry, typed), shown };
  if (options.dryRun && !asksServer(entry)) {
    const { dryRun } = await import('./dryRun.js');
    await dryRun(terminal, entry, await inputToShow(terminal, action, options), options);
    return EXIT.done;
  }
  if (options.watch !== undefined) {
    const { watchAction } = await import('./watchAction.js');
    return watchAction(terminal, action, { ...options, watch: options.watch });
  }
  const caller = callerOf(entry, options);
  const show = await callServer(terminal, caller, async (client, { connection }) => {
    const lookup = { client, connection, environment: terminal.environment };
    // A person is not asked about a request that would be refused, nor are its records looked up.
    if (entry.effect === 'destroy' && !options.yes)
      await checkInput(entry, input, { connection, except: action.references });
    const whole = await withIds(lookup, input, action.references);
    await confirm(terminal, { entry, input: whole, client }, options);
    const call = { ...action, input: whole, client, connection };
    return entry.rows === null ? callRecord(terminal, call) : callList(terminal, call, options);
  });
  // From here Ctrl-C belongs to the pager.
  await show();
  return EXIT.done;
}

interface CalledAction extends TypedAction {
  client: Client;
  connection: Connection;
}

/** Calls an action that returns one record. @returns what shows it */
async function callRecord(terminal: Terminal, call: CalledAction): Promise<() => Promise<void>> {
  const { entry, input, shown, client, connection } = call;
  const { data } = await client.run(entry.name, input);
  rememberAnswer(terminal.environment, connection, { entry, input, data });
  if (!isForPeople(terminal, shown)) return () => showRecord(terminal, data, shown);
  const whole = await withExtras(client, entry, data);
  const view = await viewFor(terminal, client, whole);
  return () => showRecord(terminal, whole, shown, { action: entry.name, view });
}

/** Calls an action that returns a list. @returns what shows it */
async function callList(
  terminal: Terminal,
  { entry, input, shown, client }: CalledAction,
  options: Paging,
): Promise<() => Promise<void>> {
  const isTable = isForPeople(terminal, shown);
  // With the first page, not after it.
  if (isTable) void readLook(client);
  const sink = rowSink(terminal, entry, shown);
  const taken = await takePages(client, entry, limitsOf(entry, input, options), sink);
  const view = isTable ? await viewFor(terminal, client, sink.tabled) : undefined;
  return async () => {
    await sink.end(view);
    report(taken, entry, terminal);
  };
}

/** The input of a dry run: with ids, where there is a key to look them up with. */
async function inputToShow(
  terminal: Terminal,
  { entry, input, references }: TypedAction,
  options: ActionOptions,
): Promise<Row> {
  const { environment } = terminal;
  if (references.length === 0 || findConnection(environment, options.profile).key === null)
    return input;
  const caller = { ...callerOf(entry, options), isChange: false };
  return callServer(terminal, caller, (client, { connection }) =>
    withIds({ client, connection, environment }, input, references),
  );
}

function warnOfSecrets(terminal: Terminal, entry: CommandEntry, typed: Typed): void {
  for (const flag of exposedSecrets(entry, typed)) {
    const [name, file] = [flagName(flag.key), flagName(fileKey(flag))];
    terminal.say(
      `${terminal.sayPaint.yellow('Warning:')} ${name} puts a secret on the command line, where others on this machine and ` +
        `the history of the shell keep it. Give it by ${file} FILE, or ${file} - for standard input.`,
    );
  }
}
