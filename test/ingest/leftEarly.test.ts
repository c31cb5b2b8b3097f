/** Suppliers that disconnect before their lead is stored, and send it again before its buyer answers. */
import { accountOf } from '../support/org.js';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateCampaign } from '../../src/account/campaigns/campaigns.js';
import { createIdempotencyStore } from '../../src/ingest/store/idempotency.js';
import { createLeadStore } from '../../src/leads/store/leads.js';
import { YES } from '../support/fakeBuyer.js';
import { aPerson } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';
import { intakeBed, type IntakeBed, type IntakeBedOptions } from './intakeBed.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';

/** Long enough to send the lead again meanwhile. */
const THINKING = { ...YES, delayMs: 1_500 };

describe('a supplier that leaves before its lead is stored', () => {
  let testbed: Testbed;
  const beds: IntakeBed[] = [];
  beforeAll(async () => {
    testbed = await startTestbed();
  });
  afterAll(async () => {
    beds.forEach((one) => one.close());
    await testbed.stop();
  });

  interface Leaving {
    market: Market;
    leave: () => void;
  }
  /** Disconnects at `when`, and sends the lead again once its buyer is asked; returns it and the second answer. */
  const leaveAndSendAgain = async (
    when: (leaving: Leaving) => Omit<IntakeBedOptions, 'decide'>,
  ) => {
    const market = await testbed.market({
      // Long enough that a busy machine does not make the answer `pending`.
      campaign: { answer_within_ms: 4_000 },
      buyers: { only: { answer: () => THINKING } },
    });
    const connection = new AbortController();
    const leave = () => connection.abort();
    const { starter } = testbed.service.deps;
    const bed = intakeBed(testbed, market.account, {
      ...when({ market, leave }),
      decide: (leads, withinMs) => starter.decide(leads, withinMs),
    });
    beds.push(bed);
    const person = aPerson();
    const first = bed.submit(undefined, person, connection.signal);
    await waitFor(() => market.sentTo('only').length > 0, { message: 'the buyer is asked' });
    const id = market.sentTo('only')[0]?.leadId ?? '';
    const isBroken = async () => (await testbed.lead(id)).broken === true;
    await waitFor(isBroken, { message: 'the lead is marked as broken', timeoutMs: 1_000 });
    expect(await testbed.lead(id)).toMatchObject({ status: 'NEW', broken: true });
    const again = await market.post(person);
    expect(again).toMatchObject({
      status: 201,
      headers: { 'idempotent-replayed': 'true' },
      data: { id, status: 'ACCEPTED', buyer_id: market.account.buyers.only },
    });
    expect(await first).toMatchObject({ leadId: id, data: again.data });
    expect(market.sentTo('only')).toHaveLength(1);
  };

  it('gets the first answer when it had left before its lead was created', () =>
    leaveAndSendAgain(({ leave }) => ({
      onAdmit() {
        leave();
        return Promise.resolve();
      },
    })));

  it('gets the first answer when it left while its lead waited to be stored', () => {
    const keys = createIdempotencyStore(testbed.collections.idempotency);
    return leaveAndSendAgain(({ leave }) => ({
      keys: {
        claim(rows) {
          leave();
          return keys.claim(rows);
        },
      },
    }));
  });

  it('gets the first answer when it left while its lead was checked again', () => {
    let seen = 0;
    return leaveAndSendAgain(({ market: { account }, leave }) => ({
      // Its process holds a token: the account is read again when the lead is about to be stored.
      limiter: { beginsDraw: () => false },
      async onAdmit() {
        seen += 1;
        if (seen > 1) {
          leave();
          return;
        }
        const name = randomUUID();
        await updateCampaign(accountOf(testbed, account.orgId), account.campaignId, { name });
      },
    }));
  });

  it('gets the first answer when it left while its lead was being stored', () => {
    const { leads } = testbed.collections;
    const store = createLeadStore(leads);
    return leaveAndSendAgain(({ leave }) => ({
      leads: {
        async insert(docs) {
          const asSent = structuredClone(docs);
          leave();
          // Marking it now finds no lead.
          await leads.findOne({ _id: docs[0]?._id ?? '' });
          await store.insert(asSent);
        },
      },
    }));
  });
});
