/**
 * An action. The registry is a list of these; the HTTP endpoints, the catalog and every other surface are made
 * from it, so that they cannot drift apart.
 */
import type { PlanAuthor } from '../../account/rules/plan.js';
import type { z } from 'zod';
import type { OutboundPolicy } from '../../account/buyers/delivery.js';
import type { Keyring } from '../../platform/security/seal.js';
import type { Clock } from '../../lib/clock.js';
import type { PublicAddress } from '../guide/guide.js';
import type { Intake } from '../../ingest/types.js';
import type { SaleChanges } from '../../outcomes/types.js';
import type { Oidc } from '../../people/oidc/types.js';
import type { Pings } from '../../pings/types.js';
import type { Confirmations } from '../../deliveries/recipients/confirmations.js';
import type { Returns } from '../../outcomes/returns/types.js';
import type { createQueueCommands } from '../../distribution/commands/queueCommands.js';
import type { FunnelSite } from '../../funnels/address.js';
import type { FunnelCollections } from '../../funnels/store/collections.js';
import type { Permission } from '../../account/store/keyDocs.js';
import type { Members } from '../../people/members/types.js';
import { holds } from './access.js';
import { isAboutPeople, type Exit } from './exits.js';
import type { ActionName } from './names.js';
import type { Page } from './paging.js';

/** read: changes nothing. write: its changes can be undone. destroy: its changes cannot. */
export type Effect = 'read' | 'write' | 'destroy';

/** The caller, and the organization it acts for. */
export interface Caller {
  org_id: string;
  actor: CallingKey | CallingPerson;
  permissions: readonly Permission[];
}

interface CallingKey {
  kind: 'key';
  id: string;
  name: string;
  /** The key is refused after this; absent: never. */
  expires_at?: Date | undefined;
}

/** A member of the organization, by a role. */
interface CallingPerson {
  kind: 'person';
  id: string;
  name: string;
  membership_id: string;
  /** The person signed in, or confirmed it, a short time ago. */
  is_fresh: boolean;
  /** The role may not see data of people. */
  seesNoPeople?: boolean;
}

/** Whether the caller may run the action; a sign-in that must be confirmed first does not count against it. */
export const mayRun = (
  action: Pick<Action, 'permission' | 'letsOut'>,
  { permissions, actor }: Caller,
): boolean =>
  holds(permissions, action.permission) && !(isAboutPeople(action) && seesNoPeople(actor));

export const seesNoPeople = (actor: Caller['actor']): boolean =>
  actor.kind === 'person' && actor.seesNoPeople === true;

/** The dependencies of actions. */
export interface ActionDeps {
  collections: FunnelCollections;
  keyring: Keyring;
  /** The delivery settings that this installation allows. */
  policy: OutboundPolicy;
  clock: Clock;
  /** The operators' commands on buyers' queues. */
  queue: ReturnType<typeof createQueueCommands>;
  /** Accepts leads as from suppliers. */
  intake: Intake;
  /** Answers pings as from suppliers. */
  pings: Pick<Pings, 'submit'>;
  /** Sends what waits for automations now. */
  wakeEndpoints: (automationIds: readonly string[], orgId: string) => void;
  /** Changes the outcomes of sales. */
  outcomes: SaleChanges;
  /** The returns of leads by buyers. */
  returns: Pick<Returns, 'request' | 'resolve'>;
  /** Asks recipients of mails to confirm. */
  recipients: Pick<Confirmations, 'ask'>;
  /** The address that suppliers post to. */
  ingestAddress: () => PublicAddress;
  /** The people of the organization and of its partners. */
  members: Members;
  /** The organization's own sign-in for its people. */
  singleSignOn: Pick<Oidc, 'settings' | 'configure'>;
  /** The address of the pages of this service. */
  siteUrl: () => string;
  /** The address at which visitors open funnels. */
  funnels: FunnelSite;
}

/** A call that is not checked yet. */
export interface CallContext extends ActionDeps {
  caller: Caller;
}

/** What an action works with: an `AccountContext` of the caller's organization, changed in the caller's name. */
export interface ActionContext extends CallContext {
  orgId: string;
  author: PlanAuthor;
}

interface Described<I extends z.ZodObject, O extends z.ZodType> {
  name: ActionName;
  /** Its command. */
  cli: readonly [noun: string, verb: string];
  /** One line. */
  summary: string;
  /** Whole sentences, for people and assistants who choose between actions. */
  description: string;
  effect: Effect;
  /** Running it twice has the effect of running it once. */
  idempotent: boolean;
  /** It sends leads to buyers, beyond the records of the account. */
  reachesOut?: true;
  permission: Permission;
  /** What leaves by it, empty where nothing does: `invoke` asks for a fresh sign-in, and records, accordingly. */
  letsOut: readonly Exit<z.output<I>>[];
  /** Maximum bytes of its body over HTTP; absent: as other endpoints. */
  bodyMax?: number;
  /** A further permission that some of its calls need; the action itself checks it. */
  alsoNeeds?: { permission: Permission; /** Follows "where". */ when: string };
  input: I;
  /** An input that fits the schema, as a caller would send it. */
  example: z.input<I>;
  /** For an output that contains a list: the key of that list. */
  rows?: string;
  /** What `data` holds. */
  output: O;
}

/** An action that returns its whole result at once. */
interface WholeAction<I extends z.ZodObject, O extends z.ZodType> extends Described<I, O> {
  paged?: never;
  /**
   * @param input checked and complete
   * @throws {AppError} `not_found` for a record the organization does not have, `validation_failed` for a value that
   * breaks a rule of the account
   */
  run(input: z.output<I>, context: ActionContext): Promise<z.input<O>>;
}

/** An action that returns a page of a list: its input has `pageInput`, and its result `next_cursor` next to `data`. */
interface PagedAction<I extends z.ZodObject, O extends z.ZodType> extends Described<I, O> {
  paged: true;
  /** As that of any action. */
  run(input: z.output<I>, context: ActionContext): Promise<Page<z.input<O>>>;
}

export type Action<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> =
  WholeAction<I, O> | PagedAction<I, O>;

/** Fixes the types of an action by its own schemas. */
export const defineAction = <I extends z.ZodObject, O extends z.ZodType>(
  action: WholeAction<I, O>,
): Action => described(action);

/** Adds the further permission to the description, so that every surface shows it. */
function described<A extends Action>(action: A): A {
  const { alsoNeeds, description } = action;
  if (!alsoNeeds) return action;
  const told = `${description} Also needs the permission ${alsoNeeds.permission} where ${alsoNeeds.when}.`;
  return { ...action, description: told };
}

/** The same for an action that returns a page of a list. */
export const definePagedAction = <I extends z.ZodObject, O extends z.ZodType>(
  action: Omit<PagedAction<I, O>, 'paged'>,
): Action => described({ ...action, paged: true });
