/** Runs every call of a portal: the person's rights, the input, the work, its output, the record of it. */
import { AppError } from '../../lib/errors.js';
import { audited, type AuditedCaller } from '../actions/audit.js';
import { showsPeople } from '../actions/exits.js';
import type { RecordRead } from '../actions/readAudit.js';
import { readInput } from '../actions/readInput.js';
import type { PartnerCall, PartnerContext } from './call.js';
import type { OpenPortal } from './open.js';
import { requirePermitted } from './permits.js';
import { inputRefused, notYours } from './refusals.js';

export interface CallResult {
  data: unknown;
  /** For paged calls only: where the next page begins; null on the last. */
  next_cursor?: string | null;
}

/**
 * Returns the call's result. If that shows data of people, the read is recorded first; without a record nothing is
 * shown.
 * @throws {AppError} `forbidden`, `invalid_input`, `not_found`, and the call's own refusals
 */
export async function runCall(
  call: PartnerCall,
  body: () => Promise<Record<string, unknown>>,
  context: PartnerContext,
  recordRead: RecordRead,
): Promise<CallResult> {
  requirePermitted(call, context);
  const input = readInput(call.input, await body());
  const caller = callerOf(context);
  const entry = { name: recordName(call, context) };
  const kept = withoutPeople(input, call.hides);
  const work = () => resultOf(call, input, context).catch(refused);
  const { collections, clock } = context;
  const result = await (call.effect === 'read'
    ? work()
    : audited(entry, kept, { collections, clock, caller }, work));
  if (showsPeople(call.letsOut, false)) await recordRead(entry, kept, { caller, clock });
  return { ...result, data: call.output.parse(result.data) };
}

const resultOf = async (
  call: PartnerCall,
  input: Record<string, unknown>,
  context: PartnerContext,
): Promise<CallResult> =>
  call.paged ? call.run(input, context) : { data: await call.run(input, context) };

/** Distinguishes it from the operator's own actions in the record of changes. */
export const recordName = ({ name }: { name: string }, { side }: Pick<OpenPortal, 'side'>) =>
  `${side}_portal.${name}`;

/** The person, and the partner that it acts for. */
export const callerOf = ({ org_id, side, party_id, signedIn }: OpenPortal): AuditedCaller => ({
  org_id,
  actor: { kind: 'person', id: signedIn.person.id, name: signedIn.person.name },
  party: { kind: side, id: party_id },
});

const HIDDEN = '[hidden]';

/** Records contain nothing that identifies the people of leads. */
export const withoutPeople = (
  input: Record<string, unknown>,
  hides: readonly string[] = [],
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, hides.includes(key) ? HIDDEN : value]),
  );

/** A message could name another partner's record: one answer for every record that is not the partner's. */
function refused(error: unknown): never {
  if (error instanceof AppError && error.code === 'not_found') throw notYours();
  return inputRefused(error);
}
