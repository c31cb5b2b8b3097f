/** The time after the sale, in one run: the receiver gets events, and buyers report outcomes. */
import { webhookSecretPlace } from '../../../src/account/rules/sealedPlaces.js';
import { join } from 'node:path';
import { createAutomation } from '../../../src/automations/automations.js';
import { systemClock } from '../../../src/lib/clock.js';
import type { SeededCampaign } from '../load/account.js';
import type { Cluster } from '../cluster/cluster.js';
import { ANNOUNCED, readAfter, type AfterTheSale, type AutomationFacts } from './evidence.js';
import type { Sender } from './receiver.js';
import { startReceiver, type ReceiverProcess } from './receiverClient.js';

export interface AfterSale {
  /** The webhook secret of a buyer, by its id. */
  secretOf: (buyerId: string) => string;
  /** From now on the receiver of events behaves. */
  calm(): Promise<void>;
  gather(): Promise<AfterTheSale>;
  stop(): Promise<void>;
}

/** Called before the first lead is posted: events are sent from the creation of the automations on. */
export async function openAfterSale(
  cluster: Cluster,
  { seed, folder }: { seed: string; folder: string },
): Promise<AfterSale> {
  const receiver = await startReceiver({ seed, journal: join(folder, 'received.jsonl') });
  try {
    const automations: AutomationFacts[] = [];
    for (const campaign of cluster.campaigns.filter(({ spec }) => spec.announced))
      automations.push(...(await announce(campaign, cluster, receiver)));
    const secrets = await webhookSecrets(cluster);
    return {
      secretOf: (buyerId) => secrets.get(buyerId) ?? '',
      calm: () => receiver.calm(),
      async gather() {
        const record = await readAfter(cluster.store.collections);
        return { ...record, automations, received: await receiver.received() };
      },
      stop: () => receiver.stop(),
    };
  } catch (error) {
    await receiver.stop();
    throw error;
  }
}

/** Created by the same code as a customer's automations. */
async function announce(
  { facts: { campaign_id, name } }: SeededCampaign,
  { store: { collections }, keyring }: Cluster,
  receiver: ReceiverProcess,
): Promise<AutomationFacts[]> {
  const policy = { allowPrivate: true, mail: false, sheets: false };
  const campaign = await collections.campaigns.findOne({ _id: campaign_id });
  const orgId = campaign?.org_id ?? '';
  const automations: AutomationFacts[] = [];
  const senders: Record<string, Sender> = {};
  for (const trigger of ANNOUNCED) {
    const path = `${name}-${trigger}`;
    const { automation, secret } = await createAutomation(
      { collections, orgId, keyring, policy, clock: systemClock, mayReadLeads: true },
      { name: path, trigger, campaign_id, action: 'WEBHOOK', target: { url: receiver.url(path) } },
    );
    senders[path] = { automation_id: automation._id, secret: secret ?? '' };
    automations.push({ automation_id: automation._id, campaign_id, trigger });
  }
  await receiver.introduce(senders);
  return automations;
}

async function webhookSecrets({ store, keyring }: Cluster): Promise<Map<string, string>> {
  const buyers = await store.collections.buyers.find().toArray();
  return new Map(
    buyers.map(({ _id, webhook_secret }) => [
      _id,
      keyring.open(webhook_secret, webhookSecretPlace(_id)),
    ]),
  );
}
