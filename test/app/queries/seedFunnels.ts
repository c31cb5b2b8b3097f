/** Funnels of two organizations, their counts, leads and consent records. */
import type { Collections } from '../../../src/app/database.js';
import { templateOf } from '../../../src/funnels/rules/templates/templateOf.js';
import type { FunnelDoc } from '../../../src/funnels/store/funnelDocs.js';
import { SYSTEM_FIELDS } from '../../../src/fields/systemFields.js';
import { aLead, before, NOW } from '../../support/storedRows.js';

const MINUTE = 60_000;

export async function seedFunnels({
  funnels,
  funnelCounts,
  consents,
  leads,
}: Pick<Collections, 'funnels' | 'funnelCounts' | 'consents' | 'leads'>): Promise<void> {
  const of = <T>(count: number, make: (n: number) => T): T[] =>
    Array.from({ length: count }, (_, n) => make(n));
  const definition = templateOf('lead_form', 'en', { name: 'Loans', fields: SYSTEM_FIELDS });
  await funnels.insertMany(
    of(600, (n): FunnelDoc => ({
      _id: `fun_${String(n).padStart(5, '0')}`,
      org_id: n % 2 ? 'org' : 'another',
      name: `Funnel ${n}`,
      template: 'lead_form',
      campaign_id: `campaigns-${n % 100}`,
      supplier_id: 'suppliers-1',
      slug: `funnel-${n}`,
      status: n % 3 ? 'published' : 'draft',
      definition,
      draft_version: 1,
      published_version: n % 3 ? 1 : null,
      published_draft: n % 3 ? 1 : null,
      published_at: null,
      created_at: before(n * 1_000),
      updated_at: NOW,
    })),
  );
  await funnelCounts.insertMany(
    of(600, (n) => ({
      _id: `counts-${n}`,
      org_id: 'org',
      funnel_id: `fun_0000${n % 6}`,
      day: `2026-11-${String((n % 28) + 1).padStart(2, '0')}`,
      version: 1,
      source: `source-${n}`,
      views: 1,
      starts: 1,
      submits: 1,
      steps: { contact: { shown: 1, done: 1 } },
      suspects: {},
    })),
  );
  await leads.insertMany(
    of(600, (n) =>
      aLead({
        _id: `visitor-${n}`,
        status: 'ACCEPTED',
        created_at: before(n * MINUTE),
        origin: {
          funnel_id: `fun_0000${n % 6}`,
          version: 1,
          consent_id: `consent-${n}`,
          source: 'direct',
        },
      }),
    ),
  );
  await consents.insertMany(
    of(600, (n) => ({
      _id: `consent-${n}`,
      org_id: 'org',
      funnel_id: `fun_0000${n % 6}`,
      version: 1,
      campaign_id: 'campaigns-1',
      supplier_id: 'suppliers-1',
      language: 'en',
      text: 'I agree.',
      text_hash: '',
      purpose: null,
      sellers: [],
      ticked: true as const,
      at: NOW,
      ip: '192.0.2.1',
      user_agent: null,
      page_url: null,
      referrer: null,
      answers: {},
      is_test: false,
      ...(n % 10 === 0 ? {} : { lead_id: `visitor-${n}` }),
    })),
  );
}
