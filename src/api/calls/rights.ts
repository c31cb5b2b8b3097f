/** What a caller may: by its permissions or its role, by what the operator allows, and by how fresh its sign-in is. */
import type { Permission } from '../../account/store/keyDocs.js';
import { AppError } from '../../lib/errors.js';
import { findMissing, holds } from '../actions/access.js';
import { asksForPeople, isAboutPeople, needsFresh, type Exit } from '../actions/exits.js';
import { seesNoPeople, type Caller } from './caller.js';
import type { Definition, PortalFlag } from './definition.js';

type Demands = Pick<Definition, 'name' | 'permission' | 'needs' | 'permits' | 'letsOut'>;

/** @throws {AppError} `forbidden`; `required` names what the caller lacks, whatever its input */
export function requireRights(call: Demands, caller: Caller): void {
  const lack = findLack(call, caller);
  if (lack) throw lack;
}

/** Whether the caller may run it; a sign-in that must be confirmed first does not count against it. */
export const mayRun = (call: Demands, caller: Caller): boolean => findLack(call, caller) === null;

function findLack(call: Demands, caller: Caller): AppError | null {
  const { name, permits, needs, permission } = call;
  const { portal } = caller;
  if (permits && !(portal && isOpen(portal, permits))) {
    const message = `${CLOSED[permits]} not open here; ask your contact.`;
    return lacking(permits, message);
  }
  if (needs === 'admin' && !portal?.isAdmin)
    return lacking('admin', 'Only admins of your team may do this.');
  if (permission && !holds(caller.permissions, permission))
    return withoutPermission(permission, name, caller);
  return isAboutPeople(call) && seesNoPeople(caller) ? unseen(name) : null;
}

const unseen = (name: string): AppError =>
  lacking('personal_data', `${name} shows data of people, which your role does not see.`);

const CLOSED: Record<PortalFlag, string> = {
  returns: 'Returns are',
  change_requests: 'Requests for changes are',
  exports: 'Downloads are',
  resend: 'Sending again is',
  pause: 'Pausing is',
};

const isOpen = ({ settings }: NonNullable<Caller['portal']>, flag: PortalFlag): boolean =>
  flag === 'pause' ? settings.pause !== 'off' : settings[flag];

/** @throws {AppError} `forbidden`: this input needs a permission that the caller lacks */
export function requireFurther(
  { name, alsoNeeds }: Pick<Definition, 'name' | 'alsoNeeds'>,
  input: Record<string, unknown>,
  caller: Caller,
): void {
  if (!alsoNeeds?.isFor?.(input) || holds(caller.permissions, alsoNeeds.permission)) return;
  throw withoutPermission(alsoNeeds.permission, alsoNeeds.subject ?? name, caller);
}

/** @throws {AppError} `forbidden`: this input asks for people, whom the caller does not see */
export function requireSight(
  { name }: Pick<Definition, 'name'>,
  exits: readonly Exit[],
  caller: Caller,
): void {
  if (asksForPeople(exits) && seesNoPeople(caller)) throw unseen(name);
}

/**
 * Freshness is checked last: a person is asked to confirm only when the call would then run.
 * @throws {AppError} `forbidden`
 */
export function requireFresh(exits: readonly Exit[], { actor }: Caller): void {
  if (actor.kind === 'key' || actor.is_fresh || !needsFresh(exits)) return;
  throw lacking('fresh_sign_in', 'Confirm your sign-in first: it was more than 15 minutes ago.');
}

/**
 * A caller cannot grant a right it lacks, or it could get it through the member it creates.
 * @throws {AppError} `forbidden`, with the first permission that it lacks as `required`
 */
export function requireGrantable(
  call: Pick<Definition, 'gives'>,
  input: Record<string, unknown>,
  { permissions }: Caller,
): void {
  const grant = call.gives?.(input);
  const missing = grant && findMissing(permissions, grant.permissions);
  if (!missing) return;
  throw lacking(
    missing,
    grant.role === undefined
      ? `A caller cannot grant ${missing}, which it does not have itself.`
      : `A caller cannot grant the role ${grant.role}, which includes ${missing}: it does not have that itself.`,
  );
}

function withoutPermission(required: Permission, subject: string, { actor }: Caller): AppError {
  const holder = actor.kind === 'key' ? 'this key' : 'your role';
  const message = `${subject} needs the permission ${required}, which ${holder} does not have.`;
  return lacking(required, message);
}

const lacking = (required: string, message: string): AppError =>
  new AppError('forbidden', message, { required });
