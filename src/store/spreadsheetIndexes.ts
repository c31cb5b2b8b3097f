/** The indexes by which those that name a spreadsheet are found. */
import type { IndexRow } from './indexRow.js';

export const SPREADSHEET_INDEXES: IndexRow[] = [
  ['buyers', 'delivery'],
  ['campaign_buyers', 'delivery'],
  ['automations', 'target'],
].map(([collection = '', settings = '']) => ({
  collection,
  key: { [`${settings}.spreadsheet_id`]: 1 },
  options: { sparse: true },
  serves: 'whether a spreadsheet is named by its organization still; those that buyers were given',
}));
