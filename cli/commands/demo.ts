import { randomInt } from 'node:crypto';
import { curlLine, demoAddresses, formatAddresses } from '../stack/addresses.js';
import type { Running } from '../stack/boot.js';
import { formatReport } from '../demo/demoReport.js';
import { reportJson } from '../demo/demoJson.js';
import { demoEnvironment, PRIVATE_NOTICE, setUpDemo, type DemoSetup } from '../demo/demoStart.js';
import { EXIT, type ExitCode } from '../terminal/errors.js';
import { withService } from '../stack/session.js';
import type { StopSignal } from '../terminal/stopSignal.js';
import type { Terminal } from '../terminal/terminal.js';
import { demoLeads } from '../../src/demo/leads.js';
import { runDemo, type DemoReport } from '../../src/demo/run.js';

export interface DemoOptions {
  /** Stay up afterwards, until stopped. */
  keep?: true;
  /** Standard output is one JSON document. */
  json?: true;
}

/**
 * `leadwire demo`: plays the demo. Exit code 0 only if every lead got its expected status and both sides of
 * every sale agree.
 */
export function demo(
  terminal: Terminal,
  stop: StopSignal,
  options: DemoOptions,
): Promise<ExitCode> {
  terminal.say(PRIVATE_NOTICE);
  const environment = demoEnvironment(terminal.environment);
  // For a few leads one process starts faster than several.
  const settings = {
    ...environment,
    PORT: environment.PORT ? environment.PORT : '0',
    PROCESSES: '1',
  };
  return withService(terminal, settings, stop, async (running) => {
    const setup = await setUpDemo(running);
    try {
      const scene = { terminal, running, setup };
      const report = await Promise.race([send(scene), stop.requested.then(() => null)]);
      if (!report) return EXIT.failed;
      show(scene, report, options);
      if (options.keep) {
        stay(scene, options.json ? terminal.say : terminal.print);
        await stop.requested;
      }
      return report.ok ? EXIT.done : EXIT.failed;
    } finally {
      await setup.buyer.stop();
    }
  });
}

interface Scene {
  terminal: Terminal;
  running: Running;
  setup: DemoSetup;
}

function show({ terminal, running, setup }: Scene, report: DemoReport, { json }: DemoOptions) {
  const { account } = setup;
  const context = {
    currency: account.currency,
    temporalUiUrl: running.stack.temporalUiUrl,
    temporalNamespace: running.stack.temporalNamespace,
    buyerNames: new Map(Object.entries(account.buyers).map(([name, { id }]) => [id, name])),
  };
  terminal.print(
    json ? reportJson(report, context) : formatReport(report, context, terminal.paint),
  );
}

function stay({ terminal, running, setup }: Scene, print: (text: string) => void): void {
  const { account, buyer, funnelUrl } = setup;
  print(`\n${formatAddresses(demoAddresses(running, buyer.rootUrl), terminal.paint)}\n`);
  print(`Send one more:\n\n${curlLine(running.ingestUrl, account, new Date())}\n`);
  if (funnelUrl !== null) print(`Or fill in its funnel, as a visitor does:\n\n${funnelUrl}\n`);
  terminal.say('It stays up. Ctrl-C stops it.');
}

function send({ terminal, running, setup }: Scene): Promise<DemoReport> {
  const seed = randomInt(80_000_000);
  const leads = demoLeads(seed);
  terminal.say(`Sending ${leads.length} leads to ${running.ingestUrl}/api/v1/ingest`);
  return runDemo(
    {
      ingestUrl: running.ingestUrl,
      account: setup.account,
      buyer: setup.buyer,
      leads: running.record.collections.leads,
      pings: running.record.collections.pings,
      onAuction: ({ bids, answer, http }) =>
        terminal.say(`  A ping: ${bids.length} bids, and its lead: ${http ?? ''} ${answer}`),
      onAnswer: (lead, reply) =>
        terminal.say(
          `  ${String(lead.n).padStart(2)} ${lead.title}: ${reply.http} ${reply.delivery === 'pending' ? 'pending' : reply.answer}`,
        ),
      onWaiting: () => terminal.say('The buyer that was down is back; waiting for its lead'),
    },
    leads,
    seed,
  );
}
