/** The common part of `up --demo` and `demo`: the demo buyer and the demo account next to a running service. */
import { outboundPolicy } from '../../src/app/outboundPolicy.js';
import type { Running } from '../stack/boot.js';
import type { Environment } from '../output/paint.js';
import { ensureDemoAccount, lastDemoBuyerPort, type DemoAccount } from '../../src/demo/account.js';
import { ensureDemoPerson, type DemoSignIn } from '../../src/demo/console.js';
import { ensureDemoScene } from '../../src/demo/scene.js';
import { createTerminalReporter } from '../../src/embedded/terminalReporter.js';
import type { StopSignal } from '../terminal/stopSignal.js';
import type { Terminal } from '../terminal/terminal.js';
import { startDemoBuyer, type DemoBuyer } from '../../src/demo/buyer.js';
import { ensureDemoFunnel } from '../../src/demo/funnel.js';
import { liveUrl } from '../../src/funnels/address.js';
import { readDemoFile, writeDemoFile } from '../../src/demo/file.js';

export interface DemoSetup {
  buyer: DemoBuyer;
  account: DemoAccount;
  /** How a person signs in; null: the password is not known here. */
  signIn: DemoSignIn | null;
  /** Address of the demo funnel; null: it is offline. */
  funnelUrl: string | null;
}

/**
 * The settings of a demo: deliveries may be sent to this machine, where the demo buyers are, and the log contains
 * only faults, unless its level is set.
 */
export const demoEnvironment = (environment: Environment): Environment => ({
  ...environment,
  OUTBOUND_ALLOW_PRIVATE: 'true',
  LOG_LEVEL: environment.LOG_LEVEL ? environment.LOG_LEVEL : 'warn',
});

export const PRIVATE_NOTICE =
  'OUTBOUND_ALLOW_PRIVATE is on: deliveries, and addresses that are saved, may be on this machine. Only for trying out.';

/** Starts the demo buyer, makes or finds the account, and writes `demo.json`. */
export async function setUpDemo(running: Running): Promise<DemoSetup> {
  const { record, config, stack } = running;
  const { collections, keyring } = record;
  const buyer = await startDemoBuyer(await lastDemoBuyerPort(collections));
  try {
    const known = await readDemoFile(config.home);
    const account = await ensureDemoAccount(
      { collections, keyring, policy: outboundPolicy(config) },
      (name) => buyer.url(name),
      known,
    );
    const signIn = await ensureDemoPerson(record, known?.sign_in?.password ?? null);
    buyer.agree(account.campaigns);
    const slug = await ensureDemoFunnel(record, account);
    const funnelUrl = slug === null ? null : liveUrl(config.funnels.url ?? running.baseUrl, slug);
    await writeDemoFile(config.home, {
      base_url: running.baseUrl,
      ingest_url: running.ingestUrl,
      temporal_ui_url: stack.temporalUiUrl,
      temporal_address: stack.temporalAddress,
      mongodb_uri: stack.mongodbUri,
      org_api_key: account.org_api_key,
      read_only_api_key: account.read_only_api_key,
      supplier: account.suppliers.web,
      campaigns: {
        direct_post_id: account.campaigns.direct,
        ping_post_id: account.campaigns.pingPost,
      },
      buyer: account.buyers.premier,
      sign_in: signIn,
    });
    return { buyer, account, signIn, funnelUrl };
  } catch (error) {
    await buyer.stop();
    throw error;
  }
}

/** Leads to look at: a week of them at the first start, and some of today. Ends early when the stop is requested. */
export async function fillDemo(
  { host }: Terminal,
  { record, config }: Running,
  { setup, stop }: { setup: DemoSetup; stop: StopSignal },
): Promise<void> {
  const reporter = createTerminalReporter(host.stderr);
  reporter.start('Filling the demo account with leads');
  try {
    await ensureDemoScene({ ...record, policy: outboundPolicy(config) }, setup.account, {
      onLead: (done, total) => reporter.progress(`${done} of ${total}`),
      isStopped: stop.isRequested,
    });
    reporter.done('The demo account has leads');
  } catch (error) {
    reporter.fail('The demo account could not be filled with leads');
    throw error;
  }
}
