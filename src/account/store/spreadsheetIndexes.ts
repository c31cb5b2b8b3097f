/** Indexes that find recipients of mails, and records that name a spreadsheet. */
import { index, type IndexRow } from '../../platform/mongo/indexRow.js';

export const RECIPIENT_INDEXES: IndexRow[] = [
  index(
    'mail_recipients',
    { org_id: 1, address: 1 },
    'whether an address has confirmed; one record for each',
    { unique: true },
  ),
];

export const SPREADSHEET_INDEXES: IndexRow[] = [
  ['buyers', 'delivery'],
  ['campaign_buyers', 'delivery'],
  ['automations', 'target'],
].map(([collection = '', settings = '']) =>
  index(
    collection,
    { [`${settings}.spreadsheet_id`]: 1 },
    'whether its organization still uses a spreadsheet; spreadsheets of buyers',
    { sparse: true },
  ),
);
