/**
 * Leads from the rows of a file, each posted as its supplier would post it, at most once: a row is claimed before its lead
 * is posted, under an Idempotency-Key that only this row has, and keeps its lead afterwards. Repeated or resumed, an
 * import sells nothing twice.
 */
import { createHash } from 'node:crypto';
import type { Scalar } from '../../fields/values.js';
import type { LeadCollections } from '../../leads/store/collections.js';
import type { ImportedRowDoc } from '../../leads/store/intakeDocs.js';
import { describeRefusal } from '../describeRefusal.js';
import { AppError } from '../../lib/errors.js';
import type { Clock } from '../../lib/clock.js';
import { isDuplicateKey } from '../../platform/mongo/databaseErrors.js';
import { bodyHash } from '../admission.js';
import type { Intake } from '../types.js';

export interface ImportDeps {
  collections: Pick<LeadCollections, 'importedRows'>;
  intake: Intake;
  clock: Pick<Clock, 'now' | 'monotonic'>;
}

/** Where the rows go, and by which supplier's key. */
export interface RowTarget {
  org_id: string;
  supplier_id: string;
  /** The key of the supplier. */
  key: string;
  /** Fields that every lead has: its campaign, and whether it is a test. */
  control: Record<string, Scalar>;
}

export interface ImportRow {
  /** Line of the file, for the report. */
  line: number;
  /** What no other row has: a row with the same text is the same row. */
  identity: string;
  fields: Record<string, Scalar>;
}

/**
 * accepted, unmatched, duplicate, rejected: there is a lead. refused: there is none, because of the row. unknown: it was
 * begun long ago, and nothing shows whether it has a lead. again: this call made none, for a reason that passes.
 * unanswered: it may have a lead, which the same row returns when it is sent once more. valid: of a dry run.
 */
export type RowResult =
  | NonNullable<ImportedRowDoc['result']>
  | ('refused' | 'unknown' | 'again' | 'unanswered' | 'valid');

export interface RowReport {
  line: number;
  result: RowResult;
  lead_id: string | null;
  message: string | null;
  /** An earlier call has posted it. */
  repeated: boolean;
}

/** Rows that are posted at once: each call of the intake joins a group. */
const AT_ONCE = 16;
/** No further row is begun after this, in milliseconds: the rest is answered with `again`. */
const BEGIN_WITHIN_MS = 20_000;
/** How long rows are kept, in milliseconds. */
const KEPT_MS = 90 * 86_400_000;
/** An Idempotency-Key is kept for 24 hours; a row that was begun before is not posted again. */
const REPEATED_WITHIN_MS = 20 * 3_600_000;

