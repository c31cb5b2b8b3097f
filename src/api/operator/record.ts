/** Records operators' changes and reads with database access, in the records that the organization itself can list. */
import { audited } from '../calls/audit.js';
import type { ActionName } from '../actions/names.js';
import { readEntry } from '../calls/readAudit.js';
import type { Clock } from '../../lib/clock.js';
import type { PlatformCollections } from '../../platform/mongo/collections.js';
import type { AccountCollections } from '../../account/store/collections.js';
import type { PeopleCollections } from '../../people/store/collections.js';

/** The author's id, in the place of the id of a key. */
export const OPERATOR = 'operator';

/** Changes without an action. */
export const OPERATOR_CHANGES = [
  'set_key_limits',
  'create_admin_link',
  'create_recovery_link',
  'create_console_link',
] as const;
type OperatorChange = (typeof OPERATOR_CHANGES)[number];

export interface OperatorContext {
  collections: PlatformCollections & AccountCollections & PeopleCollections;
  clock: Pick<Clock, 'now'>;
  /** The person who runs the command. */
  by?: string;
}

const callerOf = (org_id: string, { by }: OperatorContext) => ({
  org_id,
  actor: { kind: 'key' as const, id: OPERATOR, name: by ?? OPERATOR },
});

/** What an operator does, as the records have it: under the name of the action that does the same. */
interface Recorded<N extends string> {
  name: N;
  orgId: string;
  input: Record<string, unknown>;
}

/** Makes a change and records it as `list_audit` shows it. */
export const recordedAsOperator = <T>(
  context: OperatorContext,
  { name, orgId, input }: Recorded<ActionName | OperatorChange>,
  change: () => Promise<T>,
): Promise<T> => {
  const { collections, clock } = context;
  return audited({ name }, input, { collections, clock, caller: callerOf(orgId, context) }, change);
};

/**
 * Records that data of people were read, before they are shown.
 * @throws {Error} when MongoDB does not answer: the data must not be shown then
 */
export async function recordReadAsOperator(
  context: OperatorContext,
  { name, orgId, input }: Recorded<ActionName>,
): Promise<void> {
  const { collections, clock } = context;
  const caller = callerOf(orgId, context);
  await collections.auditReads.insertOne(readEntry({ name }, input, { clock, caller }));
}
