/** Rare states of leads that wait while a day ends in their account's time zone. */
import type { Lead } from '../../../src/leads/rules/lead.js';
import { dayAt, longerWindows } from '../load/calendar.js';
import { isSold, type Facts } from '../checker/facts.js';
import type { Instant } from '../evidence/evidence.js';
import { isWaiting, type Counter } from './rareCounters.js';

export const STATES_OF_MIDNIGHT: Record<string, Counter> = {
  'waited across a midnight': across(() => true),
  'waited across a midnight, and sold on the next day': across(isSold),
  'waited across a midnight, and expired: no cap had room': across(
    ({ status }) => status === 'EXPIRED',
  ),
  'waited while a week began': across(begins('week')),
  'waited while a month began': across(begins('month')),
  'sent on one day and sold on the next, without waiting': ({ evidence, leads, campaigns }) =>
    evidence.record.deliveries.filter(({ campaign_id, lead_id, state, created_at, settled_at }) => {
      const zone = campaigns.get(campaign_id)?.time_zone;
      const lead = leads.get(lead_id);
      if (state !== 'accepted' || !settled_at || lead?.trail.some(isWaiting)) return false;
      return dayAt(Number(created_at), zone) !== dayAt(Number(settled_at), zone);
    }).length,
};

interface Wait {
  from: Instant;
  to: Instant;
  zone: string | undefined;
}

/** Leads that waited on two days. */
function across(is: (lead: Lead, wait: Wait) => boolean): Counter {
  return (facts) =>
    [...facts.leads.values()].filter((lead) => {
      const wait = waitOf(lead, facts);
      if (!wait) return false;
      return dayAt(wait.from, wait.zone) !== dayAt(wait.to, wait.zone) && is(lead, wait);
    }).length;
}

function waitOf({ campaign_id, trail, decided_at }: Lead, { campaigns }: Facts): Wait | null {
  const began = trail.find(isWaiting);
  if (!began || !decided_at) return null;
  const zone = campaigns.get(campaign_id)?.time_zone;
  return { from: Number(began.at), to: Number(decided_at), zone };
}

function begins(window: 'week' | 'month'): (lead: Lead, wait: Wait) => boolean {
  const at = (instant: Instant, { zone }: Wait): string =>
    longerWindows(dayAt(instant, zone))[window];
  return (_lead, wait) => at(wait.from, wait) !== at(wait.to, wait);
}
