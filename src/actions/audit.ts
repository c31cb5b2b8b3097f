/** The record of who changed what. */
import { randomUUID } from 'node:crypto';
import { SECRET_KINDS } from '../account/rotateSecret.js';
import type { Clock } from '../clock.js';
import { AppError } from '../errors.js';
import type { AuditDoc } from '../store/auditDocs.js';
import type { Collections } from '../store/collections.js';
import { isDatabaseError } from '../store/databaseErrors.js';
import { CommandRefused } from '../operator/errors.js';
import type { Caller } from './action.js';

interface AuditContext {
  collections: Pick<Collections, 'audit'>;
  clock: Pick<Clock, 'now'>;
  caller: Pick<Caller, 'org_id' | 'key_id' | 'key_name'>;
}

/**
 * Runs a change between two entries: it is recorded before it begins, so that a change that was made is never missing,
 * and what came of it afterwards.
 */
export async function audited<T>(
  action: { name: string },
  input: Record<string, unknown>,
  { collections, caller, clock }: AuditContext,
  change: () => Promise<T>,
): Promise<T> {
  const _id = randomUUID();
  const { org_id, key_id, key_name } = caller;
  await collections.audit.insertOne({
    ...{ _id, org_id, at: clock.now(), key_id, key_name, action: action.name },
    ...{ input: withoutSecrets(input) as Record<string, unknown>, outcome: null },
  });
  // What is done is done, and is told, even when it cannot be recorded: the entry says that it was begun.
  const ended = (end: Pick<AuditDoc, 'outcome' | 'error'>) =>
    collections.audit.updateOne({ _id }, { $set: end }).catch(() => undefined);
  try {
    const result = await change();
    await ended({ outcome: 'done' });
    return result;
  } catch (error) {
    await ended(endOf(error));
    throw isDatabaseError(error) ? unsure(error) : error;
  }
}

function endOf(error: unknown): Pick<AuditDoc, 'outcome' | 'error'> {
  if (error instanceof CommandRefused) return { outcome: 'refused', error: error.message };
  if (!(error instanceof AppError)) return { outcome: 'failed', error: 'internal' };
  return { outcome: error.status < 500 ? 'refused' : 'failed', error: error.message };
}

/** The database could not be asked in the middle: parts of it may be done. */
const unsure = (cause: unknown): AppError =>
  new AppError(
    'outcome_unknown',
    'Whether it was done cannot be told now. Look at what there is before you call again.',
    { retry_after: 5, cause },
  );

/** Headers carry the buyers' own keys, and an upload the phones and emails of people. */
const SECRET = /secret|token|password|authorization|api_?key|headers|csv/i;
const HIDDEN = '[hidden]';
/** Which secret is meant is none. */
const KINDS_OF_SECRET: readonly unknown[] = SECRET_KINDS;

/** Names of settings stay, what they hold does not; a user name and password go out of addresses. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\/\/[^/@\s]+@/g, `//${HIDDEN}@`);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      SECRET.test(key) && !KINDS_OF_SECRET.includes(inner) ? HIDDEN : withoutSecrets(inner),
    ]),
  );
}
