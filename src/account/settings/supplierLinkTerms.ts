/** The terms on which a supplier's leads are bought for a campaign. */
import { z } from 'zod';
import { Caps, cappedTable } from './cappedTable.js';
import { DailyPingCap } from '../capsSchema.js';
import { MoneyInMicros } from '../moneySchema.js';
import { setting, settingsTable, type StoredBy } from './settingsTable.js';
import { ActiveStatus, RevenueShare } from './termKinds.js';

const table = settingsTable(
  {
    status: setting(ActiveStatus, {
      default: 'active',
      label: 'Status',
      about: 'The leads of a paused one are refused',
    }),
    cost_mode: setting(z.enum(['FIXED', 'REVENUE_SHARE', 'NONE']), {
      default: 'FIXED',
      label: 'Paid by',
      about: 'How its leads are paid',
    }),
    cost_per_lead: setting(MoneyInMicros, {
      default: 0,
      label: 'Cost per lead',
      about: 'For FIXED: the cost of each lead that is sold',
      unit: 'money',
    }),
    revenue_share: setting(RevenueShare, {
      default: 0,
      label: 'Revenue share',
      about: "For REVENUE_SHARE: percent of the buyer's price",
      unit: 'percent',
    }),
    caps: Caps,
  },
  {
    daily_ping_cap: setting(DailyPingCap, {
      default: null,
      label: 'Daily pings',
      about: 'Maximum of its pings a day; null: unlimited',
      unit: 'pings',
    }),
  },
);

export const SUPPLIER_LINK = cappedTable(table);

export type SupplierLinkTerms = StoredBy<typeof table>;
