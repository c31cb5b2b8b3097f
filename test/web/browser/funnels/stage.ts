/** A published funnel on an account whose buyer answers, and visitors with browsers. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { createOrgKey, permissionsOf } from '../../../../src/account/keys/keys.js';
import type { ActionName } from '../../../../src/api/actions/names.js';
import type { Deps } from '../../../../src/app/deps.js';
import { createFunnelTokens } from '../../../../src/funnels/submit/token.js';
import { funnelKeyOf } from '../../../../src/platform/security/seal.js';
import type { FunnelDefinitionInput } from '../../../../src/funnels/rules/definition.js';
import type { Lead } from '../../../../src/leads/rules/lead.js';
import { send } from '../../../support/http.js';
import { TEST_SECRET } from '../../../support/service.js';
import { aPerson } from '../../../support/supplier.js';
import {
  startTestbed,
  type Market,
  type MarketSpec,
  type Testbed,
} from '../../../support/testbed.js';
import { waitFor } from '../../../support/waitFor.js';
import {
  describeOnStage,
  type Look,
  type OpenVisit,
  type Visit,
} from '../../../support/browser.js';
import { tabTo } from '../../../support/keyboard.js';
import { accountOf } from '../../../support/org.js';

export const TEMPLATES = ['lead_form', 'quiz', 'appointment', 'vsl'] as const;
export type Template = (typeof TEMPLATES)[number];
export type Language = 'en' | 'es';

export interface Funnel {
  id: string;
  /** `/f/{slug}` */
  path: string;
  slug: string;
  embedCode: string;
}

export interface FunnelSpec {
  template?: Template;
  language?: Language;
  /** Changes the template's definition before it is published. */
  change?: (definition: Definition) => Definition;
}
export type Definition = FunnelDefinitionInput;

export interface Stage {
  bed: Testbed;
  market: Market;
  /** A published funnel of its own. */
  funnel(spec?: FunnelSpec): Promise<Funnel>;
  act<T>(action: ActionName, input: object): Promise<T>;
  /** A browser that has opened the funnel. */
  visit(funnel: Pick<Funnel, 'path'>, look?: Partial<Look>): Promise<Visit>;
  open: OpenVisit;
}

/** Tests with an environment of their own; `stage()` returns it once a test runs. */
export const onStage = (
  title: string,
  body: (stage: () => Stage) => void,
  spec: MarketSpec = {},
): void => describeOnStage(title, (open) => build(open, spec), body);

/** Free at this moment. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Longer than the three seconds within which only a bot submits. */
const READ_MS = 4_000;

/** The pages of funnels are as old as if their visitors had read them: nobody waits before the submit. */
function withAgedPages(deps: Deps): Deps {
  const aged = createFunnelTokens({
    key: funnelKeyOf(TEST_SECRET),
    clock: { now: () => new Date(Number(deps.clock.now()) - READ_MS) },
  });
  return {
    ...deps,
    funnelTokens: { ...deps.funnelTokens, issueToken: (page) => aged.issueToken(page) },
  };
}

