/** The filters of reports. */
import type { FilterSpec } from '../../ui/data/index.js';
import { BUYER_FILTER, CAMPAIGN_FILTER, SUPPLIER_FILTER } from '../recordFilters.js';
import type { FILTER_NAMES } from './query.js';

export const FILTERS: readonly FilterSpec<(typeof FILTER_NAMES)[number]>[] = [
  { name: 'days', label: 'Days', kind: 'days', isPinned: true },
  CAMPAIGN_FILTER,
  SUPPLIER_FILTER,
  BUYER_FILTER,
];
