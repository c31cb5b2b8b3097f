/** The terms on which a buyer accepts a campaign's leads. */
import { z } from 'zod';
import { Schedule } from '../../fields/scheduleSchema.js';
import { ZipArea } from '../../fields/zipsSchema.js';
import { wholeValue } from '../../lib/schema/wireOf.js';
import { MarginSchema, MarginView } from '../campaigns/pingSchema.js';
import { DailyPingCap } from '../capsSchema.js';
import { Caps, cappedTable } from './cappedTable.js';
import { MoneyInMicros } from '../moneySchema.js';
import { setting, settingsTable, type StoredBy } from './settingsTable.js';
import { ActiveStatus, LeadFilters, Priority, States, Weight } from './termKinds.js';

const EXAMPLE_AREA = { zips: ['90210'], miles: 25 };
const EXAMPLE_SCHEDULE = [
  { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' },
];

const table = settingsTable(
  {
    status: setting(ActiveStatus, {
      default: 'active',
      label: 'Status',
      about: 'A paused buyer gets no leads of the campaign',
      partner: 'asks',
    }),
    price: setting(MoneyInMicros, {
      default: 0,
      label: 'Price of a lead',
      about: "What the buyer pays for a lead, in the account's currency",
      unit: 'money',
      partner: 'asks',
    }),
    priority: setting(Priority, {
      default: null,
      label: 'Priority',
      about: 'Lower is asked first; null: last',
    }),
    weight: setting(Weight, {
      default: 1,
      label: 'Weight',
      about: "In a WEIGHTED campaign, relative to the others' weights; 0 gets nothing",
    }),
    states: setting(States, {
      default: [],
      label: 'States',
      about: 'Two-letter codes of US states; empty: every state',
      isUnordered: true,
      empty: 'every state',
      partner: 'asks',
    }),
    zips: setting(wholeValue(ZipArea, 'zips', EXAMPLE_AREA).nullable(), {
      default: null,
      label: 'Zip codes',
      about: 'Five-digit codes, or a radius around some; null: everywhere',
      isUnordered: true,
    }),
    filters: { ...LeadFilters, partner: 'asks' },
    schedule: setting(wholeValue(Schedule, 'schedule', EXAMPLE_SCHEDULE).nullable(), {
      default: null,
      label: 'Schedule',
      about: "When the buyer accepts leads, in the account's time zone; null: always",
    }),
    when_closed: setting(z.enum(['SKIP', 'HOLD']), {
      default: 'SKIP',
      label: 'When closed',
      about: 'HOLD: leads wait until it opens',
    }),
    caps: { ...Caps, partner: 'asks' },
    when_unavailable: setting(z.enum(['NEXT', 'WAIT']), {
      default: 'NEXT',
      label: 'When unavailable',
      about: 'WAIT: leads wait for this buyer when it does not answer',
    }),
  },
  {
    margin: setting(MarginSchema.nullable(), {
      default: null,
      label: 'Margin',
      about: "In ping-post, instead of the campaign's margin; null: the campaign's margin",
      view: MarginView.nullable(),
    }),
    daily_ping_cap: setting(DailyPingCap, {
      default: null,
      label: 'Daily pings',
      about: 'Maximum pings a day that it bids on, or is asked about; null: unlimited',
      unit: 'pings',
    }),
    conversion_price: setting(MoneyInMicros.nullable(), {
      default: null,
      label: 'Price of a conversion',
      about:
        'Revenue of a converted lead when the buyer reports no amount; null: the price of the sale',
      unit: 'money',
      empty: 'the price of the sale',
      partner: 'sees',
    }),
  },
);

/** Price, targeting and limits. Delivery settings that the link overrides are separate: `deliveryOverrides.ts`. */
export const BUYER_LINK = cappedTable(table);

export type BuyerLinkTerms = StoredBy<typeof table>;