async function build(open: OpenVisit, spec: MarketSpec): Promise<Stage> {
  // Certificates of consent need an origin that is the funnels' own.
  const PORT = String(await freePort());
  const FUNNELS_URL = `http://127.0.0.1:${PORT}`;
  const bed = await startTestbed({ settings: { PORT, FUNNELS_URL }, alter: withAgedPages });
  const market = await bed.market({ buyers: { Northern: { price: 25 } }, ...spec });
  const { orgId, campaignId, suppliers } = market.account;
  const { api_key } = await createOrgKey(accountOf(bed, orgId), {
    name: 'Tests',
    permissions: permissionsOf('write'),
  });

  async function act<T>(action: ActionName, input: object): Promise<T> {
    const { status, json, text } = await send(`${bed.url}/api/v1/actions/${action}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    if (status !== 200) throw new Error(`${action}: ${status} ${text}`);
    return json?.data as T;
  }

  let made = 0;
  return {
    bed,
    market,
    act,
    open,
    async funnel({ template = 'lead_form', language = 'en', change } = {}) {
      made += 1;
      const created = await act<{ id: string; definition: Definition }>('create_funnel', {
        template,
        language,
        campaign_id: campaignId,
        supplier_id: suppliers[0]?.id,
        name: `${template} ${language} ${made}`,
      });
      const funnel_id = created.id;
      if (change) await act('update_funnel', { funnel_id, definition: change(created.definition) });
      const published = await act<{ live_url: string; embed_code: string }>('publish_funnel', {
        funnel_id,
      });
      const path = new URL(published.live_url).pathname;
      const slug = path.replace('/f/', '');
      return { id: funnel_id, path, slug, embedCode: published.embed_code };
    },
    async visit({ path }, look = {}) {
      const visit = await open({ url: bed.url, ...look });
      await visit.page.goto(path);
      return visit;
    },
  };
}

/** The lead of this person, once a buyer has it. */
export const soldTo = async ({ market }: Stage, email: string): Promise<Lead> =>
  waitFor(async () => {
    const leads = await market.leads();
    const lead = leads.find(({ fields }) => fields.email === email);
    return lead?.status === 'ACCEPTED' ? lead : undefined;
  });

/** The ways in which a visitor operates controls; each leaves the step when it is done. */
export interface Hand {
  choose(option: Locator): Promise<void>;
  write(input: Locator, text: string): Promise<void>;
  select(list: Locator, value: string): Promise<void>;
  tick(box: Locator): Promise<void>;
  press(button: Locator): Promise<void>;
}

export const pointer: Hand = {
  choose: (option) => option.locator('xpath=..').click(),
  write: (input, text) => input.fill(text),
  async select(list, value) {
    await list.selectOption(value);
  },
  tick: (box) => box.check(),
  press: (button) => button.click(),
};

/** Only Tab, arrows, letters, Space and Enter. */
export const keyboardOf = (page: Page): Hand => {
  const at = async (target: Locator, key: string): Promise<void> => {
    await tabTo(page, target);
    await page.keyboard.press(key);
  };
  return {
    choose: (option) => at(option, 'Space'),
    async write(input, text) {
      await tabTo(page, input);
      await page.keyboard.type(text);
    },
    async select(list, value) {
      const label = await list.locator(`option[value="${value}"]`).textContent();
      await tabTo(page, list);
      await page.keyboard.type(label ?? value);
    },
    tick: (box) => at(box, 'Space'),
    press: (button) => at(button, 'Enter'),
  };
};

export interface Visitor {
  first_name: string;
  last_name: string;
  phone: string;
  email: string;
  state: string;
}
export const aVisitor = (): Visitor => aPerson() as unknown as Visitor;

/** The text that this visitor types: by the field's name, otherwise by the kind of its value. */
function textFor(visitor: Visitor, field: string, kind: string | null): string {
  if (field === 'full_name') return `${visitor.first_name} ${visitor.last_name}`;
  const own = Object.entries(visitor).find(([name]) => name === field);
  if (own) return String(own[1]);
  const byKind = new Map([
    ['phone', '5552013344'],
    ['email', visitor.email],
    ['zip', '90210'],
    ['date', '2027-03-04'],
    ['number', '12'],
    ['url', 'https://example.com'],
  ]);
  return byKind.get(kind ?? '') ?? 'As written';
}

/** Answers all questions of a step, in order. */
export async function answer(step: Locator, visitor: Visitor, hand: Hand): Promise<void> {
  const names = await step
    .locator('[name^="f."]')
    .evaluateAll((inputs) => [
      ...new Set(inputs.map((input) => (input as unknown as { name: string }).name)),
    ]);
  for (const name of names) {
    const first = step.locator(`[name="${name}"]`).first();
    const type = await first.evaluate((input) => (input as unknown as { type: string }).type);
    if (type === 'radio') {
      const fitting = step.locator(`[name="${name}"]:not([data-end])`).first();
      await hand.choose(fitting);
      continue;
    }
    const field = name.replace(/^f\./, '');
    if (type === 'select-one') {
      const value = field === 'state' ? visitor.state : await firstValue(first);
      await hand.select(first, value);
      continue;
    }
    await hand.write(first, textFor(visitor, field, await first.getAttribute('data-check')));
  }
  const box = step.locator('[name="consent"]');
  if ((await box.count()) > 0) await hand.tick(box);
}

const firstValue = async (list: Locator): Promise<string> =>
  (await list.locator('option:not([value=""])').first().getAttribute('value')) ?? '';

/** The visible step. */
export const currentStep = (page: Pick<Page, 'locator'>): Locator =>
  page.locator('fieldset.step.is-current');

/**
 * Walks the funnel to its end, and submits.
 * @param within the frame that contains it; default: the page itself
 */
export async function walk(
  page: Page,
  visitor: Visitor,
  hand: Hand,
  onStep: (step: Locator) => Promise<void> = () => Promise.resolve(),
  within: Pick<Page, 'locator'> = page,
): Promise<string[]> {
  const way: string[] = [];
  for (;;) {
    const id = (await currentStep(within).getAttribute('data-step')) ?? '';
    const step = within.locator(`#step-${id}`);
    way.push(id);
    await onStep(step);
    await answer(step, visitor, hand);
    if ((await step.locator('.submit').count()) > 0) {
      await hand.press(step.locator('.submit'));
      return way;
    }
    // A click on an answer moves on to the next step by itself.
    if (await isCurrent(step)) await hand.press(step.locator('.next'));
    await waitFor(async () => !(await isCurrent(step)));
  }
}

/** Fills in the long form of a page without scripts, from its first question to its button. */
export async function fillInWhole(page: Page, visitor: Visitor): Promise<void> {
  for (const step of await page.locator('fieldset.step').all()) {
    if (!(await step.isVisible())) throw new Error('A step is not shown');
    await answer(step, visitor, pointer);
  }
  await page.locator('#lw-submit').click();
}

const isCurrent = async (step: Locator): Promise<boolean> =>
  / is-current\b/.test((await step.getAttribute('class')) ?? '');

/** The heading of the end page. */
export const end = (page: Pick<Page, 'locator'>): Locator => page.locator('main .result h1');
