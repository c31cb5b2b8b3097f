/**
 * Every template in every language, from `create_funnel` to the end of a visit, by a client that knows only HTML.
 * All walk at the same time: each reads its page for three seconds, as the service expects of people.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import type { FunnelDefinition } from '../../../src/funnels/rules/definition.js';
import { TEMPLATE_NAMES } from '../../../src/funnels/rules/templates/names.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { openFunnelMaker, type FunnelMaker, type FunnelWanted } from '../../support/funnels.js';
import {
  createHtmlVisitor,
  fillIn,
  type HtmlPage,
  type Person,
} from '../../support/html/htmlVisitor.js';
import { descendants, find, isWithin } from '../../support/html/parseHtml.js';
import { aDefinition } from '../../funnels/support/visitors.js';
import { startTestbed, type Market, type Testbed } from '../../support/testbed.js';

const LANGUAGES = ['en', 'es'] as const;
/** How often each funnel is walked; each walk chooses another option of each question. */
const WALKS = 3;
const READING_MS = 3_100;

interface Walked {
  page: HtmlPage;
  end: HtmlPage;
  person: Person;
}

interface WalkedFunnel {
  id: string;
  definition: FunnelDefinition;
  walks: Walked[];
}

const CASES = TEMPLATE_NAMES.flatMap((template) =>
  LANGUAGES.map((language) => [template, language] as const),
);

let bed: Testbed;
let market: Market;
const walked = new Map<string, WalkedFunnel>();
let branching: WalkedFunnel;

beforeAll(async () => {
  bed = await startTestbed({ settings: { TRUST_PROXY: 'true' } });
  market = await bed.market();
  const maker = await openFunnelMaker(bed.url, bed.collections, market.account);
  await Promise.all([
    ...CASES.map(async ([template, language], index) => {
      const name = `${template} ${language}`;
      walked.set(name, await walkFunnel(maker, { name, template, language }, index));
    }),
    walkFunnel(maker, { name: 'branches', definition: aDefinition() }, CASES.length).then(
      (found) => (branching = found),
    ),
  ]);
}, 120_000);
afterAll(() => bed.stop());

describe.each(CASES)('a published %s in %s', (template, language) => {
  const funnel = (): WalkedFunnel => {
    const found = walked.get(`${template} ${language}`);
    if (!found) throw new Error('It was not walked');
    return found;
  };

  it('leads each walk to its thank-you page, without a script, a cookie or another host', () => {
    for (const { page, end } of funnel().walks) {
      expect(page.status).toBe(200);
      expect(find(page.document, 'html')?.attributes.get('lang')).toBe(language);
      expect(page.headers.get('set-cookie')).toBeNull();
      expect(foreignAddresses(page)).toEqual([]);
      expect(end.status).toBe(200);
      expect(end.heading).toBe(funnel().definition.thanks.title);
    }
  });

  it('creates one lead for each walk, sold to the buyer, with its consent', async () => {
    const { walks, definition, id } = funnel();
    for (const { person } of walks) {
      const [lead, ...others] = await leadsOf(person);
      expect(others).toEqual([]);
      await bed.becomes(lead?._id, 'ACCEPTED');
      expect(lead?.origin).toMatchObject({ funnel_id: id, version: 1 });
      const consent = await bed.collections.consents.findOne({ _id: lead?.origin?.consent_id });
      expect(consent).toMatchObject({ text: definition.consent.text, language, ticked: true });
      expect(market.sentTo('only').filter(({ leadId }) => leadId === lead?._id)).toHaveLength(1);
    }
  });
});

it('a walk ends at the page of an answer that does not qualify, without a lead', async () => {
  const { definition, walks } = branching;
  const [renters] = definition.not_qualified_pages;
  const { title } = definition.thanks;
  expect(walks.map(({ end }) => end.heading)).toEqual([title, renters?.title, title]);
  const leads = await Promise.all(walks.map(({ person }) => leadsOf(person)));
  expect(leads.map(({ length }) => length)).toEqual([1, 0, 1]);
});

const leadsOf = ({ email }: Person): Promise<Lead[]> =>
  bed.collections.leads.find({ keys: `email:${email}` }).toArray();

async function walkFunnel(
  maker: FunnelMaker,
  wanted: Omit<FunnelWanted, 'slug'>,
  index: number,
): Promise<WalkedFunnel> {
  const slug = wanted.name.replace(/[^a-z]/g, '-');
  const { id, url } = await maker.publish({ ...wanted, slug });
  const { definition } = await maker.act<{ definition: FunnelDefinition }>('get_funnel', {
    funnel_id: id,
  });
  const walks = Array.from({ length: WALKS }, (_, n) => walk(url, index * WALKS + n, n));
  return { id, definition, walks: await Promise.all(walks) };
}

/** @param chosen which option of each question */
async function walk(url: string, n: number, chosen: number): Promise<Walked> {
  const visitor = createHtmlVisitor({ 'x-forwarded-for': `10.1.0.${n + 1}` });
  const person = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: `walker.${n}@example.com`,
    phone: `555201${String(1_000 + n)}`,
    zip: '90210',
  };
  const page = await visitor.open(url);
  await delay(READING_MS);
  const values = page.form
    ? fillIn(page.form, person, (_, options) => options[chosen % options.length] ?? '')
    : [];
  return { page, person, end: await visitor.submit(page, values) };
}

/** Everything that a browser would load with the page from other hosts, except videos that wait to be played. */
const foreignAddresses = ({ document, url }: HtmlPage): string[] =>
  descendants(document)
    .filter((one) => !isWithin(one, ({ attributes }) => attributes.get('preload') === 'none'))
    .flatMap(({ name, attributes }) => [
      attributes.get('src'),
      name === 'link' ? attributes.get('href') : undefined,
    ])
    .filter((address): address is string => address !== undefined && !address.startsWith('data:'))
    .filter((address) => new URL(address, url).origin !== new URL(url).origin);
