/** The record of changes and their authors. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.js';
import { AppError } from '../../lib/errors.js';
import {
  type AuditDoc,
  keptActor,
  type ActingParty,
  type Actor,
} from '../../account/store/auditDocs.js';
import type { AccountCollections } from '../../account/store/collections.js';
import { isDatabaseError } from '../../platform/mongo/databaseErrors.js';
import { CommandRefused } from '../../distribution/commands/errors.js';
import { recordsIn } from '../../account/rules/auditRecords.js';
import { withoutSecrets } from '../../account/redaction.js';

interface AuditContext {
  collections: Pick<AccountCollections, 'audit'>;
  clock: Pick<Clock, 'now'>;
  caller: AuditedCaller;
}

/** The caller that is recorded. */
export interface AuditedCaller {
  org_id: string;
  actor: Actor;
  /** The partner of the organization that the person acts for. */
  party?: ActingParty;
}

/**
 * Runs a change between two writes of its entry: one before it begins, so that no completed change is missing from the
 * record, and one afterwards with its result.
 */
export async function audited<T>(
  action: { name: string },
  input: Record<string, unknown>,
  { collections, caller, clock }: AuditContext,
  change: () => Promise<T>,
): Promise<T> {
  const _id = randomUUID();
  await collections.audit.insertOne({
    _id,
    org_id: caller.org_id,
    at: clock.now(),
    ...keptActor(caller.actor, caller.party),
    action: action.name,
    input: withoutSecrets(input) as Record<string, unknown>,
    records: recordsIn(input),
    outcome: null,
  });
  // The change is complete, and is reported, even when its result cannot be recorded: the entry shows that it began.
  const ended = (end: Pick<AuditDoc, 'outcome' | 'error' | 'records'>) =>
    collections.audit.updateOne({ _id }, { $set: end }).catch(() => undefined);
  try {
    const result = await change();
    await ended({ outcome: 'done', records: recordsIn(input, dataOf(result)) });
    return result;
  } catch (error) {
    await ended(endOf(error));
    throw isDatabaseError(error) ? unsure(error) : error;
  }
}

/** What a call returns names the record that it made. */
const dataOf = (result: unknown): unknown =>
  typeof result === 'object' && result !== null && 'data' in result ? result.data : null;

function endOf(error: unknown): Pick<AuditDoc, 'outcome' | 'error'> {
  const isKnown = error instanceof AppError || error instanceof CommandRefused;
  if (!isKnown) return { outcome: 'failed', error: 'internal' };
  const isRefusal = error instanceof CommandRefused || error.status < 500;
  const text = withoutSecrets(error.message) as string;
  return { outcome: isRefusal ? 'refused' : 'failed', error: text };
}

/** The database stopped answering during the change: parts of it may be done. */
const unsure = (cause: unknown): AppError =>
  new AppError(
    'outcome_unknown',
    'The result is unknown. Check the current state before you call again.',
    { retry_after: 5, cause },
  );