/** Posts the rows, or only checks them. @returns a report of each, in their order */
export async function importRows(
  rows: readonly ImportRow[],
  target: RowTarget,
  deps: ImportDeps,
  isDryRun: boolean,
): Promise<RowReport[]> {
  const reports: RowReport[] = [];
  const until = deps.clock.monotonic() + BEGIN_WITHIN_MS;
  const queue = rows.entries();
  const work = async (): Promise<void> => {
    for (const [at, row] of queue) {
      const isLate = deps.clock.monotonic() > until;
      reports[at] = isLate
        ? noLead(row, 'again', 'There was no time left for it in this call.')
        : await (isDryRun ? checkRow : postRow)(row, target, deps);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return reports;
}

const noLead = ({ line }: ImportRow, result: RowResult, message: string | null): RowReport => ({
  line,
  result,
  message,
  lead_id: null,
  repeated: false,
});

const bodyOf = ({ fields }: ImportRow, { control }: RowTarget) => ({ ...fields, ...control });

async function checkRow(
  row: ImportRow,
  target: RowTarget,
  { intake }: ImportDeps,
): Promise<RowReport> {
  try {
    await intake.check({ key: target.key, body: bodyOf(row, target) });
    return noLead(row, 'valid', null);
  } catch (error) {
    return refusalOf(row, error);
  }
}

async function postRow(row: ImportRow, target: RowTarget, deps: ImportDeps): Promise<RowReport> {
  const { importedRows } = deps.collections;
  const body = bodyOf(row, target);
  const { doc, isOwn } = await claim(row, { target, body, deps });
  if (doc.body_hash !== bodyHash(target.supplier_id, body)) return noLead(row, 'refused', CHANGED);
  if (doc.result !== undefined) return { ...keptReport(row, doc), repeated: true };
  if (Number(deps.clock.now()) - Number(doc.begun_at) > REPEATED_WITHIN_MS)
    return noLead(row, 'unknown', LONG_AGO);
  const { report: posted, isSure } = await post(row, body, { target, deps });
  // What the call that claimed it came to is not known: an attempt that was put off says nothing about it.
  const report =
    isOwn || posted.result !== 'again' ? posted : { ...posted, result: 'unanswered' as const };
  const { lead_id, result, message } = report;
  if (lead_id !== null) {
    const kept = {
      lead_id,
      message: message ?? undefined,
      result: result as ImportedRowDoc['result'],
    };
    // It is gone where another call was refused with the same row at this moment.
    const { _id, ...begun } = doc;
    await importedRows.updateOne({ _id }, { $set: kept, $setOnInsert: begun }, { upsert: true });
  } else if (isOwn && isSure) {
    // Only while no other call has met it: that one may have sold the lead.
    const { _id, begun_at } = doc;
    await importedRows.deleteOne({ _id, begun_at, calls: 1, result: { $exists: false } });
  }
  return report;
}

const CHANGED =
  'Another row was imported from this line, or with this value of the key column. If this row is another lead, use another import_id, or key.';
const LONG_AGO =
  'An earlier call began with this row, and its answer was not kept. Look for the lead before it is imported once more.';

interface Claiming {
  target: RowTarget;
  body: Record<string, Scalar>;
  deps: ImportDeps;
}

interface Claim {
  doc: ImportedRowDoc;
  /** This call made it; otherwise an earlier one did, which may have posted the row. */
  isOwn: boolean;
}

/** The record of the row: a new one, or that of an earlier call, which learns that another has met it. */
async function claim({ identity }: ImportRow, { target, body, deps }: Claiming): Promise<Claim> {
  const now = deps.clock.now();
  const _id = `${target.org_id}:${identity}`;
  const made = {
    org_id: target.org_id,
    body_hash: bodyHash(target.supplier_id, body),
    begun_at: now,
    forget_at: new Date(Number(now) + KEPT_MS),
  };
  const meet = () =>
    deps.collections.importedRows.findOneAndUpdate(
      { _id },
      { $setOnInsert: made, $inc: { calls: 1 } },
      { upsert: true, returnDocument: 'before' },
    );
  // Two that insert it at the same moment: the slower one meets what the other has made.
  const found = await meet().catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
    return meet();
  });
  return found ? { doc: found, isOwn: false } : { doc: { _id, ...made, calls: 1 }, isOwn: true };
}

const keptReport = (row: ImportRow, { lead_id, result, message }: ImportedRowDoc): RowReport => ({
  ...noLead(row, result ?? 'unknown', message ?? null),
  lead_id: lead_id ?? null,
});

async function post(
  row: ImportRow,
  body: Record<string, Scalar>,
  { target, deps }: Pick<Claiming, 'target' | 'deps'>,
): Promise<{ report: RowReport; isSure: boolean }> {
  const { intake, clock } = deps;
  try {
    const { data, leadId } = await intake.submit({
      key: target.key,
      body,
      idempotencyKey: `import:${hashOf(row.identity)}`,
      receivedAt: clock.monotonic(),
      closed: new AbortController().signal,
    });
    intake.answered(leadId, true);
    const result = RESULTS[data.status];
    const message = data.delivery === 'pending' ? 'A buyer still has to confirm it.' : null;
    return { report: { ...noLead(row, result, message), lead_id: leadId }, isSure: true };
  } catch (error) {
    const report = refusalOf(row, error);
    if (report.lead_id !== null) intake.answered(report.lead_id, true);
    return { report, isSure: error instanceof AppError && error.code !== 'outcome_unknown' };
  }
}

const RESULTS = { ACCEPTED: 'accepted', UNMATCHED: 'unmatched', DUPLICATE: 'duplicate' } as const;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Refusals that are not about the row: the same row may be accepted later. */
const PASSING: readonly string[] = [
  'rate_limited',
  'unavailable',
  'supplier_capped',
  'campaign_paused',
  'source_paused',
  'request_timeout',
];

function refusalOf(row: ImportRow, error: unknown): RowReport {
  if (!(error instanceof AppError) || error.status === 500) throw error;
  const lead_id = error.extras.lead_id ?? null;
  const result = lead_id === null ? withoutLead(error.code) : 'rejected';
  return { ...noLead(row, result, describeRefusal(error)), lead_id };
}

function withoutLead(code: string): RowResult {
  if (code === 'outcome_unknown') return 'unanswered';
  return PASSING.includes(code) ? 'again' : 'refused';
}
