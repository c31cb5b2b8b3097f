import { demoAddresses, curlLine, formatAddresses, serviceAddresses } from '../stack/addresses.js';
import type { Running } from '../stack/boot.js';
import { demoConsoleUrl } from '../../src/demo/console.js';
import {
  demoEnvironment,
  fillDemo,
  PRIVATE_NOTICE,
  setUpDemo,
  type DemoSetup,
} from '../demo/demoStart.js';
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
  if (!demo)
    return withService(terminal, environment, stop, (running) => stay(terminal, running, stop));
  terminal.say(PRIVATE_NOTICE);
  return withService(terminal, demoEnvironment(environment), stop, async (running) => {
    const setup = await setUpDemo(running);
    try {
      await fillDemo(terminal, running, { setup, stop });
      return await stay(terminal, running, stop, setup);
    } finally {
      await setup.buyer.stop();
    }
  });
}

async function stay(
  { print, say, paint }: Terminal,
  running: Running,
  stop: StopSignal,
  demo?: DemoSetup,
): Promise<ExitCode> {
  const addresses = demo ? demoAddresses(running, demo.buyer.rootUrl) : serviceAddresses(running);
  print(`\n${formatAddresses(addresses, paint)}\n`);
  if (demo) print(await consoleText(running, demo, paint));
  const links = await adminLinks(running, paint);
  if (links !== '') print(links);
  if (demo) {
    const { account, funnelUrl } = demo;
    if (funnelUrl !== null)
      print(`${paint.bold('Fill in a funnel, as a visitor does:')}\n\n${funnelUrl}\n`);
    print(`${paint.bold('Send a lead:')}\n\n${curlLine(running.ingestUrl, account, new Date())}\n`);
  }
  say(`Ctrl-C stops it.${demo ? ' Data and keys stay for the next start.' : ''}`);
  await stop.requested;
  return EXIT.done;
}

/** The console, signed in; without its person, the address where others sign in. */
async function consoleText(
  { record, baseUrl }: Running,
  { signIn }: DemoSetup,
  paint: Terminal['paint'],
): Promise<string> {
  const url = await demoConsoleUrl(record, baseUrl);
  if (url === null) return `${paint.bold('Open the console:')}\n\n${baseUrl}\n`;
  const later = signIn ? `Later: ${signIn.email}, password ${signIn.password}\n` : '';
  return (
    `${paint.bold('Open the console, signed in')} (once, within 30 minutes; leadwire open makes a new link):\n\n${url}\n` +
    later
  );
}
