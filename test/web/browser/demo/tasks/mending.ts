/** Buyers and what waits for them: paused, mended, tried out, resent, held, settled. */
import { expect } from '@jest/globals';
import { postUntil } from '../../../../distribution/commands/operatorFixture.js';
import { waitFor } from '../../../../support/waitFor.js';
import { buttonIn, goTo, goToRecord, idOf, twoBuyers, type Task } from './task.js';

/** Nothing becomes due by itself during a task. */
const AWAY = { status: 503, headers: { 'retry-after': '600' } };

const pause: Task = {
  title: 'pauses a buyer and sees the next lead go elsewhere',
  async prepare(stage) {
    const market = await twoBuyers(stage);
    return {
      market,
      async run(scene) {
        const { page } = scene.visit;
        await goToRecord(scene, ['Buyers', 'North']);
        await scene.hand.press(buttonIn(page, 'Pause'));
        await page.getByText('North gets no new leads.').waitFor();
      },
      async check() {
        expect((await market.post()).data?.buyer_id).toBe(idOf(market, 'South'));
      },
    };
  },
};

const resume: Task = {
  title: 'resumes a buyer and sees the next lead come back',
  async prepare(stage) {
    const market = await twoBuyers(stage);
    await stage.bed.done(market, 'update_buyer', {
      buyer_id: idOf(market, 'North'),
      status: 'paused',
    });
    return {
      market,
      async run(scene) {
        const { page } = scene.visit;
        await goToRecord(scene, ['Buyers', 'North']);
        await scene.hand.press(buttonIn(page, 'Resume'));
        await buttonIn(page, 'Pause').waitFor();
      },
      async check() {
        expect((await market.post()).data?.buyer_id).toBe(idOf(market, 'North'));
      },
    };
  },
};

const WRONG = { accept_when: { path: 'status', equals: 'ok' } };
const ANSWER = { status: 200, body: { result: 'OK', ref: 'A-1' } };

const mendRule: Task = {
  title: 'mends a wrong response rule by a pasted answer',
  async prepare(stage) {
    const market = await stage.bed.market({
      buyers: { North: { delivery: { response: WRONG }, answer: () => ANSWER } },
    });
    expect((await market.post()).data?.status).not.toBe('ACCEPTED');
    return {
      market,
      async run(scene) {
        const { hand, visit } = scene;
        const { page } = visit;
        await goToRecord(scene, ['Buyers', 'North', 'Delivery']);
        await hand.write(page.getByLabel('Body of the answer'), JSON.stringify(ANSWER.body));
        await hand.press(buttonIn(page, 'Read the answer'));
        await page.getByText('The acceptance rule does not hold').waitFor();
        const first = page.getByRole('group', { name: 'Accepted when, condition 1' });
        await hand.write(first.getByLabel('Path'), 'result');
        await hand.press(buttonIn(page, 'Read the answer'));
        await page.getByText('The acceptance rule holds').waitFor();
        await hand.press(buttonIn(page, 'Save the rules'));
        await page.getByText('The response rules were saved.').waitFor();
      },
      async check() {
        expect((await market.post()).data?.status).toBe('ACCEPTED');
      },
    };
  },
};

const tryEndpoint: Task = {
  title: "tries a buyer's endpoint",
  async prepare(stage) {
    const market = await twoBuyers(stage);
    return {
      market,
      async run(scene) {
        const { page } = scene.visit;
        await goToRecord(scene, ['Buyers', 'North', 'Delivery']);
        await scene.hand.press(buttonIn(page, 'Show the request'));
        await page.getByRole('region', { name: 'Body' }).waitFor();
      },
      check() {
        expect(market.sentTo('North')).toEqual([]);
        return Promise.resolve();
      },
    };
  },
};

const resend: Task = {
  title: 'resends what an outage left, in two steps',
  isLookedAt: true,
  async prepare(stage) {
    const market = await stage.bed.market({ buyers: { North: {} } });
    market.behave('North', () => AWAY);
    const leads = [await postUntil(market, 'parked'), await postUntil(market, 'parked')];
    market.behave('North', () => ({ status: 200 }));
    return {
      market,
      async run(scene) {
        const { page } = scene.visit;
        await goTo(scene, 'Queues');
        await scene.hand.press(buttonIn(page, 'Resend all for North'));
        const dialog = page.getByRole('dialog');
        await dialog.getByText('2 deliveries will be sent now.').waitFor();
        await scene.hand.press(buttonIn(dialog, 'Resend 2'));
        await page.getByText('2 deliveries sent again.').waitFor();
      },
      async check() {
        for (const lead of leads)
          await waitFor(async () => (await market.lead(lead)).status === 'ACCEPTED', {
            message: `${lead} is sold`,
          });
      },
    };
  },
};

const resolveUnknown: Task = {
  title: 'settles a delivery that was never answered',
  async prepare(stage) {
    const market = await stage.bed.market({ buyers: { North: {} } });
    market.behave('North', () => 'reset');
    const lead = await postUntil(market, 'unknown');
    return {
      market,
      async run(scene) {
        const { hand, visit } = scene;
        const { page } = visit;
        await hand.press(page.getByRole('link', { name: /never answered/ }));
        await hand.open(page.locator(`tr[data-key="${lead}:1"]`));
        const panel = page.getByRole('complementary', { name: 'Delivery' });
        await hand.press(buttonIn(panel, 'Mark accepted'));
        const dialog = page.getByRole('dialog');
        await hand.press(buttonIn(dialog, 'Mark accepted 1'));
        await dialog.getByText('1 delivery recorded as sold.').waitFor();
        await hand.press(buttonIn(dialog, 'Done'));
      },
      async check() {
        expect(await market.lead(lead)).toMatchObject({ status: 'ACCEPTED' });
      },
    };
  },
};

const holdQueue: Task = {
  title: 'holds a queue and releases it',
  async prepare(stage) {
    const market = await stage.bed.market({ buyers: { North: {} } });
    market.behave('North', () => AWAY);
    const lead = await postUntil(market, 'parked');
    market.behave('North', () => ({ status: 200 }));
    return {
      market,
      async run(scene) {
        const { hand, visit } = scene;
        const { page } = visit;
        await goTo(scene, 'Queues');
        await hand.press(buttonIn(page, 'More for North'));
        await hand.pick('Hold queue');
        const dialog = page.getByRole('dialog');
        await hand.press(buttonIn(dialog, /^Hold/));
        await page.getByText('Held by an operator').first().waitFor();
        await hand.press(buttonIn(page, 'Release for North'));
        await hand.press(buttonIn(dialog, /^(Release|Resend)/));
        await page.getByText('Held by an operator').first().waitFor({ state: 'detached' });
      },
      async check() {
        await waitFor(async () => (await market.lead(lead)).status === 'ACCEPTED', {
          message: 'it is sold',
        });
      },
    };
  },
};

export const MENDING: readonly Task[] = [
  pause,
  resume,
  mendRule,
  tryEndpoint,
  resend,
  resolveUnknown,
  holdQueue,
];
