/** The record of reads of people's data. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.js';
import { type AuditReadDoc, keptActor } from '../../account/store/auditDocs.js';
import type { AccountCollections } from '../../account/store/collections.js';
import { createGroupCommit } from '../../lib/groupCommit.js';
import type { AuditedCaller } from './audit.js';
import { recordsIn } from '../../account/rules/auditRecords.js';
import { withoutSecrets } from '../../account/redaction.js';

/**
 * Records a read that is complete and not answered yet.
 * @throws {AppError} `unavailable` when too many wait; and the errors of the database
 */
export type RecordRead = (
  action: { name: string },
  input: Record<string, unknown>,
  context: ReadContext,
) => Promise<void>;

interface ReadContext {
  caller: AuditedCaller;
  clock: Pick<Clock, 'now'>;
}

/** How long an entry may wait to be written before its read is refused, in milliseconds. */
const WRITTEN_WITHIN_MS = 5_000;

/** Records reads that end at the same time by one command. */
export function createReadAudit({
  auditReads,
}: Pick<AccountCollections, 'auditReads'>): RecordRead {
  const groups = createGroupCommit<AuditReadDoc, undefined>({
    maxInFlight: 2,
    groupMax: 200,
    queueMax: 2_000,
    noun: 'read',
    refuseAt: () => performance.now() + WRITTEN_WITHIN_MS,
    async commit(entries) {
      await auditReads.insertMany([...entries], { ordered: false });
      return entries.map(() => ({ status: 'fulfilled', value: undefined }));
    },
  });
  return async (action, input, context) => {
    await groups.submit(readEntry(action, input, context));
  };
}

/** The entry of a read that ends now. */
export function readEntry(
  { name }: { name: string },
  input: Record<string, unknown>,
  { caller, clock }: ReadContext,
): AuditReadDoc {
  const kept = withoutPeople(withoutSecrets(input) as Record<string, unknown>);
  return {
    _id: randomUUID(),
    org_id: caller.org_id,
    at: clock.now(),
    ...keptActor(caller.actor, caller.party),
    action: name,
    input: kept,
    records: recordsIn(input),
  };
}

/** Fields that identify a person; a lead is recorded by its id, which is deleted with it. */
const PEOPLE = new Set(['phone', 'email', 'click_id']);

const withoutPeople = (input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, PEOPLE.has(key) ? '[hidden]' : value]),
  );
