/** The morning page of an operator on the wire. */
import { z } from 'zod';
import { Instant, Money, orNull, recordId } from './common.js';
import { acceptancePct, counts, marginPct, sums } from './report.js';
import { WaitingDeliveries } from './waiting.js';

const Name = orNull(z.string());
const Count = z.number().int();

const DayFiguresView = z.object({
  ...counts,
  ...sums,
  margin_pct: marginPct,
  acceptance_pct: acceptancePct,
});

const HourView = z.object({
  leads: Count.describe('Leads received in it'),
  accepted: Count.describe('Those of them that were sold'),
  revenue: Money,
  cost: Money,
});

export const TodayView = z.object({
  date: z.iso.date().describe("Today, in the account's time zone"),
  time_zone: z.string().describe('The time zone of the account'),
  currency: z.string().describe('The currency of the account'),
  today: DayFiguresView.describe('Leads received today'),
  yesterday_by_now: orNull(DayFiguresView).describe(
    'Leads received yesterday up to this time of the day, by their status now; null: too many to count at once',
  ),
  last_week_by_now: orNull(DayFiguresView).describe(
    'The same of the same weekday of last week; null: too many to count at once',
  ),
  hours: z
    .array(
      z.object({
        hour: z.string().describe('00 to 23'),
        today: orNull(HourView).describe('Received today; null: the hour has not begun'),
        last_week: orNull(HourView).describe('Received a week ago; null: not kept by hour'),
      }),
    )
    .describe("The hours of the day, by the account's clock"),
  yesterday: DayFiguresView.describe('Leads received yesterday'),
  uncounted: Count.describe('Leads whose latest change is not counted yet'),
  waiting: z
    .object({
      ...WaitingDeliveries.shape,
      breakers: Count.describe('Buyers whose breaker is not closed'),
      returns: Count.describe('Returns that wait for a decision, counted up to 1000'),
      change_requests: Count.describe('Change requests of partners that wait, counted up to 1000'),
      dead_letters: Count.describe('Events that no automation took, counted up to 1000'),
    })
    .describe('What waits, for a buyer or for a decision'),
  queues: z
    .array(
      z.object({
        buyer_id: recordId('buyer'),
        buyer_name: Name.describe('Name of the buyer'),
        waiting: Count.describe('Deliveries that wait to be sent'),
        unknown: Count.describe('Deliveries that were never answered'),
        oldest_at: Instant.describe('Since when the oldest waits'),
      }),
    )
    .describe('The longest queues, at most 10'),
  breakers: z
    .array(
      z.object({
        buyer_id: recordId('buyer'),
        buyer_name: Name.describe('Name of the buyer'),
        breaker: z.enum(['open', 'half-open']).describe('half-open: it is tried again'),
        since: Instant.describe('When it opened'),
        until: orNull(Instant).describe('When its cooldown ends; null: it is over'),
        failures: Count.describe('Failed requests in a row'),
      }),
    )
    .describe('Breakers that are not closed, the first to open first, at most 10'),
  caps: z
    .object({
      nearly_full: Count.describe('Limits of which 80 % or more is used; list: get_cap_usage'),
      is_cut: z.boolean().describe('true: the account has more campaigns than were looked at'),
      fullest: z
        .array(
          z.object({
            scope: z.enum(['buyer', 'supplier', 'campaign']).describe('Whose limit it is'),
            campaign_id: recordId('campaign'),
            campaign_name: Name.describe('Name of the campaign'),
            buyer_id: orNull(z.string()).describe('Id of the buyer, of its limit'),
            buyer_name: Name.describe('Name of the buyer'),
            supplier_id: orNull(z.string()).describe('Id of the supplier, of its limit'),
            supplier_name: Name.describe('Name of the supplier'),
            window: z.string().describe('hour, day, week, month or total'),
            of: z.enum(['count', 'budget']).describe('count: leads. budget: money'),
            limit: Money,
            used: Money,
            used_pct: z.number().describe('used in percent of limit'),
            resets_at: orNull(Instant).describe('When the window ends; null: never'),
          }),
        )
        .describe('The fullest of them, at most 10'),
    })
    .describe('Caps and budgets that are nearly full'),
  campaigns: z
    .array(
      z.object({
        campaign_id: recordId('campaign'),
        campaign_name: Name.describe('Name of the campaign'),
        ...DayFiguresView.shape,
      }),
    )
    .describe('The campaigns with most leads today, at most 5'),
  silent_suppliers: z
    .array(
      z.object({
        supplier_id: recordId('supplier'),
        supplier_name: Name.describe('Name of the supplier'),
        last_lead_at: Instant.describe('When its latest lead was received'),
      }),
    )
    .describe(
      'Suppliers that sent leads within 7 days, and none for 24 hours or three usual gaps, at most 10',
    ),
});
