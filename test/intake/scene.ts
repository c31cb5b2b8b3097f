/** The whole service, one server that stands for every buyer, and an account per test. */
import type { DeliveryInput } from '../../src/account/buyers/delivery.js';
import type { Deps } from '../../src/app/deps.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import type { DeliveryDoc } from '../../src/deliveries/store/deliveryDoc.js';
import { createAccount, type AccountSpec, type TestAccount } from '../support/account.js';
import {
  startFakeBuyer,
  YES,
  type Behaviour,
  type BuyerRequest,
  type FakeBuyer,
} from '../support/fakeBuyer.js';
import type { Service } from '../../src/app/service.js';
import { startTestBed, type TestBed } from '../support/service.js';
import { supplierOf, type Answer, type Supplier } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';

type Terms = Omit<AccountSpec['buyers'][string], 'delivery'>;
type BuyerSpec = Terms & {
  delivery?: Partial<DeliveryInput>;
  /** Default: yes to everything. */
  answer?: (request: BuyerRequest) => Behaviour;
};

export interface Market {
  account: TestAccount;
  post: Supplier['post'];
  /** What a buyer of this account, by name, was sent. */
  sentTo: (buyer: string) => BuyerRequest[];
  /** Every lead of the account's campaign. */
  leads: () => Promise<Lead[]>;
}

export interface Scene {
  bed: TestBed;
  service: Service;
  buyer: FakeBuyer;
  url: string;
  /** An account of its own, whose buyers answer as told. */
  market(
    spec?: Omit<AccountSpec, 'buyers'> & { buyers?: Record<string, BuyerSpec> },
  ): Promise<Market>;
  lead(id: string | undefined): Promise<Lead>;
  rows(leadId: string | undefined): Promise<DeliveryDoc[]>;
  /** Waits until the lead has come to this. */
  becomes(leadId: string | undefined, status: Lead['status']): Promise<Lead>;
  stop(): Promise<void>;
}

export async function startScene(
  env: Record<string, string> = {},
  alter?: (deps: Deps) => Deps,
): Promise<Scene> {
  const answers = new Map<string, (request: BuyerRequest) => Behaviour>();
  const bed = await startTestBed();
  const buyer = await startFakeBuyer((request) => answers.get(request.path)?.(request) ?? YES);
  const service = await bed.start('all', env, alter ? { alter } : {});
  const { url } = service;
  const suppliers: Supplier[] = [];
  let markets = 0;

  const lead = async (id = ''): Promise<Lead> => {
    const found = await bed.collections.leads.findOne({ _id: id });
    if (!found) throw new Error(`There is no lead "${id}"`);
    return found;
  };
  return {
    bed,
    service,
    buyer,
    url,
    lead,
    async market({ buyers = { only: {} }, ...spec } = {}) {
      const base = `/${++markets}`;
      const withUrls = Object.entries(buyers).map(([name, { answer, delivery, ...terms }]) => {
        if (answer) answers.set(`${base}/${name}`, answer);
        return [name, { ...terms, delivery: { url: `${buyer.url}${base}/${name}`, ...delivery } }];
      });
      const account = await createAccount(bed, {
        ...spec,
        buyers: Object.fromEntries(withUrls) as AccountSpec['buyers'],
      });
      const supplier = supplierOf(url, account);
      suppliers.push(supplier);
      return {
        account,
        post: (fields, options) => supplier.post(fields, options),
        sentTo: (name) => buyer.requests.filter(({ path }) => path === `${base}/${name}`),
        leads: () => bed.collections.leads.find({ campaign_id: account.campaignId }).toArray(),
      };
    },
    rows: (leadId = '') =>
      bed.collections.deliveries.find({ lead_id: leadId }).sort({ n: 1 }).toArray(),
    async becomes(leadId, status) {
      const reached = async () => (await lead(leadId)).status === status;
      await waitFor(reached, { message: `lead ${leadId} is ${status}` });
      return lead(leadId);
    },
    async stop() {
      await Promise.all(suppliers.map((supplier) => supplier.close()));
      await bed.stop();
      await buyer.stop();
    },
  };
}

/** The fields that an error answer names, each with its code. */
export function fieldCodes({ body }: Answer): Record<string, string> {
  const errors = (body.field_errors ?? []) as { field: string; code: string }[];
  return Object.fromEntries(errors.map(({ field, code }) => [field, code]));
}
