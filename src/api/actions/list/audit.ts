/** Who changed what. */
import { z } from 'zod';
import type { AuditDoc } from '../../../account/store/auditDocs.js';
import type { IngestCollections } from '../../../ingest/store/collections.js';
import { findPage, type Found, type Order, type Wanted } from '../../../platform/mongo/pages.js';
import { definePagedAction } from '../action.js';
import { OPERATOR_CHANGES } from '../../operator/record.js';
import { ACTION_NAMES } from '../names.js';
import { pageInput, pageOf } from '../paging.js';
import { withoutSecrets } from '../../../account/redaction.js';
import { Instant, recordId, recordName } from '../schemas/common.js';

const Entry = z.object({
  id: recordId('entry'),
  at: Instant.describe('When it was called, in UTC'),
  action: z.string().meta({ description: 'Which action', examples: ['create_campaign'] }),
  key: z
    .object({ id: recordId('key'), name: recordName('key').meta({ examples: ['Operations'] }) })
    .describe('By which key; the id "operator" stands for an operator of the installation'),
  input: z
    .looseObject({})
    .describe('What was asked; secrets, and what the fields of a test lead hold, are hidden'),
  outcome: z
    .enum(['done', 'refused', 'failed'])
    .nullable()
    .describe('null: it was begun, and what came of it was not recorded'),
  error: z.string().nullable().describe('What it was refused with; null where it was done'),
});

const NEWEST_FIRST: Order = { at: 'at', id: '_id', direction: -1 };

export const listAudit = definePagedAction({
  name: 'list_audit',
  cli: ['audit', 'list'],
  summary: 'List changes of the account, or reads of leads',
  description:
    'Every call that changes something, newest first: by which key, what was asked, what came of it. Commands of operators ' +
    'of the installation are among them. With of "reads" ' +
    'every answer that showed data of people (get_leads, get_lead, get_lead_distribution_trail, explain_lead, get_ping, ' +
    'list_events), kept for a year; a phone, an email or a click id that was searched for is hidden.',
  effect: 'read',
  idempotent: true,
  permission: 'settings:read',
  input: z.strictObject({
    of: z
      .enum(['changes', 'reads'])
      .default('changes')
      .describe('Changes, or reads of data of people'),
    action: z
      .enum([...ACTION_NAMES, ...OPERATOR_CHANGES])
      .optional()
      .describe('Only calls of this action; set_key_limits is done by operators alone'),
    ...pageInput,
  }),
  example: { limit: 20 },
  output: z.array(Entry),
  run: ({ of, action, ...page }, { collections, caller }) =>
    pageOf(
      'list_audit',
      page,
      (wanted) => {
        const ofAction = action === undefined ? {} : { action };
        const filter = { org_id: caller.org_id, ...ofAction };
        return of === 'reads'
          ? findReads(collections, filter, wanted)
          : findPage(collections.audit, filter, NEWEST_FIRST, wanted);
      },
      entryView,
    ),
});

/** A read is recorded when it is done. */
async function findReads(
  { auditReads }: Pick<IngestCollections, 'auditReads'>,
  filter: { org_id: string; action?: string },
  wanted: Wanted,
): Promise<Found<AuditDoc>> {
  const { docs, next } = await findPage(auditReads, filter, NEWEST_FIRST, wanted);
  return { docs: docs.map((doc) => ({ ...doc, outcome: 'done' })), next };
}

/** Entries of an earlier release hold more than is kept now, until `reconcile` has mended them. */
const entryView = (entry: AuditDoc) => ({
  id: entry._id,
  at: entry.at.toISOString(),
  action: entry.action,
  key: { id: entry.key_id, name: entry.key_name },
  input: withoutSecrets(entry.input) as Record<string, unknown>,
  outcome: entry.outcome,
  error: entry.error ?? null,
});
