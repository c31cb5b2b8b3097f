/** The record of changes and reads. */
import { z } from 'zod';
import { SIDES, type Side } from '../../../portal/settingsSchema.js';
import type { AuditDoc } from '../../../account/store/auditDocs.js';
import type { AccountCollections } from '../../../account/store/collections.js';
import { findPage, type Found, type Order, type Wanted } from '../../../platform/mongo/pages.js';
import { defineList, type ActionContext } from '../action.js';
import { OPERATOR_CHANGES } from '../../operator/record.js';
import { ACTION_NAMES } from '../names.js';
import { daysGiven, daysInput } from '../daysGiven.js';
import { partyGiven, partyInput } from '../portalInput.js';
import { withoutSecrets } from '../../../account/redaction.js';
import { Instant, orNull, recordId, recordName } from '../schemas/common.js';

const Entry = z.object({
  id: recordId('entry'),
  at: Instant.describe('When it was called, in UTC'),
  action: z.string().meta({ description: 'The action called', examples: ['create_campaign'] }),
  key: z
    .object({ id: recordId('key'), name: recordName('key').meta({ examples: ['Operations'] }) })
    .nullable()
    .describe(
      'The calling key; the id "operator" stands for an operator of the installation; null: a person',
    ),
  person: orNull(
    z.object({ id: recordId('person'), name: recordName('person').meta({ examples: ['Ada'] }) }),
  ).describe('The person who called, signed in; null: a key'),
  party: orNull(
    z.object({
      kind: z.enum(['buyer', 'supplier']).describe('A buyer or a supplier'),
      id: recordId('buyer or supplier'),
    }),
  ).describe('The partner that the person acted for in the portal; null: the organization'),
  input: z
    .looseObject({})
    .describe('The input; secrets and the field values of a test lead are hidden'),
  records: z
    .array(z.string())
    .prefault([])
    .describe('Ids of the records that it concerned; empty in entries of earlier releases'),
  outcome: z
    .enum(['done', 'refused', 'failed'])
    .nullable()
    .describe('null: the call began, and its result was not recorded'),
  error: orNull(z.string()).describe('The error code of a refusal; null when the call succeeded'),
});

const NEWEST_FIRST: Order = { at: 'at', id: '_id', direction: -1 };

export const listAudit = defineList({
  name: 'list_audit',
  cli: ['audit', 'list'],
  summary: 'List changes of the account, or reads of leads',
  description:
    'Every call that changes something, newest first: the key or the person, the input and the result. Commands of operators of ' +
    'the installation are included. With of "reads": every answer that showed personal data (get_leads, get_lead, ' +
    'get_lead_distribution_trail, explain_lead, get_consent_record, get_ping, list_events, list_returns, ' +
    'get_portal_members, list_members, list_sessions), kept for a year; a phone, an email or a ' +
    'click id that was searched for is hidden. What partners do in their portals is listed too, and alone with side, ' +
    'buyer_id or supplier_id.',
  permission: 'settings:read',
  filters: {
    of: z
      .enum(['changes', 'reads'])
      .default('changes')
      .describe('Changes, or reads of personal data'),
    action: z
      .enum([...ACTION_NAMES, ...OPERATOR_CHANGES])
      .optional()
      .describe('Only calls of this action; only operators call set_key_limits'),
    side: z
      .enum(SIDES)
      .optional()
      .describe('Only calls that people of buyers, or of suppliers, made in their portals'),
    buyer_id: partyInput.buyer_id.describe('Only calls in the portal of this buyer'),
    supplier_id: partyInput.supplier_id.describe('Only calls in the portal of this supplier'),
    by: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Only calls of this member, person or key; operator: of the installation'),
    record_id: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Only calls that concerned this record, of any kind'),
    ...daysInput,
  },
  example: { limit: 20 },
  output: z.array(Entry),
  async find({ of, action, side, by, record_id, ...given }, context, wanted) {
    const { collections, orgId: org_id } = context;
    const actor = by === undefined ? undefined : await actorOf(by, context);
    const filter: AuditFilter = {
      org_id,
      action,
      ...actor,
      records: record_id,
      at: await daysGiven(given, context),
      // Works for a deleted partner, too. Ids of buyers and suppliers never coincide.
      'party.id': partyGiven(given)?.party_id,
      'party.kind': side,
    };
    return of === 'reads'
      ? findReads(collections, filter, wanted)
      : findPage(collections.audit, filter, NEWEST_FIRST, wanted);
  },
  show: (entries) => entries.map(entryView),
});

/** The id of a key, of a person, or of a membership, which stands for its person. */
async function actorOf(
  by: string,
  { collections, orgId: org_id }: ActionContext,
): Promise<Pick<AuditFilter, 'key_id' | 'person.id'>> {
  if (by.startsWith('per_')) return { 'person.id': by };
  if (!by.startsWith('mem_')) return { key_id: by };
  const found = await collections.memberships.findOne({ _id: by, org_id });
  return { 'person.id': found?.person_id ?? by };
}

interface AuditFilter {
  org_id: string;
  action?: string;
  key_id?: string;
  'person.id'?: string;
  records?: string;
  at?: { $gte?: Date; $lt?: Date };
  'party.kind'?: Side;
  'party.id'?: string;
}

/** A read is recorded once it is complete. */
async function findReads(
  { auditReads }: Pick<AccountCollections, 'auditReads'>,
  filter: AuditFilter,
  wanted: Wanted,
): Promise<Found<AuditDoc>> {
  const { docs, next } = await findPage(auditReads, filter, NEWEST_FIRST, wanted);
  return { docs: docs.map((doc) => ({ ...doc, outcome: 'done' })), next };
}

/**
 * Entries of an earlier release hold more than is kept now.
 * @until 0.3 for `withoutSecrets`: by then `reconcile` has redacted them
 */
const entryView = (entry: AuditDoc) => ({
  ...entry,
  id: entry._id,
  key:
    entry.key_id === undefined ? null : { id: entry.key_id, name: entry.key_name ?? entry.key_id },
  input: withoutSecrets(entry.input) as Record<string, unknown>,
});
