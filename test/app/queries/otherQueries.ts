/** Queries of stores that nothing else here sends: those of rare cases. */
import { createMailRecipientStore } from '../../../src/account/store/mailRecipients.js';
import type { Collections } from '../../../src/app/database.js';
import { createDeliveryStore } from '../../../src/deliveries/store/deliveries.js';
import { findByEmail } from '../../../src/people/store/findByEmail.js';
import { dropDays } from '../../../src/reports/store/attemptDays.js';
import { after, NOW } from '../../support/storedRows.js';
import type { Recorder } from './explain.js';
import { many, rowIds } from './seed.js';

export async function seedRecipients({ mailRecipients }: Collections): Promise<void> {
  const addresses = many('ada').map((name) => `${name}@buyer.example`);
  await mailRecipients.insertMany(
    addresses.map((address) => ({ _id: address, org_id: 'org', address, created_at: NOW })),
  );
}

export async function sendOthers(
  { during }: Pick<Recorder, 'during'>,
  collections: Collections,
): Promise<void> {
  const deliveries = createDeliveryStore(collections.deliveries);
  await during('deliveries.claimWaiting', () => deliveries.claimWaiting(rowIds('waiting'), 'run'));
  const accepted = rowIds('owned').map((id) => ({ id, state: 'accepted' as const }));
  await during('deliveries.settle, too late', () => deliveries.settle('run-9', accepted, NOW));
  const recipients = createMailRecipientStore(collections.mailRecipients);
  const asked = ['ada-1@buyer.example', 'ada-2@buyer.example'];
  await during('recipients.unconfirmed', () => recipients.unconfirmed('org', asked));
  await during('recipients.toAsk', () => recipients.toAsk('org', asked, NOW));
  await during('recipients.keep', () => recipients.keep('org', asked, NOW));
  await during('findByEmail, of a domain in two forms', () =>
    findByEmail(collections.people, 'ada@bücher.example'),
  );
  const days = [{ org_id: 'org', buyer_id: 'buyer-1', day: '2026-11-20' }];
  await during('attemptDays.drop', () => dropDays(collections, days, after(1_000)));
}
