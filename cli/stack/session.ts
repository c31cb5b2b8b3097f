/** A command during which the service runs: start, work, orderly end. */
import { join } from 'node:path';
import type { ServerNews } from '../../src/embedded/keepRunning.js';
import { setTimeout as wait } from 'node:timers/promises';
import { formatElapsed } from '../../src/embedded/format.js';
import { createTerminalReporter } from '../../src/embedded/terminalReporter.js';
import { boot, type Running } from './boot.js';
import { configFrom } from './installation.js';
import { describeError, EXIT, type ExitCode } from '../terminal/errors.js';
import type { Environment } from '../output/paint.js';
import type { StopSignal } from '../terminal/stopSignal.js';
import type { Terminal } from '../terminal/terminal.js';

/** How long a start that is no longer wanted may take to end before it is abandoned, in milliseconds. */
const START_TIMEOUT_MS = 10_000;

/**
 * Starts everything, runs `work`, and stops everything, however `work` ends. A signal during the start is an
 * orderly stop too. An embedded server that ends by itself is started again; when that does not help, or a worker ends
 * by itself, the stop is requested and the command fails.
 * @throws {UsageError} for settings that are not valid
 */
export async function withService(
  terminal: Terminal,
  environment: Environment,
  stop: StopSignal,
  work: (running: Running) => Promise<ExitCode>,
): Promise<ExitCode> {
  const config = configFrom(environment);
  const health = { failed: false };
  const fail = (text: string) => {
    health.failed = true;
    terminal.say(`${text} Stopping.`);
    stop.stop();
  };
  const reporter = createTerminalReporter(terminal.host.stderr);
  const start = () =>
    boot(config, environment, reporter, (error) =>
      fail(`Leadwire cannot continue: ${describeError(error, false)}.`),
    );
  const running = await unlessStopped(start, stop);
  if (!running) return health.failed ? EXIT.failed : EXIT.done;
  running.stack.onNews((news) => {
    const log = join(config.home, 'logs', `${news.name}.log`);
    if (news.kind === 'given_up') fail(gaveUpText(news, log));
    else terminal.say(newsText(news, log));
  });
  try {
    const code = await work(running);
    return health.failed ? EXIT.failed : code;
  } finally {
    await running.stop();
    terminal.say('Stopped.');
  }
}

type Kind<K extends ServerNews['kind']> = Extract<ServerNews, { kind: K }>;

function newsText(news: Kind<'ended'> | Kind<'back'>, log: string): string {
  const { name } = news;
  if (news.kind === 'back')
    return `${name} answers again, ${formatElapsed(news.afterMs)} after it ended.`;
  const { how, restart, of } = news;
  return (
    `${name} does not run: ${how}. It is started again, ${restart} of at most ${of} times in 10 minutes. Until it answers, ` +
    `leads are refused with 503; nothing that was acknowledged is lost. Its log: ${log}.`
  );
}

const gaveUpText = ({ name, how, why }: Kind<'given_up'>, log: string): string =>
  `${name} does not run: ${how}. It is not started again, because ${why}. Read the end of ${log}; check that the disk is ` +
  'not full (df -h) and that the system has not ended it for want of memory (dmesg). Then start Leadwire again: nothing ' +
  'that was acknowledged is lost.';

async function unlessStopped(
  start: () => Promise<Running>,
  stop: StopSignal,
): Promise<Running | null> {
  if (stop.isRequested()) return null;
  const booting = start();
  const running = await Promise.race([booting, stop.requested.then(() => null)]);
  if (running) return running;
  // The embedded servers end with this process in any case; this only gives them an orderly end.
  const ended = booting.then(
    (started) => started.stop(),
    () => undefined,
  );
  await Promise.race([ended, wait(START_TIMEOUT_MS)]);
  return null;
}
