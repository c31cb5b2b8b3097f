/** Why no buyer got a lead, as a row of a list says it from the few entries that it reads. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { leadRow } from '../../../src/api/actions/leadViews.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { TrailEntry } from '../../../src/leads/rules/trail.js';
import { findLeads } from '../../../src/leads/store/leadPages.js';
import { aLead, NOW } from '../../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.drop());

const entry = (of: Pick<TrailEntry, 'step' | 'result'> & Partial<TrailEntry>): TrailEntry => ({
  at: NOW,
  ...of,
});
const SKIPPED = Array.from({ length: 30 }, (_, nth) =>
  entry({ step: 'routing', result: 'skipped', reason: 'paused', buyer_id: `b${nth}` }),
);
const FULL = entry({ step: 'caps', result: 'full', reason: 'buyer_cap', buyer_id: 'capped' });
const REFUSED = entry({ step: 'delivery', result: 'rejected', reason: 'I know Jane Doe' });
const CLOSING = entry({ step: 'closing', result: 'UNMATCHED', reason: 'no_buyer' });

it('says it of a way of any length, as of the whole lead, and of no other lead', async () => {
  const trails = [[REFUSED, FULL, ...SKIPPED], [FULL, ...SKIPPED], SKIPPED, []];
  const unsold = trails.map((trail): Partial<Lead> => ({
    status: 'UNMATCHED',
    trail: [...trail, CLOSING],
  }));
  const made = [...unsold, { status: 'REJECTED' as const }, { status: 'ACCEPTED' as const }].map(
    (lead, nth) => aLead({ org_id: 'org', created_at: new Date(Number(NOW) - nth), ...lead }),
  );
  const { leads } = database.collections;
  await leads.insertMany(made);
  const found = await findLeads(
    leads,
    { org_id: 'org', is_test: false },
    { limit: 10, after: null },
  );
  const rows = found?.docs ?? [];
  const said = (lead: Parameters<typeof leadRow>[0]) => leadRow(lead).unsold_reason ?? '-';
  const expected = 'buyer_rejected buyer_cap buyer_paused no_buyer - -'.split(' ');
  expect(rows.map(said)).toEqual(expected);
  expect(made.map(said)).toEqual(expected);
  // Neither the buyers nor their answers are read.
  expect(rows[0]?.loss_steps?.length).toBeLessThan(5);
  expect(JSON.stringify(rows)).not.toContain('Jane Doe');
});
