import { describe, expect, it } from '@jest/globals';
import { checkVisits, RULES, type FunnelEvidence, type FunnelRule } from './check.js';
import { CONSENT_TEXT } from './definition.js';
import type { Visit } from './visit.js';

const EMAIL = 'visitor.1.first@example.com';
const at = (seconds: number): Date => new Date(Date.UTC(2026, 10, 25, 20, 0, seconds));

const visit: Visit = {
  n: 1,
  manner: 'twice',
  emails: [EMAIL],
  seen: ['thanks'],
  unexpected: [],
  sent: 2,
  broken: 1,
};
const lead: FunnelEvidence['leads'][number] = {
  id: 'l1',
  email: EMAIL,
  status: 'ACCEPTED',
  consentId: 'c1',
  createdAt: at(2),
};
const consent: FunnelEvidence['consents'][number] = {
  id: 'c1',
  email: EMAIL,
  text: CONSENT_TEXT,
  at: at(1),
  leadId: 'l1',
};
const right: FunnelEvidence = {
  visits: [visit],
  leads: [lead],
  consents: [consent],
  bought: ['l1'],
};

const rulesOf = (evidence: Partial<FunnelEvidence>): FunnelRule[] =>
  checkVisits({ ...right, ...evidence }).map(({ rule }) => rule);

describe('the checker of funnels', () => {
  it('finds nothing where each visitor that saw thanks has one lead, its consent and its buyer', () => {
    expect(checkVisits(right)).toEqual([]);
  });

  it('counts a lead that was withdrawn before its 503 as none', () => {
    const withdrawn = { ...lead, id: 'l0', status: 'WITHDRAWN' as const };
    expect(rulesOf({ leads: [withdrawn, lead] })).toEqual([]);
    expect(rulesOf({ leads: [withdrawn] })).toEqual(['thanks_without_lead']);
  });

  const broken: Record<FunnelRule, Partial<FunnelEvidence>> = {
    thanks_without_lead: { leads: [], bought: [] },
    two_leads: {
      leads: [lead, { ...lead, id: 'l2', status: 'DUPLICATE' }],
      consents: [{ ...consent, leadId: null }],
      visits: [{ ...visit, seen: ['no_buyer'] }],
    },
    lead_without_consent: { consents: [] },
    consent_after_lead: { consents: [{ ...consent, at: at(3) }] },
    consent_of_another: { consents: [{ ...consent, leadId: 'l9' }] },
    two_consents: { consents: [consent, { ...consent, id: 'c2', leadId: null }] },
    false_answer: { leads: [{ ...lead, status: 'UNMATCHED' }], bought: [] },
    bought_twice: { bought: ['l1', 'l1'] },
    sold_though_withdrawn: {
      leads: [lead, { ...lead, id: 'l0', status: 'WITHDRAWN' }],
      bought: ['l1', 'l0'],
    },
    sold_but_not_bought: { bought: [] },
    undecided: { leads: [{ ...lead, status: 'NEW' }], bought: [] },
    never_answered: { visits: [{ ...visit, seen: [] }] },
    error_page: { visits: [{ ...visit, unexpected: ['500 /f/roofs'] }] },
    lead_of_no_visitor: { visits: [] },
  };

  it.each(RULES)('catches %s', (rule) => {
    expect(rulesOf(broken[rule])).toContain(rule);
  });
});
