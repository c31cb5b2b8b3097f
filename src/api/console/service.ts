/** The actions for people of the organization: the same registry, with the role of a membership instead of a key. */
import { AppError } from '../../lib/errors.js';
import type { People } from '../../people/people.js';
import type { Membership, SignedIn } from '../../people/types.js';
import { orUnavailable } from '../../platform/mongo/databaseErrors.js';
import { mayRun, type Action, type ActionDeps, type Caller } from '../actions/action.js';
import { invoke, type ActionResult } from '../actions/invoke.js';
import { createReadAudit } from '../actions/readAudit.js';
import { REGISTRY } from '../actions/registry.js';
import type { Witness } from '../../platform/security/witness.js';
import { GUARDED, unknownAction, withHeaders, type ActionAnswer } from '../actions/service.js';
import { countCall } from '../partner/allowance.js';
import { rightsOf } from '../actions/roles.js';

export interface ConsoleDeps extends ActionDeps {
  people: Pick<People, 'membership'>;
}

export interface ConsoleService {
  /**
   * The person's place in the organization, and the actions that the role may run.
   * @throws {AppError} `not_found` for every membership that is not this person's, or not in an organization,
   * `rate_limited`, `unavailable`
   */
  me(signedIn: SignedIn, membershipId: string): Promise<ActionAnswer>;
  /**
   * @param body read only when the person is known and within the limit
   * @throws {AppError} as `me`, and every refusal of an action; `forbidden` with `fresh_sign_in` where the sign-in has to
   * be confirmed first
   */
  run(
    signedIn: SignedIn,
    membershipId: string,
    name: string,
    body: (max?: number) => Promise<Record<string, unknown>>,
    witness: Witness,
  ): Promise<ActionAnswer>;
}

export function createConsoleService(deps: ConsoleDeps): ConsoleService {
  const recordRead = createReadAudit(deps.collections);
  /** Counts the call; its answer carries the headers, refused or not. */
  const enter = (
    signedIn: SignedIn,
    membershipId: string,
    work: (membership: Membership) => Promise<ActionResult>,
  ): Promise<ActionAnswer> =>
    guarded(async () => {
      const headers = await countCall(deps.collections.windows, signedIn.session_id);
      return withHeaders(headers, async () =>
        work(await organizationOf(signedIn, membershipId, deps)),
      );
    });
  return {
    me: (signedIn, membershipId) =>
      enter(signedIn, membershipId, async (membership) => ({
        data: await meView(signedIn, membership, deps),
      })),
    run: (signedIn, membershipId, name, body, witness) =>
      enter(signedIn, membershipId, async (membership) => {
        witness.known({ actor: 'person', org_id: membership.org_id, id: signedIn.person.id });
        const action = REGISTRY.find((one) => one.name === name);
        if (!action) throw unknownAction(name);
        const caller = callerOf(signedIn, membership);
        const context = { ...deps, caller };
        const result = await invoke(action, await body(action.bodyMax), context, recordRead);
        const event = GUARDED.get(action.name);
        if (event) witness.ran(event, action.name);
        return result;
      }),
  };
}

/** A partner is no caller of the organization: its membership is as unknown here as another person's. */
async function organizationOf(
  signedIn: SignedIn,
  membershipId: string,
  { people }: ConsoleDeps,
): Promise<Membership> {
  const membership = await people.membership(signedIn, membershipId).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not_found' ? noMembership() : error;
  });
  if (membership.scope.kind === 'organization') return membership;
  throw noMembership();
}

const noMembership = (): AppError => new AppError('not_found', 'There is no such membership.');

function callerOf({ person, is_fresh }: SignedIn, { id, org_id, role }: Membership): Caller {
  const { permissions, seesNoPeople } = rightsOf(role);
  const named = { kind: 'person' as const, id: person.id, name: person.name };
  return {
    org_id,
    actor: { ...named, membership_id: id, is_fresh, seesNoPeople },
    permissions,
  };
}

async function meView(signedIn: SignedIn, membership: Membership, { collections }: ConsoleDeps) {
  const { person, is_fresh } = signedIn;
  const caller = callerOf(signedIn, membership);
  const org = await collections.orgs.findOne({ _id: membership.org_id });
  if (!org) throw noMembership();
  const calls = REGISTRY.filter((action: Action) => mayRun(action, caller));
  return {
    person: { id: person.id, name: person.name, email: person.email },
    membership: { id: membership.id, side: 'organization', role: membership.role },
    is_fresh,
    organization: { name: org.name, time_zone: org.time_zone, currency: org.currency },
    party: null,
    settings: null,
    calls: calls.map(({ name }) => name),
    files: [],
  };
}

const guarded = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch(orUnavailable('The account cannot be reached now. Try again.'));
