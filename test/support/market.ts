/** An account on a testbed: a campaign whose buyers answer as a test says, and the supplier that posts to it. */
import type { WorkflowHandle } from '@temporalio/client';
import type { DeliveryInput } from '../../src/account/buyers/delivery.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import type { CapDoc } from '../../src/routing/store/capDocs.js';
import type { Store } from '../../src/app/database.js';
import type { Keyring } from '../../src/platform/security/seal.js';
import { destinationId } from '../../src/platform/temporal/names.js';
import type { Service } from '../../src/app/service.js';
import { createAccount, type AccountSpec, type TestAccount } from './account.js';
import {
  startFakeBuyer,
  YES,
  type Behavior,
  type BuyerRequest,
  type FakeBuyer,
} from './fakeBuyer.js';
import { leadReader, type LeadReader } from './leadReader.js';
import { supplierOf, type Answer, type Supplier } from './supplier.js';

/**
 * The delivery of buyers that many leads are sent to at once: the service waits for their answers however busy the
 * machine is. An answer that comes after the usual five seconds leaves its lead undecided for an hour.
 */
export const PATIENT = { timeout_ms: 30_000 } satisfies Partial<DeliveryInput>;

export type BuyerAnswer = (request: BuyerRequest) => Behavior;

/** A buyer of a market: its terms, and its delivery where that is not a webhook to the fake buyer. */
export interface BuyerSpec extends Omit<AccountSpec['buyers'][string], 'delivery'> {
  delivery?: Partial<DeliveryInput>;
  /** Default: accepts everything. */
  answer?: BuyerAnswer;
}

/** Like an account; default: one buyer `only`, which accepts everything. */
export interface MarketSpec extends Omit<AccountSpec, 'buyers'> {
  buyers?: Record<string, BuyerSpec>;
}

export interface Market extends LeadReader {
  account: TestAccount;
  supplier: Supplier;
  /** Posts a valid lead with these fields; `id` is empty when the service accepted none. */
  post: (...request: Parameters<Supplier['post']>) => Promise<Answer & { id: string }>;
  /** The requests that a buyer of this account, by name, received. */
  sentTo: (buyer: string) => BuyerRequest[];
  /** Sets how a buyer of this account, by name, answers from now on. */
  behave: (buyer: string, answer: BuyerAnswer) => void;
  /** Every lead of the account's campaign. */
  leads: () => Promise<Lead[]>;
  /** The counters of a buyer, by name. */
  cap: (buyer: string) => Promise<CapDoc | null>;
  /** The workflow that drains the queue of a buyer, by name. */
  drainOf: (buyer: string) => WorkflowHandle;
}

export interface Markets {
  /** The server that stands for every buyer. */
  server: FakeBuyer;
  open(spec?: MarketSpec): Promise<Market>;
  stop(): Promise<void>;
}

interface MarketsDeps {
  collections: Store['collections'];
  keyring: Keyring;
  /** The service that leads are posted to; called when one is needed. */
  service: () => Service & { url: string };
}

/** One server stands for the buyers of all markets, each with a path of its own. */
export async function startMarkets({
  collections,
  keyring,
  service,
}: MarketsDeps): Promise<Markets> {
  const answers = new Map<string, BuyerAnswer>();
  const server = await startFakeBuyer((request) => answers.get(request.path)?.(request) ?? YES);
  const reader = leadReader(collections);
  const suppliers: Supplier[] = [];
  let opened = 0;

  /** The settings of each buyer; a buyer without a delivery gets a path of the server. */
  const settingsOf = (base: string, buyers: Record<string, BuyerSpec>): AccountSpec['buyers'] =>
    Object.fromEntries(
      Object.entries(buyers).map(([name, { answer, delivery, ...terms }]) => {
        if (answer) answers.set(`${base}/${name}`, answer);
        const usual =
          (delivery?.method ?? 'WEBHOOK') === 'WEBHOOK'
            ? { url: `${server.url}${base}/${name}` }
            : {};
        return [name, { ...terms, delivery: { ...usual, ...delivery } }];
      }),
    );

  return {
    server,
    async open({ buyers = { only: {} }, ...spec } = {}) {
      const base = `/${++opened}`;
      const account = await createAccount(
        { collections, keyring },
        { ...spec, buyers: settingsOf(base, buyers) },
      );
      let supplier: Supplier | undefined;
      const theSupplier = (): Supplier => {
        if (supplier) return supplier;
        supplier = supplierOf(service().url, account);
        suppliers.push(supplier);
        return supplier;
      };
      const idOf = (buyer: string): string => account.buyers[buyer] ?? '';
      return {
        ...reader,
        account,
        get supplier() {
          return theSupplier();
        },
        async post(...request) {
          const answer = await theSupplier().post(...request);
          return { ...answer, id: answer.data?.id ?? '' };
        },
        sentTo: (buyer) => server.requests.filter(({ path }) => path === `${base}/${buyer}`),
        behave: (buyer, answer) => void answers.set(`${base}/${buyer}`, answer),
        leads: () => collections.leads.find({ campaign_id: account.campaignId }).toArray(),
        cap: (buyer) =>
          collections.caps.findOne({ _id: `buyer:${account.campaignId}:${idOf(buyer)}` }),
        drainOf: (buyer) => service().deps.client.workflow.getHandle(destinationId(idOf(buyer))),
      };
    },
    async stop() {
      await Promise.all(suppliers.map((supplier) => supplier.close()));
      await server.stop();
    },
  };
}
