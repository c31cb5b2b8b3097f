/** Indexes that find recipients of mails, and records that name a spreadsheet. */
import type { IndexRow } from '../../platform/mongo/indexRow.js';

export const RECIPIENT_INDEXES: IndexRow[] = [
  {
    collection: 'mail_recipients',
    key: { org_id: 1, address: 1 },
    options: { unique: true },
    serves: 'whether an address has confirmed; one record for each',
  },
];

export const SPREADSHEET_INDEXES: IndexRow[] = [
  ['buyers', 'delivery'],
  ['campaign_buyers', 'delivery'],
  ['automations', 'target'],
].map(([collection = '', settings = '']) => ({
  collection,
  key: { [`${settings}.spreadsheet_id`]: 1 },
  options: { sparse: true },
  serves: 'whether its organization still uses a spreadsheet; spreadsheets of buyers',
}));
