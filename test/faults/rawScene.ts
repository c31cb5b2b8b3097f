/** The whole service with a buyer that misbehaves at TCP level, and a good one that is asked next. */
import type { DeliveryInput } from '../../src/account/buyers/delivery.js';
import type { BuyerLinkInput } from '../../src/account/links/buyerLinks.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import type { DeliveryDoc } from '../../src/deliveries/store/deliveryDoc.js';
import { createAccount, type TestAccount } from '../support/account.js';
import { readBooks, wrongCounts } from '../support/books.js';
import {
  startRawBuyer,
  YES,
  type Act,
  type RawBuyer,
  type RawRequest,
} from '../support/rawBuyer.js';
import { supplierOf, type Answer } from '../support/supplier.js';
import { startTestbed, type Testbed } from '../support/testbed.js';

/** The settings of the bad buyer; its default address is the raw server's. */
export interface BadBuyer {
  acts?: readonly Act[];
  delivery?: Partial<DeliveryInput>;
  link?: BuyerLinkInput;
}

/** One lead, posted to a campaign of its own. */
export interface Posted {
  answer: Answer;
  /** `bad` is asked first, then `good`. */
  account: TestAccount;
  lead(): Promise<Lead>;
  /** In the order of the attempts. */
  rows(): Promise<DeliveryDoc[]>;
  sentTo(name: 'bad' | 'good'): RawRequest[];
  /** Differences between the counters and the rows. */
  wrongCounts(): Promise<string[]>;
}

export interface RawScene {
  bed: Testbed;
  buyer: RawBuyer;
  post(bad: BadBuyer): Promise<Posted>;
  stop(): Promise<void>;
}

export async function startRawScene(): Promise<RawScene> {
  const bed = await startTestbed();
  const buyer = await startRawBuyer();
  bed.onStop(() => buyer.stop());
  let posted = 0;
  return {
    bed,
    buyer,
    async post({ acts = [YES], delivery, link }) {
      const path = `/${++posted}`;
      buyer.behave(`${path}/bad`, ...acts);
      const account = await createAccount(bed, {
        campaign: { answer_within_ms: 4_000 },
        buyers: {
          bad: { ...link, delivery: { url: `${buyer.url}${path}/bad`, ...delivery } },
          good: { delivery: { url: `${buyer.url}${path}/good` } },
        },
      });
      const supplier = supplierOf(bed.url, account);
      const answer = await supplier.postUntilTaken();
      await supplier.close();
      const id = answer.data?.id ?? '';
      return {
        answer,
        account,
        async lead() {
          const lead = await bed.collections.leads.findOne({ _id: id });
          if (!lead) throw new Error(`There is no lead "${id}"`);
          return lead;
        },
        rows: () => bed.collections.deliveries.find({ lead_id: id }).sort({ n: 1 }).toArray(),
        sentTo: (name) => buyer.requests(`${path}/${name}`),
        wrongCounts: async () => wrongCounts(await readBooks(bed, account)),
      };
    },
    stop: () => bed.stop(),
  };
}
