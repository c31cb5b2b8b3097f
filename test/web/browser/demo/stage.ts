/** The demo as `npm start` makes it: its account with leads, its buyers, and the link that opens the console. */
import { ensureDemoAccount, type DemoAccount } from '../../../../src/demo/account.js';
import { startDemoBuyer } from '../../../../src/demo/buyer.js';
import { demoConsoleUrl, ensureDemoPerson } from '../../../../src/demo/console.js';
import { ensureDemoScene } from '../../../../src/demo/scene.js';
import { systemClock } from '../../../../src/lib/clock.js';
import {
  describeOnStage,
  type Look,
  type OpenVisit,
  type Visit,
} from '../../../support/browser.js';
import { startTestbed, type Testbed } from '../../../support/testbed.js';

export interface Stage {
  bed: Testbed;
  account: DemoAccount;
  open: OpenVisit;
  /** Opens the link that the start prints, in a browser that has never been here. */
  openLink(look?: Partial<Look>): Promise<Visit>;
  /** The same, and the button on it: the console, signed in. */
  enter(look?: Partial<Look>): Promise<Visit>;
}

export const onDemoStage = (title: string, body: (stage: () => Stage) => void): void =>
  describeOnStage(title, build, body, BUILT_WITHIN_MS);

/** Each lead of the week is decided by the code of the service, one after the other. */
const BUILT_WITHIN_MS = 180_000;

async function build(open: OpenVisit): Promise<Stage> {
  const bed = await startTestbed({ own: true });
  const buyer = await startDemoBuyer();
  bed.onStop(() => buyer.stop());
  const { collections, keyring } = bed;
  const policy = { allowPrivate: true, mail: false, sheets: false };
  const deps = { collections, keyring, policy, clock: systemClock };
  const account = await ensureDemoAccount(deps, (name) => buyer.url(name), null);
  await ensureDemoPerson(deps, null);
  await ensureDemoScene(deps, account);
  const openLink = async (look: Partial<Look> = {}): Promise<Visit> => {
    const link = await demoConsoleUrl(deps, bed.url);
    if (link === null) throw new Error('The demo has no person');
    const visit = await open({ url: bed.url, ...look });
    await visit.page.goto(link);
    return visit;
  };
  return {
    bed,
    account,
    open,
    openLink,
    async enter(look) {
      const visit = await openLink(look);
      await visit.page.getByRole('button', { name: 'Open the console' }).click();
      await visit.page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
      return visit;
    },
  };
}
