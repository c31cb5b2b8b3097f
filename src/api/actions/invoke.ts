/** Every surface runs actions through it: permission, input, the work, its output, the record of it. */
import { AppError } from '../../lib/errors.js';
import { holds } from './access.js';
import { mayRun, type Action, type ActionContext, type Caller } from './action.js';
import { audited } from './audit.js';
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
  context: ActionContext,
  recordRead: RecordRead,
): Promise<ActionResult> {
  requirePermission(action, context.caller);
  const input = readInput(action.input, body);
  const work = () =>
    resultOf(action, input, inName(action, context)).catch((error: unknown) =>
      refused(error, action),
    );
  const result = await (action.effect === 'read' ? work() : audited(action, input, context, work));
  if (action.showsPeople) await recordRead(action, input, context);
  return { ...result, data: action.output.parse(result.data) };
}

const resultOf = async (
  action: Action,
  input: Record<string, unknown>,
  context: ActionContext,
): Promise<ActionResult> =>
  action.paged ? action.run(input, context) : { data: await action.run(input, context) };

/** Versions of campaigns record the caller and the action that made them. */
function inName(action: Action, context: ActionContext): ActionContext {
  const { kind, id, name } = context.caller.actor;
  const author = { [kind]: { id, name }, action: action.name };
  return { ...context, author };
}

/** Freshness is checked last: a person is asked to confirm only when the action would then run. */
function requirePermission(action: Action, caller: Caller): void {
  const { name, permission } = action;
  const { actor } = caller;
  if (!holds(caller.permissions, permission)) {
    const holder = actor.kind === 'key' ? 'this key' : 'your role';
    const message = `${name} needs the permission ${permission}, which ${holder} does not have.`;
    throw new AppError('forbidden', message, { required: permission });
  }
  if (!mayRun(action, caller))
    throw new AppError('forbidden', `${name} shows data of people, which your role does not see.`, {
      required: 'personal_data',
    });
  if (action.needsFresh && actor.kind === 'person' && !actor.is_fresh) {
    const message = 'Confirm your sign-in first: it was more than 15 minutes ago.';
    throw new AppError('forbidden', message, { required: 'fresh_sign_in' });
  }
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
