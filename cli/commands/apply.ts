/** The account and a file: `leadwire diff` shows how they differ, `leadwire apply` makes the account match. */
import type { Account } from '../accountFile/model.js';
import type { ChangeSet } from '../accountFile/difference.js';
import { openFile, prepareChangeSet, type FileOptions } from '../accountFile/prepare.js';
import { runSteps, verify, type Secret } from '../accountFile/runSteps.js';
import { formatSecrets, formatChangeSet, changeSetJson } from '../accountFile/formatChangeSet.js';
import { stepsOf } from '../accountFile/steps.js';
import { callServer } from '../client/call.js';
import { clientFor, Refused, type Client } from '../client/client.js';
import type { Connection } from '../client/connection.js';
import { explain } from '../client/hints.js';
import { finishReply } from '../client/interrupt.js';
import { canceled, CommandFailed, EXIT, UsageError, type ExitCode } from '../terminal/errors.js';
import { printLong } from '../output/pager.js';
import type { Terminal } from '../terminal/terminal.js';

export interface ApplyOptions extends FileOptions {
  json?: true;
  dryRun?: true;
  yes?: true;
  profile?: string;
}

export async function runApply(terminal: Terminal, options: ApplyOptions): Promise<ExitCode> {
  const file = await openFile(terminal, options);
  const { changeSet, account, connection } = await callServer(
    terminal,
    { profile: options.profile },
    async (client, call) => ({ ...(await prepareChangeSet(client, file, options)), ...call }),
  );
  if (options.dryRun || changeSet.differences.length === 0) {
    await showPlan(terminal, options, changeSet);
    return EXIT.done;
  }
  terminal.say(formatChangeSet(changeSet, terminal.sayPaint));
  await consent(terminal, options);
  const secrets = keepSecrets(terminal, options, changeSet);
  try {
    await carryOut({ terminal, connection, options, changeSet, account, secrets });
  } catch (error) {
    secrets.end(false);
    throw error;
  }
  secrets.end(true);
  if (!options.json) terminal.say('Done: the account matches the file.');
  return EXIT.done;
}

interface SecretKeeper {
  take: (secrets: Secret[]) => void;
  end: (isDone: boolean) => void;
}

/**
 * A secret cannot be requested again: each is printed as it arrives; as JSON, which is one document, all at the end,
 * and that is written however the process ends, except after SIGKILL.
 */
function keepSecrets(
  terminal: Terminal,
  { json }: ApplyOptions,
  changeSet: ChangeSet,
): SecretKeeper {
  const all: Secret[] = [];
  const end = (isDone: boolean): void => {
    terminal.host.off('exit', cutOff);
    if (!json) return;
    const result = { applied: isDone, ...changeSetJson(changeSet), secrets: all };
    terminal.print(JSON.stringify(result, null, 2));
  };
  const cutOff = (): void => end(false);
  terminal.host.on('exit', cutOff);
  return {
    take(secrets) {
      if (secrets.length === 0) return;
      if (!json) {
        if (all.length === 0) terminal.say('New secrets, shown only once:');
        terminal.print(formatSecrets(secrets, terminal));
      }
      all.push(...secrets);
    },
    end,
  };
}

async function showPlan(terminal: Terminal, { json, dryRun }: ApplyOptions, changeSet: ChangeSet) {
  if (json)
    terminal.print(
      JSON.stringify({ applied: false, ...changeSetJson(changeSet), secrets: [] }, null, 2),
    );
  else await printLong(formatChangeSet(changeSet, terminal.paint), terminal);
  if (dryRun) terminal.say('Nothing was changed.');
}

/** @throws {CommandFailed} with the exit code 2 where the person declines */
async function consent({ keyboard }: Terminal, { yes, file }: ApplyOptions): Promise<void> {
  if (yes) return;
  if (!keyboard.isTerminal || file === '-')
    throw new UsageError(
      'There is no terminal to ask for confirmation: add --yes. Nothing was done.',
    );
  const answer = await keyboard.ask('Apply this? [y/N] ');
  if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw canceled();
}

interface Run {
  terminal: Terminal;
  connection: Connection;
  options: ApplyOptions;
  changeSet: ChangeSet;
  account: Account;
  /** Keeps values that are returned once. */
  secrets: SecretKeeper;
}

async function carryOut({ terminal, connection, options, changeSet, account, secrets }: Run) {
  const steps = stepsOf(changeSet, { withHeaders: options.setHeaders ?? false });
  let now = '';
  let done = 0;
  const run = async (client: Client) => {
    await verify(client, changeSet, account);
    await runSteps(client, steps, account, {
      begin: ({ title }, number) => {
        now = title;
        done = number - 1;
        terminal.say(`[${number}/${steps.length}] ${title}`);
      },
      secrets: secrets.take,
    });
  };
  try {
    await finishReply(terminal, (signal) =>
      run(clientFor(terminal, connection, signal, { hearsOut: true })),
    );
  } catch (error) {
    throw inPlace(explain(once(error), null, connection), now, `${done} of ${steps.length}`);
  }
}

/** The message of a refusal summarizes its details, so it is enough. */
function once(error: unknown): unknown {
  if (!(error instanceof Refused)) return error;
  return new Refused(error.status, { ...error.body, details: [] });
}

/** The error, its step, and that a second run does the rest. */
function inPlace(error: unknown, step: string, done: string): unknown {
  if (!(error instanceof CommandFailed) || step === '') return error;
  const rest = `${done} steps are done; run it again for the rest.`;
  const hint = error.hint === undefined ? rest : `${error.hint}\n${rest}`;
  return new CommandFailed(`${step}: ${error.message}`, error.exit, hint);
}

export interface DiffOptions extends FileOptions {
  json?: true;
  profile?: string;
}

/** Shows what `runApply` would do. @returns 3 where the account differs from the file */
export async function runDiff(terminal: Terminal, options: DiffOptions): Promise<ExitCode> {
  const file = await openFile(terminal, options);
  const { profile } = options;
  const { changeSet } = await callServer(terminal, { profile }, (client) =>
    prepareChangeSet(client, file, options),
  );
  if (options.json) terminal.print(JSON.stringify(changeSetJson(changeSet), null, 2));
  else await printLong(formatChangeSet(changeSet, terminal.paint), terminal);
  return changeSet.differences.length === 0 ? EXIT.done : EXIT.differs;
}
