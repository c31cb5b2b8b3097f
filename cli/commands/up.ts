import { demoAddresses, curlLine, formatAddresses, serviceAddresses } from '../stack/addresses.js';
import type { Running } from '../stack/boot.js';
import { demoEnvironment, PRIVATE_NOTICE, setUpDemo } from '../demo/demoStart.js';
import { EXIT, type ExitCode } from '../terminal/errors.js';
import { adminLinks } from '../stack/signInPages.js';
import { withService } from '../stack/session.js';
import type { StopSignal } from '../terminal/stopSignal.js';
import type { Terminal } from '../terminal/terminal.js';

export interface UpOptions {
  demo?: true;
  /** As typed, instead of the setting PROCESSES. */
  processes?: string;
}

/** `leadwire up`: everything on this machine, until it is stopped. */
export function up(
  terminal: Terminal,
  stop: StopSignal,
  { demo, processes }: UpOptions,
): Promise<ExitCode> {
  const environment =
    processes === undefined
      ? terminal.environment
      : { ...terminal.environment, PROCESSES: processes };
  if (!demo) {
    return withService(terminal, environment, stop, (running) => stay(terminal, running, stop));
  }
  terminal.say(PRIVATE_NOTICE);
  return withService(terminal, demoEnvironment(environment), stop, (running) =>
    stayWithDemo(terminal, running, stop),
  );
}

async function stay(terminal: Terminal, running: Running, stop: StopSignal): Promise<ExitCode> {
  terminal.print(`\n${formatAddresses(serviceAddresses(running), terminal.paint)}\n`);
  await printAdminLinks(terminal, running);
  terminal.say('Ctrl-C stops it.');
  await stop.requested;
  return EXIT.done;
}

async function stayWithDemo(
  terminal: Terminal,
  running: Running,
  stop: StopSignal,
): Promise<ExitCode> {
  const { paint } = terminal;
  const { buyer, account, funnelUrl } = await setUpDemo(running);
  try {
    terminal.print(`\n${formatAddresses(demoAddresses(running, buyer.rootUrl), paint)}\n`);
    await printAdminLinks(terminal, running);
    if (funnelUrl !== null)
      terminal.print(`${paint.bold('Fill in a funnel, as a visitor does:')}\n\n${funnelUrl}\n`);
    terminal.print(
      `${paint.bold('Send a lead:')}\n\n${curlLine(running.ingestUrl, account, new Date())}\n`,
    );
    terminal.say('Ctrl-C stops it. Data and keys stay for the next start.');
    await stop.requested;
    return EXIT.done;
  } finally {
    await buyer.stop();
  }
}

/** For organizations without a sign-in yet. */
async function printAdminLinks(terminal: Terminal, running: Running): Promise<void> {
  const links = await adminLinks(running, terminal.paint);
  if (links !== '') terminal.print(links);
}
