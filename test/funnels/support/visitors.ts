/** Published funnels on a testbed, and visitors that submit their forms. */
import { request } from 'undici';
import {
  FunnelDefinition,
  type FunnelDefinitionInput,
} from '../../../src/funnels/rules/definition.js';
import type { FunnelDoc, FunnelVersionDoc } from '../../../src/funnels/store/funnelDocs.js';
import {
  createFunnelTokens,
  type FunnelTokens,
  type PageMode,
} from '../../../src/funnels/submit/token.js';
import { funnelKeyOf } from '../../../src/platform/security/seal.js';
import { timeOrderedId } from '../../../src/lib/ids.js';
import { TEST_SECRET, type ServiceBed } from '../../support/service.js';
import { aPerson } from '../../support/supplier.js';
import type { Market, MarketSpec, Testbed } from '../../support/testbed.js';

/** Longer ago than the shortest time that people take to fill in a page. */
const A_WHILE_MS = 60_000;

export const CONSENT = 'I agree to be called about my request.';

/** Two questions, one of which may end the visit, and a form. */
export const aDefinition = (changes: Partial<FunnelDefinitionInput> = {}): FunnelDefinition =>
  FunnelDefinition.parse({
    title: 'Solar for your home',
    blocks: [
      {
        id: 'owner',
        type: 'quiz_step',
        title: 'Do you own your home?',
        field: 'source',
        options: [
          { value: 'owner', label: 'Yes' },
          { value: 'renter', label: 'No', not_qualified: 'renters' },
          { value: 'buyer', label: 'Soon', next: 'contact' },
        ],
      },
      {
        id: 'where',
        type: 'quiz_step',
        title: 'Where is it?',
        field: 'state',
        options: [
          { value: 'CA', label: 'California' },
          { value: 'TX', label: 'Texas' },
        ],
      },
      {
        id: 'contact',
        type: 'form',
        title: 'How can we reach you?',
        fields: [
          { name: 'first_name', label: 'First name' },
          { name: 'last_name', label: 'Last name' },
          { name: 'phone', label: 'Phone' },
          { name: 'email', label: 'Email' },
        ],
      },
    ],
    consent: { text: CONSENT, purpose: 'Calls about solar', sellers: ['Acme Solar'] },
    thanks: { title: 'Thank you!' },
    no_buyer: { title: 'No company serves your area yet' },
    not_qualified_pages: [{ id: 'renters', title: 'This is for owners' }],
    ...changes,
  });

export interface Site {
  funnel: FunnelDoc;
  /** The token of a page opened a while ago. */
  token(options?: { mode?: PageMode; version?: number; agoMs?: number }): string;
  /** Publishes this definition as the next version. */
  publish(definition: FunnelDefinition): Promise<void>;
  post(form: Form, options?: PostOptions): Promise<Answer>;
}

export type Form = Record<string, string>;

export interface PostOptions {
  /** The visitor's IP address, as a proxy reports it. */
  ip?: string;
  /** Asks for JSON, like the page's script. */
  isScript?: boolean;
  headers?: Record<string, string>;
  /** Aborts the connection. */
  signal?: AbortSignal;
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** For a JSON answer. */
  json: Record<string, unknown>;
  /** The target of the visitor's redirect: the kind of an end page, or the whole URL; null without one. */
  end: string | null;
}

export const tokensAt = (agoMs: number): FunnelTokens =>
  createFunnelTokens({
    key: funnelKeyOf(TEST_SECRET),
    clock: { now: () => new Date(Date.now() - agoMs) },
  });

/** Answers of a new person, with the consent box checked. */
export function someAnswers(changes: Form = {}): Form {
  const { first_name = '', last_name = '', phone = '', email = '' } = aPerson();
  return {
    'f.source': 'owner',
    'f.state': 'CA',
    'f.first_name': first_name,
    'f.last_name': last_name,
    'f.phone': phone,
    'f.email': email,
    consent: 'yes',
    website: '',
    w: '',
    ...changes,
  };
}

let opened = 0;

/** A funnel of this market, published as version 1. */
export async function openSite(
  { collections }: Pick<ServiceBed, 'collections'>,
  url: string,
  { account }: Pick<Market, 'account'>,
  definition: FunnelDefinition = aDefinition(),
): Promise<Site> {
  const now = new Date();
  const slug = `site-${process.pid}-${++opened}`;
  const links = {
    org_id: account.orgId,
    campaign_id: account.campaignId,
    supplier_id: account.suppliers[0]?.id ?? '',
  };
  const funnel: FunnelDoc = {
    _id: `fun_${timeOrderedId()}`,
    ...links,
    name: slug,
    slug,
    template: 'quiz',
    status: 'published',
    definition,
    draft_version: 1,
    published_version: 1,
    published_draft: 1,
    published_at: now,
    created_at: now,
    updated_at: now,
  };
  const versionOf = (version: number, shown: FunnelDefinition): FunnelVersionDoc => ({
    _id: `${funnel._id}:${version}`,
    ...links,
    funnel_id: funnel._id,
    version,
    definition: shown,
    plan_version: 1,
    published_at: now,
    published_by: { kind: 'key', id: 'k', name: 'Test' },
  });
  await collections.funnelVersions.insertOne(versionOf(1, definition));
  await collections.funnels.insertOne(funnel);
  let latest = 1;
  return {
    funnel,
    token: ({ mode = 'live', version = latest, agoMs = A_WHILE_MS } = {}) =>
      tokensAt(agoMs).issueToken({ funnelId: funnel._id, version, mode }),
    async publish(next) {
      latest += 1;
      await collections.funnelVersions.insertOne(versionOf(latest, next));
      const set = { published_version: latest, definition: next, draft_version: latest };
      await collections.funnels.updateOne({ _id: funnel._id }, { $set: set });
    },
    post: (form, options) => postForm(`${url}/f/${slug}`, form, options),
  };
}

/** A market, and a funnel that sends its leads there. */
export async function openVisited(
  testbed: Testbed,
  spec?: MarketSpec,
  definition?: FunnelDefinition,
): Promise<Market & { site: Site }> {
  const market = await testbed.market(spec);
  return Object.assign(market, { site: await openSite(testbed, testbed.url, market, definition) });
}

export async function postForm(
  address: string,
  form: Form,
  { ip, isScript = false, headers = {}, signal }: PostOptions = {},
): Promise<Answer> {
  const reply = await request(address, {
    method: 'POST',
    signal,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: isScript ? 'application/json' : 'text/html',
      'user-agent': 'A browser',
      ...(ip === undefined ? {} : { 'x-forwarded-for': ip }),
      ...headers,
    },
    body: new URLSearchParams(form).toString(),
  });
  const text = await reply.body.text();
  const location = reply.headers.location;
  return {
    status: reply.statusCode,
    headers: reply.headers,
    text,
    json: isScript ? (JSON.parse(text) as Record<string, unknown>) : {},
    end: typeof location === 'string' ? endIn(location) : null,
  };
}

function endIn(location: string): string {
  const signed = /\/done\?s=(.+)$/.exec(location)?.[1];
  return signed === undefined ? location : (tokensAt(0).readEnd(signed)?.outcome ?? 'invalid');
}
