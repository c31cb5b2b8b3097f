/** The demo account as a list of actions, for any surface to run, and an account described by its terms alone. */
import { CAP_KEYS } from '../../../src/account/capsSchema.js';
import { pickDefined, withoutKeys } from '../../../src/lib/defined.js';
import type { ActionName } from '../../../src/api/actions/names.js';
import { DEMO_BUYER_NAMES, DEMO_CAMPAIGNS, DEMO_SUPPLIERS } from '../../../src/demo/names.js';
import {
  BUYER_LINKS,
  CAMPAIGNS,
  PING_TIMEOUT_MS,
  PINGED_BUYER,
  PINGED_FIELDS,
  SUPPLIER_LINKS,
} from '../../../src/demo/terms.js';

/** Runs an action on some surface, and returns its `data`. */
export type CallAction = (action: ActionName, input: object) => Promise<unknown>;

type Named = Record<string, unknown> & { id: string; name: string };

const pingOf = (url: string) => ({
  url: `${url}/ping`,
  fields: PINGED_FIELDS,
  timeout_ms: PING_TIMEOUT_MS,
});

/** 26 writes: one key may send them within a minute. */
export async function makeDemoAccount(
  call: CallAction,
  buyerUrl: (key: string) => string,
): Promise<void> {
  const made = async (action: ActionName, input: object) =>
    ((await call(action, input)) as Named).id;
  const buyers: Record<string, string> = {};
  for (const [key, name] of Object.entries(DEMO_BUYER_NAMES)) {
    const buyer_id = await made('create_buyer', { name });
    const delivery = { method: 'WEBHOOK', url: buyerUrl(key), honours_idempotency_key: true };
    await call('set_buyer_delivery', { buyer_id, ...delivery });
    if (key === PINGED_BUYER) await call('set_buyer_ping', { buyer_id, ...pingOf(buyerUrl(key)) });
    buyers[key] = buyer_id;
  }
  const suppliers: Record<string, string> = {};
  for (const [key, name] of Object.entries(DEMO_SUPPLIERS)) {
    suppliers[key] = await made('create_supplier', { name });
  }
  for (const [key, name] of Object.entries(DEMO_CAMPAIGNS)) {
    const campaign = key as keyof typeof DEMO_CAMPAIGNS;
    const { ping, ...settings } = CAMPAIGNS[campaign];
    const campaign_id = await made('create_campaign', { name, ...settings });
    if (ping) await call('configure_ping_post', { campaign_id, ...ping });
    for (const [buyer, terms] of Object.entries(BUYER_LINKS[campaign])) {
      const ids = { campaign_id, buyer_id: buyers[buyer] };
      await call('add_buyer_to_campaign', { ...ids, ...terms });
    }
    for (const [supplier, terms] of Object.entries(SUPPLIER_LINKS[campaign])) {
      const ids = { campaign_id, supplier_id: suppliers[supplier] };
      await call('add_supplier_to_campaign', { ...ids, ...terms });
    }
  }
}

/** The same as a file for `leadwire apply`. */
export const demoAccountFile = (buyerUrl: (key: string) => string): object => ({
  version: 1,
  campaigns: Object.entries(DEMO_CAMPAIGNS).map(([key, name]) => {
    const campaign = key as keyof typeof DEMO_CAMPAIGNS;
    return {
      name,
      ...CAMPAIGNS[campaign],
      suppliers: Object.entries(SUPPLIER_LINKS[campaign]).map(([supplier, terms]) => ({
        supplier: DEMO_SUPPLIERS[supplier as keyof typeof DEMO_SUPPLIERS],
        ...terms,
      })),
      buyers: Object.entries(BUYER_LINKS[campaign]).map(([buyer, terms]) => ({
        buyer: DEMO_BUYER_NAMES[buyer as keyof typeof DEMO_BUYER_NAMES],
        ...withoutKeys(terms, CAP_KEYS),
        caps: pickDefined(terms, CAP_KEYS),
      })),
    };
  }),
  suppliers: Object.values(DEMO_SUPPLIERS).map((name) => ({ name })),
  buyers: Object.entries(DEMO_BUYER_NAMES).map(([key, name]) => ({
    name,
    delivery: { url: buyerUrl(key), honours_idempotency_key: true },
    ...(key === PINGED_BUYER ? { ping: pingOf(buyerUrl(key)) } : {}),
  })),
});

/** All readable data of an account except its keys: names replace ids, and times and counts of changes are left out. */
export async function describeAccount(call: CallAction): Promise<Record<string, unknown>> {
  const rows = async (action: ActionName) => (await call(action, {})) as Named[];
  const campaigns = await rows('list_campaigns');
  const buyers = await rows('list_buyers');
  const suppliers = await rows('list_suppliers');
  const names = new Map([...campaigns, ...buyers, ...suppliers].map(({ id, name }) => [id, name]));
  const each = async (found: Named[], action: ActionName, key: string) => {
    const shown: unknown[] = [];
    for (const { id } of byName(found)) shown.push(await call(action, { [key]: id }));
    return shown;
  };
  const account = {
    campaigns: await each(campaigns, 'get_campaign', 'campaign_id'),
    buyers: await each(buyers, 'get_buyer', 'buyer_id'),
    suppliers: await each(suppliers, 'get_supplier', 'supplier_id'),
    suppressions: await call('list_suppressions', {}),
  };
  return termsOf(account, names) as Record<string, unknown>;
}

const HISTORY = ['created_at', 'updated_at', 'version'];

function termsOf(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (Array.isArray(value)) {
    const items = value.every(isNamed) ? byName(value) : value;
    return items.map((item) => termsOf(item, names));
  }
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !HISTORY.includes(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, termsOf(inner, names)]));
}

const isNamed = (value: unknown): value is Named =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';

const byName = <T extends { name: string }>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
