/** One service in this process and one server for many buyers, each with its own path and behaviour. */
import type { WorkflowHandle } from '@temporalio/client';
import { createActivities } from '../../activities/index.js';
import type { ReconcileReport } from '../../activities/reconcile.js';
import type { CapDoc } from '../../src/routing/store/capDocs.js';
import type { DeliveryDoc } from '../../src/deliveries/store/deliveryDoc.js';
import type { DeliveryInput } from '../../src/account/buyers/delivery.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import type { BuyerLinkInput } from '../../src/account/links/buyerLinks.js';
import type { CampaignInput } from '../../src/account/campaigns/campaigns.js';
import type { Service } from '../../src/app/service.js';
import { destinationId } from '../../src/platform/temporal/names.js';
import { createAccount, type TestAccount } from '../support/account.js';
import {
  startFakeBuyer,
  YES,
  type Behaviour,
  type BuyerRequest,
  type FakeBuyer,
} from '../support/fakeBuyer.js';
import { startTestBed, type TestBed } from '../support/service.js';
import { supplierOf, type Answer, type Supplier } from '../support/supplier.js';

export const DOWN: Behaviour = { status: 503 };

type Answers = (request: BuyerRequest) => Behaviour;

export interface BuyerSpec {
  delivery?: Partial<DeliveryInput>;
  link?: BuyerLinkInput;
  answers: Answers;
}

export interface Lane {
  account: TestAccount;
  supplier: Supplier;
  /** The requests that this buyer got. */
  requests(name: string): (BuyerRequest & { at: number })[];
  behave(name: string, answers: Answers): void;
  /** Posts a lead and returns its id and answer. */
  post(): Promise<Answer & { id: string }>;
  lead(id: string): Promise<Lead | null>;
  rows(id: string): Promise<DeliveryDoc[]>;
  cap(name: string): Promise<CapDoc | null>;
  drainOf(name: string): WorkflowHandle;
}

export interface LaneBed {
  bed: TestBed;
  service: Service & { url: string };
  /** An account of its own with these buyers, in this order of priority. */
  open(buyers: Record<string, BuyerSpec>, campaign?: Partial<CampaignInput>): Promise<Lane>;
  /** One look of reconcile, now. */
  repair(): Promise<ReconcileReport>;
  stop(): Promise<void>;
}

export const ago = (ms: number): Date => new Date(Date.now() - ms);

export async function startLaneBed(): Promise<LaneBed> {
  const bed = await startTestBed();
  const behaviours = new Map<string, Answers>();
  const arrivals = new Map<BuyerRequest, number>();
  const buyer: FakeBuyer = await startFakeBuyer((request) => {
    arrivals.set(request, performance.now());
    return behaviours.get(request.path)?.(request) ?? YES;
  });
  const service = await bed.start();
  const suppliers: Supplier[] = [];
  let opened = 0;

  const open: LaneBed['open'] = async (buyers, campaign) => {
    const prefix = `/${++opened}`;
    const account = await createAccount(bed, {
      campaign,
      buyers: Object.fromEntries(
        Object.entries(buyers).map(([name, { delivery, link, answers }]) => {
          behaviours.set(`${prefix}/${name}`, answers);
          return [
            name,
            { ...link, delivery: { url: `${buyer.url}${prefix}/${name}`, ...delivery } },
          ];
        }),
      ),
    });
    const supplier = supplierOf(service.url, account);
    suppliers.push(supplier);
    return {
      account,
      supplier,
      requests: (name) =>
        buyer.requests
          .filter((request) => request.path === `${prefix}/${name}`)
          .map((request) => ({ ...request, at: arrivals.get(request) ?? 0 })),
      behave: (name, answers) => void behaviours.set(`${prefix}/${name}`, answers),
      async post() {
        const answer = await supplier.post();
        return { ...answer, id: answer.data?.id ?? '' };
      },
      lead: (id) => bed.collections.leads.findOne({ _id: id }),
      rows: (id) => bed.collections.deliveries.find({ lead_id: id }).sort({ n: 1 }).toArray(),
      cap: (name) =>
        bed.collections.caps.findOne({
          _id: `buyer:${account.campaignId}:${account.buyers[name] ?? ''}`,
        }),
      drainOf: (name) =>
        service.deps.client.workflow.getHandle(destinationId(account.buyers[name] ?? '')),
    };
  };
  return {
    bed,
    service,
    open,
    repair: () => createActivities(service.deps).reconcile(),
    async stop() {
      await Promise.all(suppliers.map((supplier) => supplier.close()));
      await bed.stop();
      await buyer.stop();
    },
  };
}
