/** Compares what visitors saw with the leads, the consent records and the buyer's own list. Any violation fails a run. */
import { OPEN_STATUSES, type LeadStatus } from '../../../src/leads/rules/leadStatus.js';
import { CONSENT_TEXT } from './definition.js';
import type { Visit } from './visit.js';

/** The part of a lead that is judged. A WITHDRAWN lead was answered 503: for its visitor it does not exist. */
export interface FoundLead {
  id: string;
  email: string;
  status: LeadStatus;
  consentId: string | null;
  createdAt: Date;
}

export interface FoundConsent {
  id: string;
  email: string;
  text: string;
  at: Date;
  leadId: string | null;
}

export interface FunnelEvidence {
  visits: readonly Visit[];
  leads: readonly FoundLead[];
  consents: readonly FoundConsent[];
  /** Ids of leads that the buyer accepted, once for each acceptance. */
  bought: readonly string[];
}

export const RULES = [
  'thanks_without_lead',
  'two_leads',
  'lead_without_consent',
  'consent_after_lead',
  'consent_of_another',
  'two_consents',
  'false_answer',
  'bought_twice',
  'sold_though_withdrawn',
  'sold_but_not_bought',
  'undecided',
  'never_answered',
  'error_page',
  'lead_of_no_visitor',
] as const;
export type FunnelRule = (typeof RULES)[number];

export interface FunnelViolation {
  rule: FunnelRule;
  /** A sentence. */
  what: string;
}

export function checkVisits(evidence: FunnelEvidence): FunnelViolation[] {
  const standing = evidence.leads.filter(({ status }) => status !== 'WITHDRAWN');
  const leadsOf = Map.groupBy(standing, ({ email }) => email);
  const consentsOf = Map.groupBy(evidence.consents, ({ email }) => email);
  const known = new Set(evidence.visits.flatMap(({ emails }) => emails));
  return [
    ...evidence.visits.flatMap((visit) =>
      checkVisit(
        visit,
        visit.emails.flatMap((email) => leadsOf.get(email) ?? []),
        visit.emails.flatMap((email) => consentsOf.get(email) ?? []),
      ),
    ),
    ...checkConsents(evidence),
    ...checkSales(evidence),
    ...evidence.leads
      .filter(({ email }) => !known.has(email))
      .map((lead) => violation('lead_of_no_visitor', `${lead.id}: no visitor sent it`)),
  ];
}

function checkVisit(
  { n, seen, unexpected }: Visit,
  leads: readonly FoundLead[],
  consents: readonly FoundConsent[],
): FunnelViolation[] {
  const found: FunnelViolation[] = [];
  const visitor = `visitor ${n}`;
  const say = (rule: FunnelRule, what: string): void =>
    void found.push(violation(rule, `${visitor} ${what}`));
  if (seen.includes('thanks') && leads.length === 0)
    say('thanks_without_lead', 'saw thanks, and there is no lead');
  if (leads.length > 1) say('two_leads', `has ${leads.length} leads`);
  // Other answers, sent after the first, have a record of their own.
  const perAnswers = Map.groupBy(consents, ({ email }) => email);
  if ([...perAnswers.values()].some((records) => records.length > 1))
    say('two_consents', 'has two consent records of the same answers');
  for (const { status } of leads) {
    if (OPEN_STATUSES.some((open) => open === status))
      say('undecided', `has a lead that is ${status}`);
    else if (seen.includes('thanks') && status !== 'ACCEPTED')
      say('false_answer', `saw thanks, and its lead is ${status}`);
    else if (seen.includes('no_buyer') && status === 'ACCEPTED')
      say('false_answer', 'saw that there is no buyer, and its lead was sold');
  }
  if (seen.length === 0) say('never_answered', 'saw no end');
  unexpected.forEach((what) => say('error_page', `was answered ${what}`));
  return found;
}

function checkConsents({ leads, consents }: FunnelEvidence): FunnelViolation[] {
  const byId = new Map(consents.map((consent) => [consent.id, consent]));
  return leads.flatMap((lead): FunnelViolation[] => {
    const consent = lead.consentId === null ? undefined : byId.get(lead.consentId);
    if (!consent)
      return [violation('lead_without_consent', `${lead.id} has no record of its consent`)];
    const isOther =
      consent.email !== lead.email ||
      consent.text !== CONSENT_TEXT ||
      (consent.leadId !== null && consent.leadId !== lead.id && lead.status !== 'WITHDRAWN');
    return [
      ...(isOther
        ? [violation('consent_of_another', `${lead.id} has the consent of another lead or text`)]
        : []),
      ...(consent.at > lead.createdAt
        ? [violation('consent_after_lead', `${lead.id} is older than its consent`)]
        : []),
    ];
  });
}

function checkSales({ leads, bought }: FunnelEvidence): FunnelViolation[] {
  const times = Map.groupBy(bought, (id) => id);
  return leads.flatMap(({ id, status }): FunnelViolation[] => {
    const count = times.get(id)?.length ?? 0;
    if (count > 0 && status === 'WITHDRAWN')
      return [
        violation('sold_though_withdrawn', `${id} was bought, and its visitor asked to send again`),
      ];
    if (count > 1) return [violation('bought_twice', `${id} was bought ${count} times`)];
    if (status === 'ACCEPTED' && count === 0)
      return [violation('sold_but_not_bought', `${id} is sold, and the buyer does not have it`)];
    return [];
  });
}

const violation = (rule: FunnelRule, what: string): FunnelViolation => ({ rule, what });
