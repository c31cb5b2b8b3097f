/** Every surface runs actions through it: permission, input, the work, its output, the record of it. */
import { AppError } from '../../lib/errors.js';
import type { Permission } from '../../account/store/keyDocs.js';
import { holds } from './access.js';
import {
  mayRun,
  seesNoPeople,
  type Action,
  type ActionContext,
  type CallContext,
  type Caller,
} from './action.js';
import { audited } from './audit.js';
import { needsFresh, showsPeople, usedExits, withoutPeople, type Exit } from './exits.js';
import type { RecordRead } from './readAudit.js';
import { invalidInput, readInput } from './readInput.js';

export interface ActionResult {
  /** In the shape of the action's output schema. */
  data: unknown;
  /** For paged actions only: where the next page begins; null on the last. */
  next_cursor?: string | null;
}

/**
 * Returns the action's result. If that shows data of people, the read is recorded first; without a record nothing is
 * shown.
 * @throws {AppError} `forbidden` with the permission it needs, `invalid_input`, `record_not_found`, and the action's
 * own refusals
 */
export async function invoke(
  action: Action,
  body: Record<string, unknown>,
  context: CallContext,
  recordRead: RecordRead,
): Promise<ActionResult> {
  const { caller } = context;
  requirePermission(action, caller);
  const input = readInput(action.input, body);
  const exits = usedExits(action, input);
  requireExits(exits, caller);
  const work = () =>
    resultOf(action, input, inName(action, context)).catch((error: unknown) =>
      refused(error, action),
    );
  const isPlainRead = action.effect === 'read' && !needsFresh(exits);
  const result = await (isPlainRead ? work() : audited(action, input, context, work));
  const isBlind = seesNoPeople(caller.actor);
  if (showsPeople(exits, isBlind)) await recordRead(action, input, context);
  const data: unknown = action.output.parse(result.data);
  return { ...result, data: isBlind ? withoutPeople(data, exits) : data };
}

const resultOf = async (
  action: Action,
  input: Record<string, unknown>,
  context: ActionContext,
): Promise<ActionResult> =>
  action.paged ? action.run(input, context) : { data: await action.run(input, context) };

/** Versions of campaigns record the caller and the action that made them. */
function inName(action: Action, context: CallContext): ActionContext {
  const { kind, id, name } = context.caller.actor;
  const author = { [kind]: { id, name }, action: action.name };
  return { ...context, orgId: context.caller.org_id, author };
}

function requirePermission(action: Action, caller: Caller): void {
  requireHeld(action.permission, action.name, caller);
  if (mayRun(action, caller)) return;
  const message = `${action.name} shows data of people, which your role does not see.`;
  throw new AppError('forbidden', message, { required: 'personal_data' });
}

/** Freshness is checked last: a person is asked to confirm only when the action would then run. */
function requireExits(exits: readonly Exit[], caller: Caller): void {
  for (const { needs } of exits) if (needs) requireHeld(needs.permission, needs.subject, caller);
  const { actor } = caller;
  if (actor.kind === 'key' || actor.is_fresh || !needsFresh(exits)) return;
  const message = 'Confirm your sign-in first: it was more than 15 minutes ago.';
  throw new AppError('forbidden', message, { required: 'fresh_sign_in' });
}

function requireHeld(required: Permission, subject: string, { permissions, actor }: Caller): void {
  if (holds(permissions, required)) return;
  const holder = actor.kind === 'key' ? 'this key' : 'your role';
  const message = `${subject} needs the permission ${required}, which ${holder} does not have.`;
  throw new AppError('forbidden', message, { required });
}

/** The account's error about a record or a value, in the words of the Actions API (contract 9.3). */
function refused(error: unknown, action: Action): never {
  if (!(error instanceof AppError)) throw error;
  if (error.code === 'not_found') throw new AppError('record_not_found', error.message);
  const { field_errors } = error.extras;
  if (error.code !== 'validation_failed' || !field_errors) throw error;
  const keys = Object.keys(action.input.shape);
  throw invalidInput(
    field_errors.map(({ field, message, code }) => {
      const path = placeIn(keys, field);
      return { path, code, message: message.replaceAll(field, path) };
    }),
  );
}

/** Where the value is in the input: an action on one part of a record has the keys of that part as its own. */
function placeIn(keys: readonly string[], field: string): string {
  const [head = '', ...rest] = field.split('.');
  return !keys.includes(head) && keys.includes(rest[0] ?? '') ? rest.join('.') : field;
}
