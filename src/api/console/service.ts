/** The actions for people of the organization: the same registry, with the role of a membership instead of a key. */
import { AppError } from '../../lib/errors.js';
import type { People } from '../../people/people.js';
import type { Membership } from '../../people/types.js';
import type { ActionDeps } from '../actions/action.js';
import { contextOf, findAction, unknownAction } from '../actions/named.js';
import { REGISTRY } from '../actions/registry.js';
import { rightsOf } from '../actions/roles.js';
import { gone } from '../actions/service.js';
import type { Witness } from '../../platform/security/witness.js';
import { allowanceOfSession, countOfSessions } from '../calls/allowance.js';
import { answered, type CallAnswer } from '../calls/answer.js';
import { callingPerson, type Caller } from '../calls/caller.js';
import type { CallResult } from '../calls/definition.js';
import { personAt, type Asked, type Seat } from '../calls/me.js';
import { createListFiles, type FileAnswer, type FileType } from '../calls/listFiles.js';
import { createReadAudit } from '../calls/readAudit.js';
import { mayRun } from '../calls/rights.js';
import { runCall } from '../calls/runCall.js';

export interface ConsoleDeps extends ActionDeps {
  people: Pick<People, 'membership' | 'isSessionLive'>;
}

export type ConsoleService = ReturnType<typeof createConsoleService>;

export function createConsoleService(deps: ConsoleDeps) {
  const recordRead = createReadAudit(deps.collections);
  const count = countOfSessions(deps.collections.windows);
  const files = createListFiles({ recordRead });
  const enter = <T extends object>(seat: Seat, work: (membership: Membership) => Promise<T>) =>
    answered({ ...deps, count }, allowanceOfSession(seat.signedIn.session_id), async () =>
      work(await organizationOf(seat, deps)),
    );
  return {
    /**
     * The person's place in the organization, and the actions that the role may run.
     * @throws {AppError} `not_found` for every membership that is not this person's, or not in an organization,
     * `rate_limited`, `unavailable`
     */
    me: (seat: Seat): Promise<CallAnswer> =>
      enter<CallResult>(seat, async (membership) => ({
        data: await meView(seat, membership, deps),
      })),
    /**
     * The rows of an action as a file; null where the action has none.
     * @throws {AppError} as `run`; `rate_limited` while the organization has another one
     */
    async file(seat: Seat, { name, body }: Asked, type: FileType): Promise<FileAnswer | null> {
      const action = findAction(name);
      if (!action?.file) return null;
      const { headers, file } = await enter(seat, async (membership) => ({
        file: await files.begin(
          action,
          contextOf(action, callerOf(seat, membership), deps),
          body,
          type,
        ),
      }));
      return { ...file, headers: { ...headers, ...file.headers } };
    },
    /**
     * Who follows leads in this session, and who it is later: following does not keep a session alive.
     * @throws {AppError} as `me`
     */
    follower: (seat: Seat, witness: Witness) =>
      answered({ ...deps, count }, allowanceOfSession(seat.signedIn.session_id), async () => {
        const caller = callerOf(seat, await organizationOf(seat, deps));
        witness.known({ actor: 'person', org_id: caller.org_id, id: caller.actor.id });
        const again = async (): Promise<Caller | null> =>
          (await deps.people.isSessionLive(seat.signedIn))
            ? organizationOf({ ...seat, found: undefined }, deps).then(
                (membership) => callerOf(seat, membership),
                gone,
              )
            : null;
        return { caller, again, whose: seat.signedIn.session_id };
      }),
    /**
     * @throws {AppError} as `me`, and every refusal of an action; `forbidden` with `fresh_sign_in` where the sign-in has to
     * be confirmed first
     */
    run: (seat: Seat, { name, body, witness }: Asked): Promise<CallAnswer> =>
      enter<CallResult>(seat, (membership) => {
        const caller = callerOf(seat, membership);
        witness.known({ actor: 'person', org_id: caller.org_id, id: caller.actor.id });
        const action = findAction(name);
        if (!action) throw unknownAction(name);
        return runCall(action, contextOf(action, caller, deps), body, { recordRead, witness });
      }),
  };
}

/** A partner is no caller of the organization: its membership is as unknown here as another person's. */
async function organizationOf(
  { signedIn, membershipId, found }: Seat,
  { people }: ConsoleDeps,
): Promise<Membership> {
  const membership = await people
    .membership(signedIn, membershipId, { found })
    .catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'not_found' ? noMembership() : error;
    });
  if (membership.scope.kind === 'organization') return membership;
  throw noMembership();
}

const noMembership = (): AppError => new AppError('not_found', 'There is no such membership.');

function callerOf({ signedIn }: Seat, membership: Membership): Caller {
  const { permissions, seesNoPeople } = rightsOf(membership.role);
  const actor = { ...callingPerson(signedIn, membership), seesNoPeople };
  return { org_id: membership.org_id, actor, permissions };
}

async function meView(seat: Seat, membership: Membership, { collections }: ConsoleDeps) {
  const caller = callerOf(seat, membership);
  const org = await collections.orgs.findOne({ _id: membership.org_id });
  if (!org) throw noMembership();
  return {
    ...personAt(seat.signedIn, membership),
    organization: { name: org.name, time_zone: org.time_zone, currency: org.currency },
    party: null,
    settings: null,
    calls: REGISTRY.filter((action) => mayRun(action, caller)).map(({ name }) => name),
    files: [],
  };
}
